"""What the tests of the causes ask of a run: ratios and counters, never milliseconds.

Counters must be right in every run. The clock belongs to a shared machine: a claim about times may
be measured up to three times, and holds if one run shows it. It is never loosened. A test makes it
with ``assert_clock``, after its counters; ``tests/conftest.py`` sees to the repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from itertools import pairwise
from types import SimpleNamespace
from typing import ParamSpec

from labkit.bench.bench import Bench
from labkit.cause import Loop
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import fifths_ratio as ratio
from labkit.diagnosis.expected import missed
from labkit.lab.settings import split_settings
from labkit.record import Run
from tests.running import ended, stepped

TIMES = 3
P = ParamSpec("P")


class Disturbed(AssertionError):
    """A claim about times did not hold in this run; the machine may have been busy elsewhere."""


def assert_clock(holds: bool, *seen: object) -> None:
    """Claim something about times: seconds, or which of two threads came first.

    What is counted is no matter of the clock: that is asserted plainly, and before this.

    Args:
        holds: Whether the run at hand shows it.
        seen: The times that were compared, for the reader of a failure.

    Raises:
        Disturbed: If it does not hold; the test then runs again.
    """
    if not holds:
        raise Disturbed(", ".join(map(str, seen)))


def measured(test: Callable[P, None]) -> Callable[P, None]:
    """Return a test that is run again where only its clock was disturbed, ``TIMES`` times at most.

    Any other error, that of a wrong counter too, is raised at once.
    """

    @wraps(test)
    def repeated(*args: P.args, **kwargs: P.kwargs) -> None:
        seen = []
        for _ in range(TIMES):
            try:
                return test(*args, **kwargs)
            except Disturbed as disturbed:
                seen.append(str(disturbed))
        raise AssertionError(f"the clock showed it in none of {TIMES} runs: {'; '.join(seen)}")

    return repeated


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
    toggles, sizes = split_settings(load(slug), settings)
    run = ended(bench.start(slug, toggles=toggles, sizes=sizes, steps=steps)).snapshot()
    if completed:
        assert run.state.completed, f"{run.state.reason}\n{run.state.traceback}\n{run.log}"
    return run


def switched(
    bench: Bench, slug: str, *turns: tuple[int, str, str], more: int, **settings: object
) -> Run:
    """Run a cause and set toggles meanwhile, each between two steps.

    Args:
        bench: Runs it.
        slug: Its name.
        turns: After how many further steps each is set, its name and its new value.
        more: How many steps follow the last of them.
        settings: Toggles and sizes to begin with.
    """
    toggles, sizes = split_settings(load(slug), settings)
    session = bench.start(slug, toggles=toggles, sizes=sizes, steps=100_000)
    for steps, name, value in turns:
        stepped(session, session.count + steps).set(name, value)
    stepped(session, session.count + more).stop()
    run = ended(session).snapshot()
    assert run.state.name == "stopped", run.state
    return run


def returned(slug: str, steps: int, toggles: Mapping[str, object], **sizes: int) -> list[float]:
    """Return what each step of a cause's loop returns that is built in this very process.

    Args:
        slug: Its name.
        steps: How many.
        toggles: Those that are not as they are by default.
        sizes: Of the loop.
    """
    cause = load(slug)
    loop = cause.make_step(SimpleNamespace(**cause.toggle_values(toggles)), seed=3, **sizes)
    step = loop.step if isinstance(loop, Loop) else loop
    return [float(step()) for _ in range(steps)]  # type: ignore[arg-type]


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

    Steps rest where the last are hardly slower than the first, or where the verdict, which knows
    what others took of the machine meanwhile, calls them flat and is sure of it within limits.

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
        verdict = judgement(run).verdict
        flat = verdict.label in ("flat", "warmup") and verdict.high is not None
        if ratios[-1] < below or (flat and 1 + (verdict.high or 0.0) < 1.5 * below):
            return run
    raise AssertionError(f"{slug}: steps got slower in each of {TIMES} runs: {ratios}")


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
