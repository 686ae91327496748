"""Recorded runs of one cause, of which a toggle chooses one to be played.

Nothing is made up: what is played is a file that a run left behind.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from labkit.cause import Cause, Toggle
from labkit.causes import SLUGS, load
from labkit.lab.replay.recordings import printing_skipped, shipped
from labkit.lab.replay.replayed import Replayed
from labkit.record import LabkitError, Run, ToggleValue
from labkit.record.plain_text import one_line
from labkit.show import words

Recording = Run | str | os.PathLike[str]
Recordings = bool | Recording | Sequence[Recording]


class RecordedRuns:
    """What can be played in place of a loop.

    Args:
        runs: One or more, of one cause; each should differ from the others in its toggles.
        speed: How many times faster than they were recorded.

    ``toggles`` are those in which the recordings differ, with the values they have.

    Raises:
        LabkitError: If there are none, one has no step, they are of several causes, or the speed is
            none.
    """

    def __init__(self, runs: Sequence[Run], speed: float = 1.0) -> None:
        _check(runs, speed)
        self._speed = speed
        self._played = 0
        self.cause: Cause = load(runs[0].cause)
        self.runs = tuple(_with_every_toggle(run, self.cause) for run in runs)
        self.toggles: tuple[Toggle, ...] = tuple(self._choosable())

    def _choosable(self) -> list[Toggle]:
        found = []
        for toggle in self.cause.toggles:
            values = [toggle.word(run.toggles[toggle.name]) for run in self.runs]
            choices = tuple(choice for choice in toggle.choices if choice in values)
            if len(choices) > 1:
                # A recording cannot be switched while it plays: another one begins.
                found.append(replace(toggle, choices=choices, default=values[0], kind="launch"))
        return found

    def banner(self, shown: Replayed | None) -> str:
        """Return what must stand above the curve.

        Args:
            shown: The recording on show; None before the first.
        """
        speed = "" if self._speed == 1 else f", played at {self._speed:g} times the speed"
        made = made_where(shown.run if shown else self.runs[0])
        return f"A recording: {made}{speed}. Nothing is running now."

    def start(self, toggles: Mapping[str, object]) -> Replayed:
        """Play the recording with these toggles from its beginning.

        Raises:
            LabkitError: If no recording has these values together; the sentence lists those there
                are.
        """
        wanted = {each.name: each.parse(toggles[each.name]) for each in self.cause.toggles
                  if each.name in toggles}  # fmt: skip
        run = next((run for run in self.runs if _has(run, wanted)), None)
        if run is None:
            raise LabkitError(
                f"There is no recording with {self._missing(wanted)}; there is one with each of: "
                f"{'; '.join(self._told(run) for run in self.runs)}."
            )
        self._played += 1
        return Replayed(f"{run.cause}-recorded-{self._played}", run, self._speed)

    def _missing(self, wanted: Mapping[str, ToggleValue]) -> str:
        """Return the toggles to choose from as they are wanted, and what was never recorded."""
        choosable = {toggle.name for toggle in self.toggles}
        return words.toggle_values(
            wanted,
            only=[name for name, value in wanted.items()
                  if name in choosable or not any(_has(run, {name: value}) for run in self.runs)],
        )  # fmt: skip

    def _told(self, run: Run) -> str:
        """Return the toggles of the first recording, and of the others what differs from it."""
        first = self.runs[0].toggles
        names = [toggle.name for toggle in self.toggles]
        changed = [name for name in names if run.toggles[name] != first[name]]
        said = words.toggle_values(run.toggles, only=changed or names)
        return said if names else "the toggles as they were recorded"


def recorded_runs(cause: Cause, recorded: Recordings) -> RecordedRuns:
    """Return what can be played in place of a cause's loop.

    Args:
        cause: The cause.
        recorded: True for the recordings that come with labkit; or runs, files that labkit saved,
            or folders of them. Runs of other causes are passed over; so is what is no saved run in
            a folder, and a line says so.

    Raises:
        LabkitError: If none is of this cause, or a file is no saved run.
    """
    if isinstance(recorded, bool):
        return RecordedRuns(shipped(cause.slug))
    given = [recorded] if isinstance(recorded, (Run, str, Path, os.PathLike)) else list(recorded)
    found = printing_skipped(*given, cause=cause.slug)
    if not found:
        raise LabkitError(
            f"There is no recording of {cause.slug} among those given; make one with:  "
            f"labkit run {cause.slug} --out {cause.slug}.jsonl"
        )
    return RecordedRuns(found)


def made_where(run: Run) -> str:
    """Return when and on what a run was made, for the banner."""
    facts = run.environment
    cores = facts.get("cores")
    told = [
        str(facts.get("started") or "").replace("T", " ").replace("+00:00", " UTC"),
        str(facts.get("gpu") or facts.get("processor") or ""),
        f"{cores} core{'s' * (cores != 1)}" if cores else "",
        f"TensorFlow {facts['tensorflow']}" if facts.get("tensorflow") else "",
    ]
    return one_line(", ".join(filter(None, told))) or "where and when is not in the file"


def _with_every_toggle(run: Run, cause: Cause) -> Run:
    """A run of an older labkit may lack a toggle that came later: it stood at its default."""
    defaults = {toggle.name: toggle.parse(toggle.default) for toggle in cause.toggles}
    return (
        run
        if defaults.keys() <= run.toggles.keys()
        else replace(run, toggles={**defaults, **run.toggles})
    )


def _has(run: Run, wanted: Mapping[str, ToggleValue]) -> bool:
    return all(run.toggles.get(name) == value for name, value in wanted.items())


def _check(runs: Sequence[Run], speed: float) -> None:
    if not runs:
        raise LabkitError(
            "There is no recording to play; give a run, a file that labkit saved, or the name of a "
            "lab."
        )
    for run in runs:
        if run.cause not in SLUGS:
            raise LabkitError(
                f"A run of {run.cause!r} has no lab to be played in; give runs of a cause."
            )
        if not len(run.steps):
            raise LabkitError(f"The recording of {run.title!r} has no step; record it again.")
    causes = sorted({run.cause for run in runs})
    if len(causes) > 1:
        raise LabkitError(
            f"These are recordings of {' and '.join(causes)}; a panel plays those of one cause."
        )
    if not speed > 0:
        raise LabkitError(f"{speed!r} is not a speed; give a number above 0, 1 for as recorded.")
