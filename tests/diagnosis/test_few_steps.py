"""Steps too few for a verdict, such as whole fits, are called slower by their order alone.

Tier: make test.
"""

from dataclasses import replace

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.record import Steps
from tests.diagnosis.watched import ramp, sampled, watched

FITS = 19
LOOKED_AT = np.arange(FITS) % 4 > 0


def fits(first, last, *, looked_at=LOOKED_AT):
    return sampled(watched(rest=ramp(first, last, FITS), evidence={}), looked_at)


def on_a_machine(run, canary):
    """Return the run with a canary beside each step, and what else is recorded of a machine."""
    data = {name: np.asarray(run.steps.column(name)) for name in run.steps.names}
    seconds, idle = data["seconds"], np.zeros(len(run.steps))
    data |= {"cpu_seconds": seconds, "thread_seconds": seconds, "canary_seconds": canary,
             "others_seconds": idle, "idle_seconds": idle, "run_queue_seconds": idle,
             "pool_queue_seconds": idle}  # fmt: skip
    return replace(run, steps=Steps(data), environment={"cores": 2})


def test_fits_that_take_ever_longer_are_slower_though_nearly_all_were_looked_at() -> None:
    """Seen: of twenty fits, 0.3 to 1.6 s long, four were judged, and that was too few."""
    run = fits(0.3, 1.6)
    assert examine(run).verdict.label == "too_short"
    said = examine(run, few=True)
    assert said.verdict.label == "slowdown" and said.verdict.steps == FITS
    assert said.verdict.growth == pytest.approx(1.6 / 0.3 - 1, rel=0.4)


def test_of_so_few_no_cause_is_proved() -> None:
    run = sampled(watched({"data_waiting_seconds": ramp(0.1, 1.0, FITS)}, rest=0.1), LOOKED_AT)
    said = examine(run, few=True)
    assert said.verdict.slower and said.findings == ()
    assert said.ledger.rows[0].place == "data_waiting_seconds", "where it went is told"


@pytest.mark.parametrize("seed", range(8))
def test_fits_that_rest_are_too_few_to_tell(seed: int) -> None:
    run = sampled(watched(rest=np.full(FITS, 0.5), noise=0.2, seed=seed), LOOKED_AT)
    assert examine(run, few=True).verdict.label == "too_short"


def test_fits_that_slow_down_as_the_machine_does_are_none_of_the_loops() -> None:
    run = fits(0.5, 0.8)
    assert examine(run, few=True).verdict.slower
    with_it = on_a_machine(run, np.asarray(run.steps.seconds) / 1000)
    assert not examine(with_it, few=True).verdict.slower
    beside_it = on_a_machine(run, np.full(FITS, 5e-4))
    assert examine(beside_it, few=True).verdict.slower
