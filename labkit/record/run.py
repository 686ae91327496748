"""A run: what one execution of a loop left behind."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from labkit.record.plain_text import one_line
from labkit.record.steps import Column, Steps

StateName = Literal[
    "starting", "running", "done", "stopped", "failed", "memory_limit", "time_limit", "killed",
    "silent",
]  # fmt: skip
STATES: tuple[StateName, ...] = get_args(StateName)

ToggleValue = bool | str
Plain = bool | int | float | str | None


@dataclass(frozen=True)
class State:
    """How far a run has come, or how it ended.

    Args:
        name: One of `STATES`. ``done``, ``stopped`` and ``time_limit`` ended as they should.
        reason: One sentence for the learner; empty while all is well.
        traceback: Python's traceback where the loop raised, else empty.
        error: The class of what the loop raised, ``"ValueError"``; else empty.
    """

    name: StateName
    reason: str = ""
    traceback: str = ""
    error: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.name not in ("starting", "running")

    @property
    def completed(self) -> bool:
        """Whether the run ended because its work or its time was up, not by a fault or a Stop."""
        return self.name in ("done", "time_limit")


@dataclass(frozen=True)
class Event:
    """Something that happened at a step.

    Args:
        step: The first step it can have touched.
        kind: ``"toggle"`` for a flipped toggle; probes add kinds of their own, e.g. ``"gc"``.
        text: What a learner reads at the mark, e.g. ``"grow off"``.
        detail: More facts, by name; a toggle event has ``name`` and ``value``.
    """

    step: int
    kind: str
    text: str
    detail: Mapping[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What one execution of a loop left behind: plain data that can be saved and judged anywhere.

    Args:
        cause: The cause's slug, or the name of the reader's own loop.
        title: The cause's title.
        state: How it ended, or ``running`` in a snapshot of a run in progress.
        columns: What each column of `steps` means.
        steps: The recorded steps of the first worker.
        toggles: Each toggle's value when the run began.
        settings: Sizes, seed, steps asked for, device.
        events: What happened, in order of step.
        evidence: Counters read rarely, each as ``(step, value)`` pairs by name.
        environment: Versions, machine, time of day.
        log: The end of what the loop printed.
        others: The steps of further workers, where a lab needs two or more.
        loaded: Whether it comes from a file, which somebody may have handed over: no path that it
            names is opened.
    """

    cause: str
    title: str
    state: State
    columns: tuple[Column, ...]
    steps: Steps
    toggles: Mapping[str, ToggleValue] = field(default_factory=dict)
    settings: Mapping[str, Plain] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    evidence: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    environment: Mapping[str, Plain] = field(default_factory=dict)
    log: str = ""
    others: tuple[Steps, ...] = ()
    loaded: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        return f"Run({one_line(self.cause)}: {len(self.steps):,} steps, {self.state.name})"

    def save(self, path: str | os.PathLike[str], *, replace: bool = True) -> Path:
        """Write the run to a file, whole or not at all; `labkit.load_run` reads it again.

        Args:
            path: Where, and under no other name: another file may be called so.
            replace: Whether a file of that name is replaced; else the next free name is taken.

        Returns:
            The file that was written.

        Raises:
            LabkitError: If the file cannot be written there.
        """
        from labkit.record.file import save_run  # which knows what a run is, so it imports this

        return save_run(self, path, replace=replace)

    @property
    def memory_bytes(self) -> tuple[float, ...]:
        """The bytes in use after each step by the process, and by its tensors on a card.

        What is on a graphics card is no part of the process's resident memory.
        """
        used = self.steps.column("resident_bytes")
        if self.environment.get("device") != "gpu" or "tensor_bytes" not in self.steps.names:
            return tuple(used)
        on_card = self.steps.column("tensor_bytes")
        return tuple(host + card for host, card in zip(used, on_card, strict=True))

    def values(self, name: str) -> Sequence[float]:
        """Return a column of the steps, or `memory_bytes`, by name; empty where there is none."""
        if name == "memory_bytes" and "resident_bytes" in self.steps.names:
            return self.memory_bytes
        return self.steps.column(name) if name in self.steps.names else ()

    def column_of_kind(self, kind: str) -> tuple[Column, ...]:
        """Return the columns of one kind, in recorded order."""
        return tuple(column for column in self.columns if column.kind == kind)

    def stretches(self) -> tuple[Stretch, ...]:
        """Cut the run where a toggle was flipped: within a stretch the loop did not change."""
        toggles = dict(self.toggles)
        cuts: list[tuple[int, dict[str, ToggleValue]]] = [(0, dict(toggles))]
        for event in self.events:
            if event.kind != "toggle":
                continue
            value = event.detail["value"]
            toggles[str(event.detail["name"])] = value if isinstance(value, bool) else str(value)
            if cuts[-1][0] == event.step:
                cuts[-1] = (event.step, dict(toggles))
            else:
                cuts.append((event.step, dict(toggles)))
        ends = [start for start, _ in cuts[1:]] + [len(self.steps)]
        return tuple(
            Stretch(start, end, values)
            for (start, values), end in zip(cuts, ends, strict=True)
            if end > start or len(cuts) == 1
        )


@dataclass(frozen=True)
class Stretch:
    """The steps between two flips of a toggle.

    Args:
        start: First step, counted from 0.
        end: One past the last step.
        toggles: The values all toggles had.
    """

    start: int
    end: int
    toggles: Mapping[str, ToggleValue]
