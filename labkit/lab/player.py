"""What a lab's controls do: the one `Player` that the panel is handed.

It has runs made here, recordings of them, or both with a switch between: one click, and the room
sees the curve all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from labkit.bench.session.session import Session
from labkit.cause import Cause, Mechanism, Meeting, Toggle
from labkit.diagnosis import judgement
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.replayed import Replayed
from labkit.record import Diagnosis, LabkitError, Plain, run_file_name, save_run
from labkit.record.saving.default_folder import default_folder
from labkit.show.live.answer import GHOSTS
from labkit.show.live.source import Source

SWITCH = Toggle("recorded", "play the recording", role="control", kind="launch")
DEVICE = Toggle("device", "runs on", "gpu", choices=("cpu", "gpu"), role="control", kind="launch")
# The memory of a graphics card is small, and a loop that fills it ends.
LANES_ON_CARD = ("tensor_bytes",)


class LabPlayer:
    """Plays one cause.

    Args:
        cause: What is played.
        start: Starts a run here, called with ``toggles=``; None where only recordings are played.
        toggles: What differs from the defaults at first.
        going: Runs of it that go on already.
        recorded: The recordings there are; None for none.
        instead: Why they are played unless somebody switches; empty where they are not.
        device: Where it runs at first, where there is a choice; `start` is then called with
            ``device=``, too. Empty where there is none.
    """

    def __init__(
        self,
        cause: Cause,
        start: Callable[..., Session] | None = None,
        *,
        toggles: Mapping[str, object] | None = None,
        going: Sequence[Session] = (),
        recorded: RecordedRuns | None = None,
        instead: str = "",
        device: str = "",
    ) -> None:
        self.cause = cause
        self._start = start
        self._recorded = recorded
        self._instead = instead
        self._replaying = start is None or bool(instead)
        self._runs: list[Session] = list(going[-1:])
        self._replayed: list[Replayed] = []
        self._asked: dict[str, object] = {}
        # A cause may have a toggle of this name.
        self._device = "" if any(each.name == DEVICE.name for each in cause.toggles) else device
        self.toggles: tuple[Toggle, ...] = ()
        if start is not None:
            values = cause.toggle_values(toggles or {})
            self.toggles = tuple(
                replace(each, default=each.word(values[each.name])) for each in cause.toggles
            )
            self._defaults = {toggle.name: toggle.default for toggle in self.toggles}
            if self._device:
                self.toggles += (replace(DEVICE, default=self._device),)
            if recorded is not None:
                default = "on" if instead else SWITCH.default
                self.toggles += (replace(SWITCH, default=default),)
        elif recorded is not None:
            self.toggles = recorded.toggles

    @property
    def title(self) -> str:
        return self.cause.title

    @property
    def mechanism(self) -> Mechanism | Meeting | None:
        return self.cause.mechanism

    @property
    def usual_steps(self) -> int:
        return self.cause.expectation.steps

    @property
    def lanes(self) -> tuple[str, ...]:
        current = self.current
        run = current.run if isinstance(current, Replayed) else current
        on_card = run is not None and run.environment.get("device") == "gpu"
        return (*self.cause.lanes, *(LANES_ON_CARD if on_card else ()))

    @property
    def place(self) -> str:
        facts = self._facts
        if "tensorflow" not in facts:
            return ""
        device = facts["gpu"] or str(facts["device"]).upper()
        cores = facts["cores"]
        small = " - small sizes" if facts.get("fitted_to") else ""
        return (
            f"{device} - TensorFlow {facts['tensorflow']} - {cores} core{'s' * (cores != 1)}{small}"
        )

    @property
    def _facts(self) -> Mapping[str, Plain]:
        """Versions and machine of what was run here last."""
        return self._runs[-1].environment if self._runs and not self._replaying else {}

    @property
    def banner(self) -> str:
        if not self._replaying or self._recorded is None:
            return str(self._facts.get("no_gpu") or "")
        made = self._recorded.banner(self._replayed[-1] if self._replayed else None)
        return " ".join(filter(None, (self._instead, made)))

    @property
    def _shown(self) -> Sequence[Session | Replayed]:
        """What was run here, or what was recorded: curves of two machines do not compare."""
        return self._replayed if self._replaying else self._runs

    @property
    def current(self) -> Session | Replayed | None:
        return self._shown[-1] if self._shown else None

    @property
    def earlier(self) -> tuple[Session | Replayed, ...]:
        return tuple(reversed(self._shown[:-1]))

    def start(self, toggles: Mapping[str, object]) -> Session | Replayed:
        """End what goes on, if anything, and start a fresh run, or play a recording.

        Raises:
            LabkitError: If a toggle or value is unknown, the run cannot be started, or no recording
                has these values.
        """
        others = {name: value for name, value in toggles.items() if name != SWITCH.name}
        shown, where = {}, {}
        if self._device:
            shown[DEVICE.name] = DEVICE.parse(others.pop(DEVICE.name, self._device))
            # A card that was lost meanwhile is checked anew, and the lab goes on without it.
            where["device"] = "cpu" if shown[DEVICE.name] == "cpu" else "auto"
        started: Session | Replayed
        if self._recorded is not None and (
            self._start is None or SWITCH.parse(toggles.get(SWITCH.name, SWITCH.default))
        ):
            started = played = self._recorded.start(others)
            # Only now: a recording that is missing must not end what goes on.
            self.stop()
            self._replayed.append(played)
            self._replaying = True
        else:
            assert self._start is not None, "a player has one of both"
            self.cause.toggle_values(others)  # refused before the run in progress is given up
            self.stop()
            started = session = self._start(toggles={**self._defaults, **others}, **where)
            session.shown_with = shown
            # No more than the panel shows: each holds its steps in memory.
            self._runs = [*self._runs[-GHOSTS:], session]
            self._replaying = False
        self._asked = others
        return started

    def set(self, name: str, value: object) -> None:
        """Flip a live toggle of the run in progress; of recordings, play the one with that value.

        Raises:
            LabkitError: If there is no run in progress, no such toggle or value, or no such
                recording.
        """
        if self._replaying:
            self.start({**self._asked, name: value, SWITCH.name: "on"})
        elif not self._runs:
            raise LabkitError(f"No run is in progress, so {name} cannot be switched; press Run.")
        else:
            self._runs[-1].set(name, value)

    def stop(self) -> None:
        """Stop what goes on, if anything; returns at once."""
        if self.current is not None:
            self.current.stop()

    def judge(self, source: Source) -> Diagnosis:
        return judgement(source.snapshot())

    def save(self, source: Source) -> str:
        """Save a run in the current folder, under a name not yet taken, and return its path.

        Raises:
            LabkitError: If it is a recording, or cannot be saved.
        """
        if isinstance(source, Replayed):
            raise LabkitError("This is a recording, so there is a file of it already.")
        stamp = time.strftime("%Y%m%d-%H%M%S")
        run = source.snapshot()
        target = default_folder() / run_file_name(f"{source.name}-{stamp}", run)
        return str(save_run(run, target, replace=False))
