"""A run as the stages of a diagnosis read it: in stretches, and without its sampled steps.

Before and after a flip of a toggle the loop is another one: counters, typical steps and spikes of
both together would say something of neither. And the steps that were looked at closely say nothing
of how long one takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from labkit.diagnosis.evidence import Evidence, evidence
from labkit.diagnosis.lines import SAMPLED
from labkit.record import Run, Steps
from labkit.record.verdict import Part


@dataclass(frozen=True)
class Observed:
    """One stretch of a run, in which no toggle was flipped.

    Args:
        run: All that was recorded of it. Counters went on in the sampled steps as well: without
            those, each would rise too fast.
        judged: The same without its sampled steps, which say nothing of how long one takes.
    """

    run: Run
    judged: Run

    @cached_property
    def evidence(self) -> Evidence:
        """What the counters say; read when it is first asked for, as most live verdicts do not."""
        return evidence(self.run)

    def first(self, steps: int) -> Observed:
        """Return the first so many of the judged steps, with those sampled among them."""
        end = steps
        if SAMPLED in self.run.steps.names:
            end = int(_unsampled_steps(self.run)[steps - 1]) + 1
        part = part_of(self.run, 0, end)
        return Observed(part, unsampled(part))


def of_part(seen: Observed, part: Part) -> Observed:
    """Return a stretch of which only the steps of a part are judged."""
    places = judged_places(seen)
    chosen = np.isin(places % part.period, part.phases)
    return replace(seen, judged=_picked(seen.judged, np.flatnonzero(chosen)))


def judged_places(seen: Observed) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return which step of the run each judged one is."""
    if len(seen.judged.steps) == len(seen.run.steps):
        return np.arange(len(seen.run.steps))
    return _unsampled_steps(seen.run)


def stretch_runs(run: Run) -> tuple[Run, ...]:
    """Return each stretch between two flips as a run of its own.

    Args:
        run: Any run; one in which no toggle was flipped is returned as it is.

    Returns:
        The stretches, in order; their events and evidence count from their start, and the title
        says which steps they are.
    """
    stretches = run.stretches()
    if len(stretches) < 2:
        return (run,)
    return tuple(
        replace(
            part_of(run, each.start, each.end),
            title=f"{run.title}, steps {each.start:,}-{each.end - 1:,}",
            toggles=each.toggles,
        )
        for each in stretches
    )


def part_of(run: Run, start: int, end: int) -> Run:
    """Return the steps from `start` to `end - 1` as a run of its own.

    Args:
        run: Any run.
        start: The first step of the part; its events and evidence count from there.
        end: One past its last step.
    """
    return replace(
        run,
        steps=run.steps[start:end],
        events=tuple(
            replace(event, step=event.step - start)
            for event in run.events
            if start <= event.step < end and event.kind != "toggle"
        ),
        evidence={
            name: tuple((step - start, value) for step, value in pairs if start <= step <= end)
            for name, pairs in run.evidence.items()
        },
        others=tuple(other[start:end] for other in run.others),
    )


def until(run: Run, steps: int) -> Run:
    """Return the run as if it had ended earlier; what was counted at its end alone is kept.

    Args:
        run: Any run.
        steps: How many of its steps are kept, from the first.
    """
    return replace(
        run,
        steps=run.steps[:steps],
        events=tuple(event for event in run.events if event.step < steps),
        evidence={
            name: tuple((min(step, steps), value) for step, value in pairs if step <= steps or once)
            for name, pairs in run.evidence.items()
            for once in (len(pairs) == 1,)
        },
        others=tuple(other[:steps] for other in run.others),
    )


def unsampled(run: Run) -> Run:
    """Return the run without its sampled steps; events and evidence keep their place.

    Args:
        run: Any run; one without a column ``sampled`` is returned as it is.
    """
    if SAMPLED not in run.steps.names:
        return run
    return _picked(run, _unsampled_steps(run))


def _picked(run: Run, kept: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Run:
    """Return some steps as a run; what happened or was read elsewhere goes to the next of them."""
    columns = {name: np.asarray(run.steps.column(name))[kept] for name in run.steps.names}

    def place(step: int) -> int:
        return int(np.searchsorted(kept, step))

    return replace(
        run,
        steps=Steps(columns),
        events=tuple(replace(event, step=place(event.step)) for event in run.events),
        evidence={
            name: tuple((place(step), value) for step, value in pairs)
            for name, pairs in run.evidence.items()
        },
    )


def _unsampled_steps(run: Run) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.flatnonzero(np.asarray(run.steps.column(SAMPLED)) == 0)
