"""What a finding of cost says of a step. Tier: make quick."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.diagnosis import examine
from tests.diagnosis.watched import STEPS, watched

COUNT = np.arange(1.0, STEPS + 1)


def test_a_cost_says_which_share_of_a_typical_step_it_takes() -> None:
    run = watched({"tracing_seconds": np.full(STEPS, 6e-3)}, rest=2e-3, counters={"traces": COUNT})
    (finding,) = examine(run).findings
    assert finding.share == pytest.approx(0.75, abs=0.02)


def test_of_two_costs_the_larger_one_is_named() -> None:
    """Of a step of 16 ms, either takes enough to be named alone."""
    for tracing, writing, larger in ((7e-3, 9e-3, "checkpoint_io"), (9e-3, 7e-3, "retracing")):
        run = watched(
            {
                "tracing_seconds": np.full(STEPS, tracing),
                "checkpoint_write_seconds": np.full(STEPS, writing),
            },
            rest=1e-5,
            counters={"traces": COUNT, "checkpoint_saves": COUNT},
        )
        costs = [each.cause for each in examine(run).findings if each.kind == "cost"]
        assert costs == [larger]
