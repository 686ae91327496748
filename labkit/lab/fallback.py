"""A lab with its recording behind it: one switch, and the room sees the curve all the same."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from labkit.cause import Toggle
from labkit.lab.player import LabPlayer
from labkit.lab.recordings import recordings
from labkit.lab.replay import ReplayPlayer
from labkit.lab.shipped import shipped
from labkit.record import Judgement, LabkitError, Run
from labkit.show.source import Player, Source

Recording = Run | str | os.PathLike[str]
Recordings = bool | Recording | Sequence[Recording]
SWITCH = Toggle("recorded", "play the recording", role="control", kind="launch")


class FallbackPlayer:
    """A live lab and recordings of it, with a switch between them: a `Player` for the panel.

    Args:
        live: Runs the loop here.
        recorded: Plays what was recorded.
        instead: Why the recordings are played unless somebody switches; empty where they are not.
    """

    def __init__(self, live: Player, recorded: Player, instead: str = "") -> None:
        self._live = live
        self._recorded = recorded
        self._instead = instead
        self._playing = recorded if instead else live
        self._chosen: dict[str, object] = {}
        switch = replace(SWITCH, default="on" if instead else SWITCH.default)
        self.toggles: tuple[Toggle, ...] = (*live.toggles, switch)

    @property
    def title(self) -> str:
        return self._live.title

    @property
    def place(self) -> str:
        return self._playing.place

    @property
    def banner(self) -> str:
        instead = self._instead if self._playing is self._recorded else ""
        return " ".join(filter(None, (instead, self._playing.banner)))

    @property
    def lanes(self) -> tuple[str, ...]:
        return self._live.lanes

    @property
    def current(self) -> Source | None:
        return self._playing.current

    @property
    def earlier(self) -> tuple[Source, ...]:
        return self._playing.earlier

    def start(self, toggles: Mapping[str, object]) -> Source:
        """Start a run here, or play the recording, as the switch stands.

        Raises:
            LabkitError: If the run cannot be started, or no recording has these toggles.
        """
        others = {name: value for name, value in toggles.items() if name != SWITCH.name}
        recorded = SWITCH.parse(toggles.get(SWITCH.name, SWITCH.default))
        player = self._recorded if recorded else self._live
        started = player.start(others)
        # Only now: a recording that is missing must not end what goes on.
        if player is not self._playing:
            self._playing.stop()
            self._playing = player
        self._chosen = dict(others)
        return started

    def set(self, name: str, value: object) -> None:
        """Flip a live toggle; of recordings, play the one with that value.

        Raises:
            LabkitError: If it cannot be flipped, or there is no such recording.
        """
        if self._playing is self._recorded:
            self.start({**self._chosen, name: value, SWITCH.name: "on"})
        else:
            self._live.set(name, value)

    def stop(self) -> None:
        """Stop what is going on; returns at once."""
        self._playing.stop()

    def judge(self, source: Source) -> Judgement:
        return self._playing.judge(source)

    def save(self, source: Source) -> str:
        """Save the run on show and return its path.

        Raises:
            LabkitError: If it is a recording.
        """
        return self._playing.save(source)


def with_recordings(live: LabPlayer, recorded: Recordings, instead: str = "") -> FallbackPlayer:
    """Return a lab with its recordings behind it, or before it.

    Args:
        live: The lab.
        recorded: True for the recordings that come with labkit; or runs, files that labkit saved,
            or folders of them, of which those of other causes are passed over.
        instead: Why the recordings are played unless somebody switches; empty where they are not.

    Raises:
        LabkitError: If none is of this cause, or a file is no saved run.
    """
    if isinstance(recorded, bool):
        return FallbackPlayer(live, ReplayPlayer(shipped(live.cause.slug)), instead)
    given = [recorded] if isinstance(recorded, (Run, str, Path, os.PathLike)) else list(recorded)
    found = recordings(*given, cause=live.cause.slug)
    if not found:
        raise LabkitError(
            f"There is no recording of {live.cause.slug} among those given; make one with:  "
            f"labkit run {live.cause.slug} --out {live.cause.slug}.jsonl"
        )
    return FallbackPlayer(live, ReplayPlayer(found), instead)
