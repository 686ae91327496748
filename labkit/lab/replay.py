"""Replay: recorded runs in the same panel, under a banner that says where and when they were made.

For a room whose network or graphics card is not there today. Nothing is made up: what is played is
a file that a run left behind, and a toggle chooses between the files there are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from labkit.cause import Cause, Toggle
from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.compare import MOST_RUNS, Comparison
from labkit.lab.live_view import view_of
from labkit.lab.recordings import recordings
from labkit.lab.replayed import Replayed
from labkit.record import Judgement, LabkitError, Run, ToggleValue
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.source import Source

GHOSTS = 3


class ReplayPlayer:
    """Plays recorded runs of one cause: a `Player` for the panel.

    Args:
        runs: One or more, of one cause; each should differ from the others in its toggles.
        speed: How many times faster than they were recorded.

    Raises:
        LabkitError: If there are none, one has no step, they are of several causes, or the speed is
            none.
    """

    def __init__(self, runs: Sequence[Run], speed: float = 1.0) -> None:
        _check(runs, speed)
        self._speed = speed
        self.cause: Cause = load(runs[0].cause)
        self._runs = tuple(_with_every_toggle(run, self.cause) for run in runs)
        self.toggles: tuple[Toggle, ...] = tuple(self._choosable())
        self._played: list[Replayed] = []

    def _choosable(self) -> list[Toggle]:
        """Return the toggles in which the recordings differ, with the values they have."""
        found = []
        for toggle in self.cause.toggles:
            words = [toggle.word(run.toggles[toggle.name]) for run in self._runs]
            choices = tuple(choice for choice in toggle.choices if choice in words)
            if len(choices) > 1:
                # A recording cannot be switched while it plays: another one begins.
                found.append(replace(toggle, choices=choices, default=words[0], kind="launch"))
        return found

    @property
    def title(self) -> str:
        return self.cause.title

    @property
    def lanes(self) -> tuple[str, ...]:
        return self.cause.lanes

    @property
    def place(self) -> str:
        return ""

    @property
    def banner(self) -> str:
        speed = "" if self._speed == 1 else f", played at {self._speed:g} times the speed"
        made = made_where(self.current.run if self.current else self._runs[0])
        return f"A recording: {made}{speed}. Nothing is running now."

    @property
    def recorded(self) -> tuple[Run, ...]:
        """The runs there are."""
        return self._runs

    @property
    def current(self) -> Replayed | None:
        return self._played[-1] if self._played else None

    @property
    def earlier(self) -> tuple[Replayed, ...]:
        return tuple(self._played[-2 : -2 - GHOSTS : -1])

    def start(self, toggles: Mapping[str, object]) -> Replayed:
        """Play the recording with these toggles from its beginning.

        Raises:
            LabkitError: If no recording has these values together; the sentence lists those there
                are.
        """
        wanted = {each.name: each.parse(toggles[each.name]) for each in self.cause.toggles
                  if each.name in toggles}  # fmt: skip
        run = next((run for run in self._runs if _has(run, wanted)), None)
        if run is None:
            raise LabkitError(
                f"There is no recording with {self._missing(wanted)}; there is one with each of: "
                f"{'; '.join(self._told(run) for run in self._runs)}."
            )
        self.stop()
        name = f"{run.cause}-recorded-{len(self._played) + 1}"
        self._played.append(Replayed(name, run, self._speed))
        return self._played[-1]

    def _missing(self, wanted: Mapping[str, ToggleValue]) -> str:
        """Return the toggles to choose from as they are wanted, and what was never recorded."""
        choosable = {toggle.name for toggle in self.toggles}
        return words.toggle_values(
            wanted, self.cause.toggles,
            only=[name for name, value in wanted.items()
                  if name in choosable or not any(_has(run, {name: value}) for run in self._runs)],
        )  # fmt: skip

    def _told(self, run: Run) -> str:
        """Return the toggles of the first recording, and of the others what differs from it."""
        first = self._runs[0].toggles
        names = [toggle.name for toggle in self.toggles]
        changed = [name for name in names if run.toggles[name] != first[name]]
        said = words.toggle_values(run.toggles, self.cause.toggles, only=changed or names)
        return said if names else "the toggles as they were recorded"

    def set(self, name: str, value: object) -> None:
        """Refuse: what was recorded cannot be switched.

        Raises:
            LabkitError: Always.
        """
        raise LabkitError(
            f"A recording cannot be switched, so {name} stays; press Run for another."
        )

    def stop(self) -> None:
        """Play no further."""
        if self.current is not None:
            self.current.stop()

    def judge(self, source: Source) -> Judgement:
        return judgement(source.snapshot())

    def save(self, source: Source) -> str:
        """Refuse: there is a file of it already.

        Raises:
            LabkitError: Always.
        """
        raise LabkitError("This is a recording, so there is a file of it already.")


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
        raise LabkitError(f"{speed!r} is no speed; give a number above 0, 1 for as recorded.")


def replay(
    *sources: Run | str | os.PathLike[str], speed: float = 1.0, presenter: bool = False
) -> Any:
    """Show recorded runs of one cause in the panel; press Run to play one.

    Args:
        sources: Runs, files that labkit saved, folders of them, or the name of a lab, e.g.
            ``"graph_growth"``, for the recordings that come with labkit.
        speed: How many times faster than they were recorded.
        presenter: Large type and keys, for a projector.

    Raises:
        LabkitError: If there is nothing to play, or a file is no saved run.
    """
    player = ReplayPlayer(recordings(*sources), speed)
    view = view_of(player, presenter=presenter)
    return view if view is not None else Comparison(player.recorded[:MOST_RUNS])
