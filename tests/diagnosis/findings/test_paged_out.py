"""Steps that wait for the disk, and steps that only grow beside it. Tier: make test."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.diagnosis.findings.paging import waits_for_pages
from labkit.diagnosis.pipeline import examine
from labkit.record.proof import PagesAwaited
from tests.diagnosis.watched import STEPS, causes, ramp, watched

COUNT = np.arange(STEPS)
LATE = COUNT >= STEPS // 3
# As many pages as a step waits for, each of which takes a millisecond.
PAGES = np.where(LATE, ramp(0, 4), 0.0)


def paged(pages=PAGES, seconds_a_page=1e-3, **others):
    """Return a run whose steps wait for pages, and beside that do the same work."""
    evidence = {"disk_faults": np.cumsum(pages) + 17}
    return watched(rest=1e-3 + seconds_a_page * pages, evidence=evidence, **others)


@pytest.mark.parametrize("pages", [PAGES, np.where(LATE, 3.0, 0.0), ramp(1, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_pages_fetched_from_a_disk_are_named_with_what_each_costs(pages, seed):
    (finding,) = examine(paged(pages, seed=seed)).findings
    assert (finding.cause, finding.kind) == ("memory_limit", "growth")
    assert 0.8 < finding.share <= 1.0
    assert isinstance(finding.proof, PagesAwaited)


def test_they_are_named_wherever_the_time_is_booked():
    """Copying from a mapped file to a tensor waits for the file, and copies as much as before."""
    pages = np.where(LATE, 3.0, 0.0)
    run = watched(
        {"device_copies_seconds": 1e-3 * pages}, evidence={"disk_faults": np.cumsum(pages)}
    )
    assert causes(run, "growth") == ["memory_limit"]


def test_steps_that_rest_have_no_cause_however_many_pages_they_wait_for():
    assert examine(paged(np.full(STEPS, 3.0))).findings == ()


@pytest.mark.parametrize(
    ("pages", "seconds"),
    [
        pytest.param(np.where(LATE, 0.1, 0.0), ramp(1e-3, 3e-3), id="too few"),
        pytest.param(np.where(COUNT < 40, 50.0, 0.0), ramp(1e-3, 3e-3), id="at the start only"),
        pytest.param(np.full(STEPS, 3.0), ramp(1e-3, 3e-3), id="as many as ever"),
        pytest.param(ramp(0, 1), ramp(1e-3, 90e-3), id="each more expensive than any disk"),
        pytest.param(np.where(LATE, 3.0, 0.0), np.where(LATE, 3e-3, 6e-3)[::-1], id="not then"),
    ],
)
def test_pages_that_do_not_explain_the_growth_are_not_named(pages, seconds):
    run = watched(rest=seconds, evidence={"disk_faults": np.cumsum(pages)})
    assert examine(run).verdict.slower
    assert "memory_limit" not in causes(run, "growth")


def test_a_cause_with_places_of_its_own_keeps_its_name_where_few_pages_come_along():
    run = watched(
        {"tracing_seconds": ramp(0, 5e-3)},
        counters={"traces": COUNT},
        evidence={"disk_faults": np.where(COUNT < 30, COUNT, 30)},
    )
    assert causes(run, "growth") == ["retracing"]


def test_where_nobody_read_them_nothing_is_said():
    run = watched(rest=ramp(1e-3, 3e-3))
    said = examine(run)
    assert waits_for_pages(run, said.ledger) is None


@pytest.mark.parametrize("readings", [1, 5])
def test_a_few_readings_prove_nothing(readings):
    run = paged()
    said = examine(run)
    run.evidence["disk_faults"] = run.evidence["disk_faults"][:readings]
    assert waits_for_pages(run, said.ledger) is None


def test_a_system_that_does_not_count_them_says_nothing():
    """As Windows, of which the count is NaN."""
    run = paged()
    run.evidence["disk_faults"] = tuple(
        (step, float("nan")) for step, _ in run.evidence["disk_faults"]
    )
    assert causes(run, "growth") == []
