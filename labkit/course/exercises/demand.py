"""The demands on a repaired loop, each held against what was measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from labkit.course.exercises.exercise import Exercise
from labkit.diagnosis import unsampled
from labkit.record import Diagnosis, Run, quantity
from labkit.show.report.proof_words import proof_words
from labkit.show.titles import counter_title
from labkit.show.verdict.verdict_words import loop_words

# Of a step of the broken loop.
NOTICED_SHARE = 0.1
WARM_STEPS = 3
# A shared machine makes a loop that much quicker from one run to the next.
QUICKER = 1.5
NO_LONGER = "steps do not get longer"


@dataclass(frozen=True)
class Measured:
    """A loop that was run for an exercise.

    Args:
        run: As it was recorded.
        diagnosis: What was made of it.
        results: What its first steps returned.
    """

    run: Run
    diagnosis: Diagnosis
    results: tuple[float, ...]


@dataclass(frozen=True)
class Demand:
    """One demand.

    Args:
        words: What is demanded.
        met: Whether the attempt does it.
        measured: What was measured.
    """

    words: str
    met: bool
    measured: str


def demands(exercise: Exercise, broken: Measured, attempt: Measured) -> Iterator[Demand]:
    """Yield each demand of an exercise with what was measured of an attempt."""
    yield _same_results(broken.results, attempt.results, exercise.tolerance)
    if exercise.growth is not None:
        yield _no_longer(exercise.growth, broken.run, attempt)
    run = unsampled(attempt.run)
    for name in exercise.rests:
        yield _rests(name, run)
    if exercise.keeps_nothing:
        yield _keeps_nothing(attempt)
    if exercise.time_share is not None:
        yield _cheaper(exercise.time_share, broken.run, attempt.run)
    if exercise.memory_bytes is not None:
        yield _memory(exercise.memory_bytes, attempt.run)
    if exercise.not_found:
        yield _not_found(exercise.not_found, attempt)


def _same_results(broken: Sequence[float], found: Sequence[float], tolerance: float) -> Demand:
    words = "each step returns what it returned before"
    for step, (before, after) in enumerate(zip(broken, found, strict=False)):
        if not math.isclose(before, after, rel_tol=tolerance, abs_tol=tolerance * 1e-3):
            told = f"step {step} returned {after:.6g}, before it was {before:.6g}"
            return Demand(words, False, told)
    compared = min(len(broken), len(found))
    told = f"the same in all {compared} steps compared"
    return Demand(words, 0 < compared == len(broken), told)


def _no_longer(growth: float, broken: Run, attempt: Measured) -> Demand:
    verdict = attempt.diagnosis.verdict
    longer = (verdict.last_seconds or 0.0) - (verdict.first_seconds or 0.0)
    # A mended step may be so short that another program doubles it, and nobody would notice.
    worth_it = longer > NOTICED_SHARE * _usual_seconds(broken)
    allowed = (verdict.growth or 0.0) <= growth
    told = loop_words(verdict)
    if verdict.slower and allowed:
        told = f"{told}; up to {1 + growth:.2f}x may be the machine's"
    elif verdict.slower and not worth_it:
        told = f"{told}; that is less than a tenth of a step as it was"
    grown = verdict.slower and not allowed and worth_it
    return Demand(NO_LONGER, not grown, told)


def _rests(name: str, run: Run) -> Demand:
    column = next((each for each in run.columns if each.name == name), None)
    title = column.title if column is not None else name
    unit = column.unit if column is not None else ""
    words = f"{title}: at rest"
    if column is None:
        return Demand(words, False, "not measured here")
    values = run.steps.column(name)
    middle, last = values[len(values) // 2], values[-1]
    told = f"{quantity.quantity(middle, unit)} half-way, {quantity.quantity(last, unit)} at the end"
    return Demand(words, last <= middle, told)


def _keeps_nothing(attempt: Measured) -> Demand:
    memory = attempt.diagnosis.memory
    told = (
        f"rising to the end: {', '.join(map(counter_title, memory.grows))}"
        if memory.grows
        else "nothing rises"
    )
    return Demand("nothing is kept step after step", not memory.grows, told)


def _cheaper(share: float, broken: Run, attempt: Run) -> Demand:
    before, after = _usual_seconds(broken), _usual_seconds(attempt)
    told = (
        f"{quantity.duration(after)} per step, before {quantity.duration(before)} "
        f"({after / before:.0%})"
    )
    words = f"a step takes at most {share:.0%} of the time it took"
    return Demand(words, after <= share * before, told)


def gain(exercise: Exercise, broken: Measured, attempt: Measured) -> str:
    """Say what a repair that meets all demands has gained: by the clock, or by what decided it."""
    usual, mean = (
        of(broken.run) / max(of(attempt.run), 1e-9) for of in (_usual_seconds, _mean_seconds)
    )
    times, how = (mean, " on average") if mean >= QUICKER * usual else (usual, "")
    if times >= QUICKER:
        return f"{times:,.{times < 10:d}f} times as fast{how}"
    if exercise.rests:
        decides = f"{counter_title(exercise.rests[0])} at rest"
    elif exercise.memory_bytes is not None:
        decides = f"memory grew by {quantity.size(_grown_bytes(attempt.run))} and no more"
    elif exercise.keeps_nothing:
        decides = "nothing is kept"
    else:
        return "all demands are met"
    return f"{decides}; that decides here, and not the time"


def _usual_seconds(run: Run) -> float:
    """Return the median step, once warm."""
    # A look at the stacks may last as long as a whole quick run; then it leaves only the warm-up.
    both = (run.steps.seconds, unsampled(run).steps.seconds)
    return min(median(seconds[len(seconds) // 3 :]) for seconds in both if len(seconds))


def _mean_seconds(run: Run) -> float:
    """Return the mean step, once warm: where a few steps take most of the time, it tells."""
    seconds = (unsampled(run).steps.seconds or run.steps.seconds)[WARM_STEPS:]
    return fmean(seconds) if len(seconds) else 0.0


def _grown_bytes(run: Run) -> float:
    values = run.memory_bytes
    return max(values[1:]) - values[1]


def _memory(limit_bytes: float, run: Run) -> Demand:
    grown = _grown_bytes(run)
    words = f"memory in use grows by at most {quantity.size(limit_bytes)}"
    return Demand(words, grown <= limit_bytes, f"it grew by {quantity.size(grown)}")


def _not_found(causes: Sequence[str], attempt: Measured) -> Demand:
    named = [each for each in attempt.diagnosis.findings if each.cause in causes]
    told = (
        proof_words(named[0].proof, attempt.run.columns)
        if named
        else "a diagnosis names none of it"
    )
    words = f"free of: {', '.join(cause.replace('_', ' ') for cause in causes)}"
    return Demand(words, not named, told)
