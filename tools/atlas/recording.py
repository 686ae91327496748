"""The examples: for each label of a verdict one real loop whose curve has that shape, and its run.

An example is run, judged, and run again where the judge says another word.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from labkit.diagnosis import judgement
from labkit.record import Diagnosis, LabkitError, Run, Verdict
from labkit.record.verdict import Label
from labkit.show.verdict.verdict_words import verdict_words

LOOPS = Path(__file__).parent / "loops"
# A shared machine may spoil a curve; what fails six times is not there.
TIMES = 6
# A level that could hide a quarter more is an example of noise.
LEVEL = ("flat", "warmup", "spikes")
LARGEST_BLIND = 0.25
LARGEST_CONTENDED = 0.1
LARGEST_DRIFT = 0.1
# Before a run, for a machine that has next to nothing to do: in per cent of all processors. What
# merely waits and listens takes less.
LARGEST_LOAD = 20.0
LOOK_SECONDS = 0.7
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Example:
    """A loop to run, and what the judge should say of it.

    Args:
        label: What the judge should say.
        source: A cause's slug, or the name of a file in ``loops``.
        steps: How many steps.
        toggles: What differs from the defaults.
    """

    label: Label
    source: str
    steps: int
    toggles: Mapping[str, object] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """What a bench is asked to run: the slug, or the whole path of the file."""
        return str(LOOPS / self.source) if self.source.endswith(".py") else self.source


# In the order of labkit.record.verdict.LABELS, which is the order of the page.
EXAMPLES: tuple[Example, ...] = (
    Example("flat", "ready.py", 300),
    Example("warmup", "new_lengths.py", 150),
    Example("slowdown", "graph_growth", 240),
    Example("shift", "unfreezing.py", 240),
    Example("spikes", "saving.py", 150),
    Example("speedup", "lengths.py", 280),
    Example("unsteady", "lengths.py", 280, {"order": "file_by_file"}),
    Example("too_short", "healthy", 12),
)


@dataclass(frozen=True)
class Recording:
    """An example that was run, and what the judge said of that very run."""

    example: Example
    run: Run
    judgement: Diagnosis

    @property
    def verdict(self) -> Verdict:
        """What the judge said."""
        return self.judgement.verdict

    @property
    def clear(self) -> bool:
        """Whether the judge said the example's label, and of a run that the machine left alone.

        Where it did not, the judge takes away what the machine did, and points of wall time would
        not lie on what it fitted.
        """
        verdict = self.verdict
        unsure = max(abs(verdict.low or 0.0), verdict.high or 0.0, verdict.smallest_growth or 0.0)
        blind = verdict.label in LEVEL and unsure > LARGEST_BLIND
        crowded = (verdict.contended_share or 0.0) > LARGEST_CONTENDED
        drifted = abs(verdict.machine_growth or 0.0) > LARGEST_DRIFT
        return verdict.label == self.example.label and not (blind or crowded or drifted)


def record(example: Example, play: Callable[[Example], Run], times: int = TIMES) -> Recording:
    """Run an example until a run of it is clear.

    Args:
        example: What to run.
        play: Runs it and returns the finished run.
        times: How often it may be run.

    Raises:
        LabkitError: If a run fails, or if none of them is clear.
    """
    said: list[str] = []
    for _ in range(times):
        run = play(example)
        if not run.state.completed:
            raise LabkitError(f"{example.source}: {run.state.reason or run.state.name}")
        recording = Recording(example, run, judgement(run))
        if recording.clear:
            return recording
        said.append(verdict_words(recording.verdict))
    raise LabkitError(
        f"{example.source} had no undisturbed run that was judged {example.label}, in {times}: "
        f"{'. '.join(said)}. Run again on a quieter machine, or change the loop."
    )


def wait_for_calm() -> None:
    """Wait until other programs rest, so that a curve is the loop's own; half a minute at most."""
    ends_at = time.monotonic() + PATIENCE_SECONDS
    while psutil.cpu_percent(LOOK_SECONDS) > LARGEST_LOAD and time.monotonic() < ends_at:
        pass
