"""Every cause runs within 2 GB and on one core, as on Binder. Tier: make test-full."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.supervision.limits import Limits
from labkit.causes import SLUGS, load
from labkit.record import Run
from tests.causes.curves import assert_clock
from tests.running import ended

pytestmark = pytest.mark.full

# Binder has 2 GB; Jupyter's server, the kernel and the launcher need 0.65 GB of them. A run's own
# limit is half of what they leave.
ROOM_BYTES = 1_300_000_000
LIMITS = Limits(memory_bytes=ROOM_BYTES // 2)
SECONDS = 60.0


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench whose processes may use one core and take the small sizes."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system cannot bind a process to a core")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    monkeypatch.setattr("labkit.bench.bench.small_machine", lambda: "one core")
    made = Bench(os.environ.get("LABKIT_START", "auto"))
    try:
        yield made
    finally:
        made.close()
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_cause_completes_within_a_minute_and_the_room_of_a_small_machine(
    one_core: Bench, slug: str
) -> None:
    run: Run = ended(one_core.start(slug, limits=LIMITS), SECONDS + 60).snapshot()
    assert run.state.completed, run.state.reason
    assert len(run.steps) == load(slug).expectation.steps, run.state.reason
    assert max(run.steps.column("resident_bytes")) < ROOM_BYTES
    assert run.environment["cores"] == 1 and run.environment["fitted_to"] == "one core"
    assert psutil.Process().memory_info().rss < ROOM_BYTES
    last = run.steps.column("start_seconds")[-1]
    assert_clock(last < SECONDS, last)
