"""What other programs took is the machine's; all other waiting is the loop's.

Tier: make test, in turn.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import LabkitError, Verdict
from labkit.stats import judge
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.contention import LEAST_SHARE, contention, each_step, waited_for
from tests.stats import known
from tests.stats.machines import machine_of

pytestmark = pytest.mark.in_turn

STEPS = 400
QUIET = np.zeros(STEPS)


def busy_from(step: int, end: int = STEPS) -> known.Numbers:
    """Others use one and a half of two processors from one step on."""
    here = np.arange(STEPS)
    return np.where((here >= step) & (here < end), 1.5, 0.0)


def lost(seconds: known.Numbers, others: known.Numbers, seed: int) -> known.Numbers:
    """How long each step has no processor: most of those that run beside others."""
    random = np.random.default_rng(seed)
    hit = (others > 1) & (random.random(len(seconds)) < 0.7)
    return np.where(hit, seconds * random.uniform(1.5, 3, len(seconds)), 0.0)


def judged(
    alone: known.Numbers, others: known.Numbers, seed: int = 0, *, counted: bool = True
) -> Verdict:
    """Judge a loop of one thread beside others."""
    queue = lost(alone, others, seed)
    idle = np.maximum(0.0, 1.0 - others)
    told = queue if counted else None
    return judge_adjusted(
        alone + queue,
        machine_of(alone + queue, computed=alone, others=others, idle=idle, queue=told),
    )


@pytest.mark.parametrize(("start", "end"), [(240, 400), (0, 150), (120, 300), (330, 400)])
def test_others_at_work_for_a_part_of_the_run_are_no_slowdown(start: int, end: int) -> None:
    for seed in range(5):
        alone = known.flat(known.white(STEPS, seed)).seconds / 20
        verdict = judged(alone, busy_from(start, end), seed)
        assert verdict.label in ("flat", "warmup"), verdict
        assert verdict.contended_share is not None and verdict.contended_share > 0.1
        assert verdict.contention_counted and verdict.disturbed


def test_by_the_wall_clock_alone_they_are() -> None:
    """Else the test above proved nothing."""
    alone = known.flat(known.white(STEPS, 0)).seconds / 20
    verdict = judge(alone + lost(alone, busy_from(240), 0))
    assert verdict.low is not None and verdict.low > 0.2


@pytest.mark.parametrize(("start", "end"), [(0, 400), (0, 200), (200, 400)])
def test_a_loop_that_grows_is_found_whether_others_work_or_not(start: int, end: int) -> None:
    for seed in range(5):
        alone = known.ramp(known.white(STEPS, seed), 1.5).seconds / 20
        verdict = judged(alone, busy_from(start, end), seed)
        assert verdict.slower, verdict
        assert verdict.growth == pytest.approx(1.5, rel=0.1)


@pytest.mark.parametrize("others", [0.0, 1.5])
def test_a_loop_that_waits_longer_and_longer_is_told_its_own_time_on_a_busy_machine_too(
    others: float,
) -> None:
    """Recorded: one that slept 33 ms at its end was said to have reached 21 to 26 ms."""
    for seed in range(5):
        waits = np.linspace(4e-3, 33e-3, STEPS) * np.exp(known.white(STEPS, seed, 0.01))
        computed = np.full(STEPS, 0.4e-3)
        queue = lost(computed, np.full(STEPS, others), seed)
        wall = waits + computed + queue
        verdict = judge_adjusted(
            wall, machine_of(wall, computed=computed, others=others, idle=0.0, queue=queue)
        )
        assert verdict.label == "slowdown"
        assert verdict.last_seconds == pytest.approx(33.4e-3, rel=0.05)


def test_what_the_loops_own_threads_take_from_each_other_is_the_loops() -> None:
    """It starts more of them than there are processors; nobody else computes."""
    alone = known.flat(known.white(STEPS, 1, 0.02)).seconds / 20
    queue = alone * np.linspace(0, 2, STEPS)
    machine = machine_of(alone + queue, computed=2 * alone, others=0.01, idle=0.0, queue=queue)
    assert judge_adjusted(alone + queue, machine).growth == pytest.approx(2, rel=0.1)


def test_a_change_that_a_pool_without_processors_may_have_made_is_not_claimed() -> None:
    alone = known.flat(known.white(STEPS, 1, 0.02)).seconds / 20
    pools = np.where(busy_from(200) > 1, 0.5 * alone, 0.0)
    wall = alone + pools
    machine = machine_of(wall, computed=alone, others=busy_from(200), queue=QUIET, pools=pools)
    verdict = judge_adjusted(wall, machine)
    assert verdict.label in ("flat", "warmup") and judge(wall).slower
    assert verdict.low is not None and verdict.low <= 0 and verdict.high is not None
    assert verdict.high >= 0.5, "it may be the loop's as well"


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_what_steps_waited_for_their_pools_is_found_from_how_it_comes_and_goes(
    share: float,
) -> None:
    for seed in range(5):
        random = np.random.default_rng(seed)
        alone = known.ramp(known.white(STEPS, seed, 0.02), 1.5).seconds / 20
        pools = np.where(busy_from(200) > 1, random.uniform(0, 0.6, STEPS) * alone, 0.0)
        wall = alone + share * pools
        machine = machine_of(
            wall, computed=0.2 * alone, others=busy_from(200), queue=QUIET, pools=pools
        )
        assert waited_for(wall, pools) == pytest.approx(share, abs=0.1)
        verdict = judge_adjusted(wall, machine)
        assert verdict.slower and verdict.low is not None and verdict.high is not None
        assert verdict.growth == pytest.approx(1.5, rel=0.1)
        assert verdict.low <= 1.55 and verdict.high >= 1.45


def test_where_a_pools_delay_is_always_the_same_the_interval_holds_both_bounds() -> None:
    alone = known.ramp(known.white(STEPS, 1, 0.02), 1.5).seconds / 20
    pools = np.where(busy_from(200) > 1, 0.4 * alone, 0.0)
    wall = alone + pools
    verdict = judge_adjusted(
        wall,
        machine_of(wall, computed=0.2 * alone, others=busy_from(200), queue=QUIET, pools=pools),
    )
    shortest, longest = judge(alone).growth, judge(wall).growth
    assert verdict.slower and shortest is not None and longest is not None
    assert verdict.low is not None and verdict.high is not None
    assert verdict.low <= shortest + 0.01 and longest - 0.01 <= verdict.high


def test_a_change_that_came_with_others_is_not_claimed_where_shared_caches_may_have_made_it() -> (
    None
):
    """Recorded: a flat loop of one thread, 1.5 times as long while a program copied memory."""
    for seed in range(5):
        wall = known.flat(known.white(STEPS, seed, 0.02)).seconds / 20
        wall = wall * np.where(busy_from(240) > 1, 1.45, 1.0)
        machine = machine_of(wall, others=busy_from(240), idle=0.0, queue=QUIET)
        assert judge(wall).slower and not judge_adjusted(wall, machine).slower
        alone = machine_of(wall, others=0.0, queue=QUIET)
        assert judge_adjusted(wall, alone).slower, "nobody came"


def test_threads_that_take_turns_on_one_core_do_not_wait_for_other_programs() -> None:
    """Recorded: others left at the middle, and 0.33 ms a step, always, seemed to grow from 0.14."""
    for seed in range(5):
        wall = known.flat(known.white(STEPS, seed, 0.02)).seconds / 300
        queue = np.where(busy_from(0, 200) > 1, 0.6 * wall, 0.0)  # its own other thread runs then
        machine = machine_of(
            wall, computed=wall, others=busy_from(0, 200), queue=queue, thread=0.4 * wall
        )
        assert judge_adjusted(wall, machine).label in ("flat", "warmup")
        alone = machine_of(
            wall, computed=0.4 * wall, others=busy_from(0, 200), queue=queue, thread=0.4 * wall
        )
        assert judge_adjusted(wall, alone).slower, "nobody else of its own had the processor"


def test_a_loop_that_becomes_faster_is_said_to() -> None:
    alone = known.ramp(known.white(STEPS, 3), -0.6).seconds / 20
    assert judged(alone, busy_from(0, STEPS), 3).label == "speedup"


def test_less_waiting_is_no_speedup() -> None:
    for seed in range(5):
        alone = known.flat(known.white(STEPS, seed)).seconds / 20
        assert judged(alone, busy_from(0, 200), seed).label in ("flat", "warmup")


def test_where_nobody_counts_it_a_busy_machine_is_told_of_and_no_change_claimed() -> None:
    for seed in range(5):
        alone = known.flat(known.white(STEPS, seed)).seconds / 20
        verdict = judged(alone, busy_from(200), seed, counted=False)
        assert not verdict.slower and verdict.label != "unsteady", verdict
        assert verdict.disturbed and not verdict.contention_counted


def test_where_nobody_counts_it_an_idle_machine_costs_no_finding() -> None:
    alone = known.ramp(known.white(STEPS, 2), 0.5).seconds
    assert judged(alone, QUIET, counted=False).growth == judge(alone).growth


def test_too_few_steps_are_too_short_and_a_wrong_time_is_an_error() -> None:
    wall = np.full(12, 1e-3)
    assert judge_adjusted(wall, machine_of(wall)).label == "too_short"
    wrong = wall.copy()
    wrong[3] = -1
    with pytest.raises(LabkitError, match="step 3"):
        judge_adjusted(wrong, machine_of(wall))


def test_the_bounds_are_what_a_plain_sum_gives_and_never_fall_to_nothing() -> None:
    """The slow twin, step by step."""
    random = np.random.default_rng(4)
    wall = random.uniform(1e-3, 2e-3, STEPS)
    queue, pools = random.uniform(0, 1e-3, STEPS), random.uniform(0, 2e-3, STEPS)
    computed = random.uniform(1e-4, 1e-3, STEPS)
    thread = random.uniform(0, 1e-3, STEPS)
    machine = machine_of(
        wall, computed=computed, others=2.0, queue=queue, thread=thread, pools=pools
    )
    found = contention(wall, machine)
    for step in range(1, STEPS):
        floor = LEAST_SHARE * computed[step]
        sure = max(0.0, queue[step] - max(0.0, computed[step] - thread[step]))
        longest = min(wall[step], max(wall[step] - sure, floor))
        awake = min(wall[step], max(wall[step] - queue[step], floor))
        least = max(LEAST_SHARE * awake, min(max(computed[step] / 2, thread[step]), awake))
        assert found.longest[step] == pytest.approx(longest)
        assert found.shortest[step] == pytest.approx(max(awake - pools[step], least))
        assert found.shortest[step] <= found.likely[step] <= found.longest[step]


def test_a_total_that_is_read_now_and_then_is_shared_out_evenly() -> None:
    nan = np.nan
    assert list(each_step(np.array([0.0, nan, 4.0, nan, nan, 7.0]))) == pytest.approx(
        [0, 2, 2, 1, 1, 1]
    )
    assert list(each_step(np.array([nan, 1.0, nan]))) == [0, 0, 0]
