"""What the tests of the causes ask of a run: ratios and counters, never milliseconds.

Counters must be right in every run. The clock belongs to a shared machine: a claim about times may
be measured up to three times, and holds if one run shows it. It is never loosened.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import fifths_ratio as ratio
from labkit.diagnosis.expected import missed
from labkit.record import Run
from tests.running import ended

__all__ = ["assert_grows", "assert_rests", "play", "ratio", "rises"]

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


def rises(run: Run, column: str) -> set[float]:
    """Return by how much a counter rose from step to step: one number where it is exact."""
    return {after - before for before, after in pairwise(run.steps.column(column))}


def assert_grows(bench: Bench, slug: str, steps: int | None = None, **settings: object) -> Run:
    """Assert that steps get slower by the cause's own floor, and that the ledger says where.

    Returns:
        The run that shows it; its counters are the caller's to check.
    """
    # The counters are the caller's to check: other toggles make them other numbers.
    expected = replace(load(slug).expectation, per_step={}, holds={}, rises={})
    seen = []
    for _ in range(TIMES):
        run = play(bench, slug, steps, **settings)
        seen.append(missed(expected, run, judgement(run)))
        if not seen[-1]:
            return run
    raise AssertionError(f"{slug} did not slow down as declared in {TIMES} runs: {seen}")


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
