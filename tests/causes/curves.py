"""What the tests of the causes ask of a run: ratios and counters, never milliseconds.

Counters must be right in every run. The clock belongs to a shared machine: a claim about times may
be measured up to three times, and holds if one run shows it. It is never loosened.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from labkit.bench.bench import Bench
from labkit.cause import Cause
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.record import Judgement, Run
from tests.running import ended

TIMES = 3


def play(
    bench: Bench, slug: str, steps: int | None = None, *, completed: bool = True, **settings: object
) -> Run:
    """Run a cause to its end.

    Args:
        bench: Runs it.
        slug: Its name.
        steps: How many; None for as many as the cause expects.
        completed: Whether it must end without a fault.
        settings: Toggles and sizes.
    """
    cause = load(slug)
    sizes = {size.name for size in cause.sizes}
    session = bench.start(
        slug,
        toggles={name: value for name, value in settings.items() if name not in sizes},
        sizes={name: value for name, value in settings.items() if name in sizes},
        steps=steps,
    )
    run = ended(session).snapshot()
    if completed:
        assert run.state.completed, f"{run.state.reason}\n{run.state.traceback}\n{run.log}"
    return run


def ratio(run: Run) -> float:
    """Return the median of the last fifth over that of the first, the very first step left out."""
    times = run.steps.seconds[1:]
    fifth = max(1, len(times) // 5)
    return median(times[-fifth:]) / median(times[:fifth])


def rises(run: Run, column: str) -> set[float]:
    """Return by how much a counter rose from step to step: one number where it is exact."""
    return {after - before for before, after in pairwise(run.steps.column(column))}


def assert_grows(
    bench: Bench, slug: str, steps: int | None = None, *, explained: float = 0.9, **settings: object
) -> Run:
    """Assert that steps get slower by the cause's own floor, and that the ledger says where.

    Returns:
        The run that shows it; its counters are the caller's to check.
    """
    cause = load(slug)
    seen = []
    for _ in range(TIMES):
        run = play(bench, slug, steps, **settings)
        judged = judgement(run)
        seen.append(_missed(cause, run, judged, explained))
        if not seen[-1]:
            return run
    raise AssertionError(f"{slug} did not slow down as declared in {TIMES} runs: {seen}")


def _missed(cause: Cause, run: Run, judged: Judgement, explained: float) -> list[str]:
    expected = cause.expectation
    missed = []
    if not judged.main.slower:
        missed.append(f"verdict {judged.main.label}")
    if ratio(run) <= 1 + expected.growth:
        missed.append(f"ratio {ratio(run):.2f}")
    if judged.ledger.explained <= explained:
        missed.append(f"explained {judged.ledger.explained:.2f}")
    if judged.ledger.rows and judged.ledger.rows[0].place not in expected.places:
        missed.append(f"booked on {judged.ledger.rows[0].place}")
    return missed


def assert_rests(
    bench: Bench,
    slug: str,
    steps: int | None = None,
    *,
    below: float = 1.5,
    still: tuple[str, ...] = (),
    **settings: object,
) -> Run:
    """Assert that counters rest in every run and that step times do in one of three.

    Args:
        bench: Runs it.
        slug: The cause.
        steps: How many.
        below: The largest ratio of last to first steps that counts as resting.
        still: Counters that must not rise at all.
        settings: Toggles and sizes.
    """
    ratios = []
    for _ in range(TIMES):
        run = play(bench, slug, steps, **settings)
        for column in still:
            assert rises(run, column) == {0.0}, column
        ratios.append(ratio(run))
        if ratios[-1] < below:
            return run
    raise AssertionError(f"{slug}: steps got slower in each of {TIMES} runs: {ratios}")
