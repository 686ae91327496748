"""A card that heats up within a run is the machine's doing, and NVML is the witness; first tier.

The stand-in card and the stand-in for NVML read one file, and the loop of each test writes it: so
the card's clock falls at a certain step, its kernels take longer, and NVML says why.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.lab.player import LabPlayer
from labkit.lab.settings import run_limits
from labkit.measure.machine.card import CardProbe
from labkit.record import Run
from labkit.show.verdict.verdict_words import verdict_words
from tests.card.build import card_environment
from tests.card.nvml_build import nvml_environment
from tests.causes.curves import assert_clock

pytestmark = pytest.mark.in_turn

STEPS = 240
OF_CARD = {column.name for column in CardProbe.columns}
COOL, HOT, IDLE = "1590 60 50000 70000 0", "1005 93 66500 70000 64", "1005 60 20000 70000 1"
FELL = "the graphics card's clock fell from 1,590 to 1,005 MHz because of heat (NVML)"
# Two kernels a step, and from the middle on a card that says something else.
LOOP = """
import os
import tensorflow as tf

def tell(numbers):
    file = os.environ["STAND_IN_CARD_CLOCK_FILE"]
    with open(file + ".new", "w") as new:
        new.write(numbers)
    os.replace(file + ".new", file)

def make_step():
    number = tf.ones([8, 8])
    steps = 0
    tell({first!r})

    def step():
        nonlocal steps
        steps += 1
        if steps == {steps} // 2:
            tell({then!r})
        for _ in range({kernels} if steps > {steps} // 2 else 2):
            number * 2.0

    return step
"""


@pytest.fixture(scope="module")
def kept(variables: dict[str, str]) -> Iterator[Bench]:
    """A bench whose launcher has the card and NVML."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**variables, **nvml_environment()}.items():
            patch.setenv(name, value)
        made = Bench(os.environ.get("LABKIT_START", "auto"))
        made.warm()
        yield made
        made.close()


@pytest.fixture
def warm(kept: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The same, for a card whose kernels take 4 ms at its usual clock."""
    file = tmp_path / "clock"
    file.write_text(COOL)
    variables = {**card_environment(kernel_us=4_000), **nvml_environment(clock_file=file)}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return kept


def run(
    bench: Bench, folder: Path, then: str = COOL, *, kernels: int = 2, steps: int = STEPS,
    device: str = "gpu", first: str = COOL,
) -> Run:  # fmt: skip
    """Run a loop during which the card comes to say something else, or which does more work."""
    source = folder / "loop.py"
    source.write_text(LOOP.format(first=first, then=then, kernels=kernels, steps=steps))
    session = bench.start(str(source), steps=steps, limits=run_limits(60), device=device)
    assert session.wait(90) and session.state.name == "done", session.state
    return session.snapshot()


def told(found: Run, column: str) -> set[float]:
    """Return the different numbers of a column, where it was read."""
    return {number for number in found.steps.column(column) if not math.isnan(number)}


def test_a_card_that_heats_up_is_no_slowdown_of_the_loop(warm: Bench, tmp_path: Path) -> None:
    found = run(warm, tmp_path, HOT)
    assert told(found, "card_clock_mhz") == {1590, 1005} and told(found, "card_hot") == {0, 1}
    assert told(found, "card_celsius") == {60, 93} and told(found, "card_watts") == {50, 66.5}
    assert told(found, "card_limit_watts") == {70} and told(found, "card_others") == {0}
    assert told(found, "card_capped") == told(found, "card_idle") == {0}
    verdict = judgement(found).verdict
    assert_clock(not verdict.slower and FELL in verdict_words(verdict), verdict_words(verdict))


def test_the_same_slowdown_at_the_usual_clock_is_the_loops(warm: Bench, tmp_path: Path) -> None:
    """It does three kernels from the middle on, where it did two."""
    found = run(warm, tmp_path, kernels=3)
    assert told(found, "card_clock_mhz") == {1590}
    verdict = judgement(found).verdict
    assert verdict.throttling is None
    assert_clock(verdict.slower, verdict_words(verdict))


def test_a_clock_that_falls_for_want_of_work_is_no_excuse(warm: Bench, tmp_path: Path) -> None:
    found = run(warm, tmp_path, IDLE)
    assert told(found, "card_clock_mhz") == {1590, 1005} and told(found, "card_idle") == {0, 1}
    verdict = judgement(found).verdict
    assert verdict.throttling is None and "NVML" not in verdict_words(verdict)
    assert_clock(verdict.slower, verdict_words(verdict))


def test_growth_beyond_what_the_clock_explains_is_claimed(warm: Bench, tmp_path: Path) -> None:
    verdict = judgement(run(warm, tmp_path, HOT, kernels=4)).verdict
    assert_clock(verdict.slower and FELL in verdict_words(verdict), verdict_words(verdict))
    low, growth = verdict.low or 0.0, verdict.growth or 0.0
    assert_clock(0.7 < low < 1.4 < growth, verdict)  # twice as many, each 1.6 times as long


@pytest.mark.parametrize("why", ["each call is refused", "NVML knows no such card"])
def test_where_nvml_tells_nothing_a_run_is_as_without_it(
    warm: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setenv("STAND_IN_NVML_CARDS", "STAND_IN_CARD" if "refused" in why else "Tesla T4")
    calls = "ClockInfo,Temperature,PowerUsage,EnforcedPowerLimit,CurrentClocksEventReasons"
    calls += ",CurrentClocksThrottleReasons,ComputeRunningProcesses_v3"
    names = [f"nvmlDeviceGet{call}" for call in calls.split(",")]
    monkeypatch.setenv("STAND_IN_NVML_REFUSES", ",".join(names) if "refused" in why else "")
    found = run(warm, tmp_path, HOT, steps=40)
    recorded = OF_CARD & set(found.steps.names)
    assert recorded == (OF_CARD if "refused" in why else set())
    assert [told(found, name) for name in recorded] == [set()] * len(recorded)
    verdict = judgement(found).verdict
    assert verdict.throttling is None and "NVML" not in verdict_words(verdict)


def test_every_run_on_the_card_has_its_pool_and_the_panel_shows_it(warm: Bench) -> None:
    cause = load("open_tape")
    start = partial(warm.start, "open_tape", steps=20, limits=run_limits(60))
    for device, shown in (("cpu", ()), ("gpu", ("tensor_bytes",))):
        player = LabPlayer(cause, partial(start, device=device))
        assert player.lanes == cause.lanes
        session = player.start({})
        assert isinstance(session, Session) and session.wait(90)
        assert player.lanes == (*cause.lanes, *shown)
    found = session.snapshot()
    used, peak = (found.steps.column(name) for name in ("tensor_bytes", "peak_tensor_bytes"))
    assert all(0 < now <= most for now, most in zip(used, peak, strict=True))
    assert list(peak) == sorted(peak) and found.environment["driver"] is not None


def test_a_run_on_the_processor_has_nothing_of_the_card(warm: Bench, tmp_path: Path) -> None:
    found = run(warm, tmp_path, steps=10, device="cpu")
    assert not (OF_CARD | {"tensor_bytes", "peak_tensor_bytes"}) & set(found.steps.names)
    assert found.environment["driver"] is None
