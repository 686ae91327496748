"""What the tests of leaks that stay fast ask of a run: counters exact, and no slowdown."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.bench.bench import Bench
from labkit.diagnosis import judgement
from labkit.record import Run
from tests.causes.curves import TIMES, play, ratio, rises


def assert_flat(
    bench: Bench,
    slug: str,
    steps: int | None = None,
    *,
    rising: Mapping[str, float],
    **settings: object,
) -> Run:
    """Assert that counters move as said in every run, and that one of three is not slower.

    Args:
        bench: Runs it.
        slug: The cause.
        steps: How many.
        rising: By how much each counter rises a step, exactly; 0 for one that rests.
        settings: Toggles and sizes.
    """
    seen = []
    for _ in range(TIMES):
        run = play(bench, slug, steps, completed=True, **settings)
        for column, rise in rising.items():
            assert rises(run, column) == {rise}, (column, rises(run, column))
        verdict = judgement(run).verdict
        if not verdict.slower and ratio(run) < 1.5:
            return run
        seen.append((verdict, ratio(run)))
    raise AssertionError(f"{slug} got slower in each of {TIMES} runs: {seen}")


def kept_a_step(run: Run) -> float:
    """Return by how many bytes resident memory rose a step, the first fifth left out."""
    resident = run.steps.column("resident_bytes")
    first = len(resident) // 5
    return (resident[-1] - resident[first]) / (len(resident) - 1 - first)
