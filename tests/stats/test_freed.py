"""Steps that wait for a processor others use are the machine's; all other waiting is the loop's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from labkit.record import LabkitError, Verdict
from labkit.stats import judge
from labkit.stats.between import doubt_between, undisturbed
from labkit.stats.crowding import crowding
from labkit.stats.freed import judge_freed
from labkit.stats.machine import WINDOW_SECONDS, Machine, cores_in_use
from tests.stats import known

STEPS = 400
CORES = 2.0


def busy_from(step: int, end: int = STEPS) -> known.Numbers:
    """Others use one and a half of two processors from one step on."""
    here = np.arange(STEPS)
    return np.where((here >= step) & (here < end), 1.5, 0.0)


def interrupted(seconds: known.Numbers, others: known.Numbers, seed: int) -> known.Numbers:
    """Wall times of a loop that in each second step must wait, where others are busy."""
    random = np.random.default_rng(seed)
    waits = (others > 1) & (random.random(len(seconds)) < 0.7)
    return np.where(waits, seconds * random.uniform(2.5, 4, len(seconds)), seconds)


def machine_of(
    wall: known.Numbers, computed: known.Numbers, others: known.Numbers, idle: known.Numbers
) -> Machine:
    start = np.cumsum(wall) - wall
    read = np.arange(len(wall)) % 2 == 0
    so_far = [np.where(read, np.cumsum(cores * wall), np.nan) for cores in (others, idle)]
    return Machine(start, computed, np.full(len(wall), np.nan), *so_far)


def short_steps(wall: known.Numbers, machine: Machine) -> int:
    """Return in how many steps processors were short."""
    crowd = crowding(wall, machine)
    assert crowd is not None
    return int(crowd.short.sum())


def judged(computed: known.Numbers, others: known.Numbers, seed: int = 0) -> Verdict:
    """Judge a loop of one thread that only computes."""
    wall = interrupted(computed, others, seed)
    idle = np.maximum(0.0, CORES - 1 - others)
    return judge_freed(wall, machine_of(wall, computed, others, idle))


@pytest.mark.parametrize(("start", "end"), [(240, 400), (0, 150), (120, 300), (330, 400)])
def test_others_at_work_for_a_part_of_the_run_are_no_slowdown(start: int, end: int) -> None:
    for seed in range(5):
        computed = known.flat(known.white(STEPS, seed)).seconds / 20
        verdict = judged(computed, busy_from(start, end), seed)
        assert verdict.label in ("flat", "warmup"), verdict.detail
        assert verdict.contended_share == pytest.approx((end - start) / STEPS, abs=0.3)
        assert "other programs used" in verdict.detail


def test_by_the_wall_clock_alone_they_are() -> None:
    """Else the test above proved nothing."""
    computed = known.flat(known.white(STEPS, 0)).seconds / 20
    verdict = judge(interrupted(computed, busy_from(240), 0))
    assert verdict.low is not None and verdict.low > 0.2


@pytest.mark.parametrize(("start", "end"), [(0, 400), (0, 200), (200, 400)])
def test_a_loop_that_grows_is_found_whether_others_work_or_not(start: int, end: int) -> None:
    for seed in range(5):
        computed = known.ramp(known.white(STEPS, seed), 1.5).seconds / 20
        verdict = judged(computed, busy_from(start, end), seed)
        assert verdict.slower, verdict.detail
        assert verdict.growth == pytest.approx(1.5, rel=0.2)


def test_waiting_for_a_disk_is_the_loops_own() -> None:
    """Others are busy, but a processor is idle: it is not the processor that is waited for."""
    computed = np.full(STEPS, 1e-3)
    wall = computed * (1 + 2 * np.linspace(0, 1, STEPS)) * np.exp(known.white(STEPS, 3))
    machine = machine_of(wall, computed, np.full(STEPS, 1.0), np.full(STEPS, 0.6))
    assert not short_steps(wall, machine)
    assert judge_freed(wall, machine).slower


def test_a_loop_that_uses_every_processor_itself_is_judged_by_the_wall_clock() -> None:
    wall = known.ramp(known.white(STEPS, 2), 0.4).seconds
    machine = machine_of(wall, 2 * wall, np.full(STEPS, 0.02), np.zeros(STEPS))
    assert not short_steps(wall, machine)
    assert judge_freed(wall, machine).growth == pytest.approx(judge(wall).growth, rel=1e-3)


def test_growth_no_larger_than_what_more_waiting_makes_is_not_claimed() -> None:
    """Interrupted more often, the same work takes more processor time."""
    others = busy_from(200)
    computed = known.flat(known.white(STEPS, 1)).seconds / 20 * np.where(others > 1, 1.25, 1.0)
    verdict = judged(computed, others, 1)
    assert not verdict.slower and verdict.label != "unsteady"
    assert verdict.low is not None and verdict.low <= 0
    assert verdict.high is not None and verdict.high > 0
    assert "what that cost is taken away" in verdict.detail


def test_less_waiting_is_no_speedup() -> None:
    for seed in range(5):
        others = busy_from(0, 200)
        computed = known.flat(known.white(STEPS, seed)).seconds / 20
        verdict = judged(computed * np.where(others > 1, 1.25, 1.0), others, seed)
        assert verdict.label in ("flat", "warmup"), verdict.detail


def test_a_loop_that_becomes_faster_is_said_to() -> None:
    computed = known.ramp(known.white(STEPS, 3), -0.6).seconds / 20
    assert judged(computed, busy_from(0, STEPS), 3).label == "speedup"


def test_where_nobody_looked_the_wall_clock_is_judged() -> None:
    wall = known.ramp(known.white(STEPS, 1), 0.5).seconds
    nowhere = np.full(STEPS, np.nan)
    unseen = Machine(np.cumsum(wall) - wall, wall, nowhere, nowhere, nowhere)
    assert judge_freed(wall, unseen).growth == judge(wall).growth


def test_too_few_steps_are_too_short_and_a_wrong_time_is_an_error() -> None:
    wall = np.full(12, 1e-3)
    machine = machine_of(wall, wall, np.zeros(12), np.ones(12))
    assert judge_freed(wall, machine).label == "too_short"
    wall[3] = -1
    with pytest.raises(LabkitError, match="step 3"):
        judge_freed(wall, machine)


def test_a_stretch_of_a_run_is_judged_with_its_own_part_of_the_machine() -> None:
    computed = known.flat(known.white(STEPS, 5)).seconds / 20
    others = busy_from(100, 250)
    wall = interrupted(computed, others, 5)
    machine = machine_of(wall, computed, others, np.maximum(0.0, CORES - 1 - others))
    part = machine.between(260, STEPS)
    assert len(part.start_seconds) == STEPS - 260
    assert not short_steps(wall[260:], part)


def cores_by_hand(so_far: known.Numbers, wall: known.Numbers, start: known.Numbers) -> list[float]:
    """A slow, plain twin: the running total read off a ruler at both ends of each window."""
    told = [
        (begin + took, total)
        for begin, took, total in zip(start, wall, so_far, strict=True)
        if not np.isnan(total)
    ]

    def read_off(when: float) -> float:
        for (before, low), (after, high) in pairwise(told):
            if before <= when <= after:
                return low + (high - low) * (when - before) / (after - before)
        return told[0][1] if when < told[0][0] else told[-1][1]

    found = []
    for begin, took in zip(start, wall, strict=True):
        window = max(WINDOW_SECONDS, 1.2 * took)
        first = begin + took / 2 - window / 2
        first = min(max(first, told[0][0]), max(told[0][0], told[-1][0] - WINDOW_SECONDS))
        end = max(begin + took / 2 + window / 2, first + WINDOW_SECONDS)
        end = min(end, told[-1][0])
        found.append((read_off(end) - read_off(first)) / max(end - first, 1e-3))
    return found


@pytest.mark.parametrize("scale", [0.01, 1.0, 20.0])
def test_use_around_each_step_is_what_a_plain_reading_gives(scale: float) -> None:
    wall = scale * known.flat(known.white(60, 7, 0.5)).seconds / 10
    start = np.cumsum(wall) - wall
    used = np.cumsum(np.random.default_rng(7).uniform(0, 2, 60) * wall)
    so_far = np.where(np.arange(60) % 3 == 1, used, np.nan)
    fast = cores_in_use(so_far, np.isfinite(so_far), wall, start)
    assert list(fast) == pytest.approx(cores_by_hand(so_far, wall, start))


def test_two_runs_are_compared_by_the_steps_that_did_not_wait() -> None:
    computed = known.flat(known.white(STEPS, 6)).seconds / 20
    others = busy_from(150)
    wall = interrupted(computed, others, 6)
    machine = machine_of(wall, computed, others, np.maximum(0.0, CORES - 1 - others))
    left = undisturbed(wall, machine)
    assert 100 < len(left) < STEPS
    assert np.median(left) == pytest.approx(np.median(computed), rel=0.05)
    assert wall.mean() > 1.3 * computed.mean()


def test_nothing_is_left_out_where_nobody_waited() -> None:
    wall = known.flat(known.white(STEPS, 6)).seconds
    machine = machine_of(wall, wall, np.zeros(STEPS), np.ones(STEPS))
    assert list(undisturbed(wall, machine)) == list(wall)


def test_runs_that_waited_unequally_are_doubted_and_equal_ones_hardly() -> None:
    computed = known.flat(known.white(STEPS, 6)).seconds / 20
    told = []
    for others in (busy_from(STEPS), busy_from(0)):
        wall = interrupted(computed, others, 6)
        idle = np.maximum(0.0, CORES - 1 - others)
        told.append((wall, machine_of(wall, computed, others, idle)))
    level = float(np.median(computed))
    assert doubt_between((told[0], told[1]), level) > 0.4
    assert doubt_between((told[1], told[0]), level) > 0.4
    assert doubt_between((told[1], told[1]), level) < 0.06


def test_where_too_few_steps_are_left_alone_processor_time_is_compared() -> None:
    computed = known.flat(known.white(STEPS, 6)).seconds / 20
    others = busy_from(0)
    wall = interrupted(computed, others, 6)
    machine = machine_of(wall, computed, others, np.zeros(STEPS))
    left = undisturbed(wall, machine)
    assert len(left) == STEPS
    assert np.median(left) == pytest.approx(np.median(computed), rel=0.1)


def late_rise(step_seconds: float, late: int, steps: int = 200) -> Verdict:
    """Judge steps of which the last `late` get up to 50 % longer; the machine shows nothing."""
    random = np.random.default_rng(3)
    computed = step_seconds * random.normal(1, 0.02, steps)
    computed[steps - late :] *= np.linspace(1, 1.5, late)
    others = np.zeros(steps)
    return judge_freed(computed, machine_of(computed, computed, others, others + CORES - 1))


def test_a_rise_in_the_last_few_hundredths_of_a_second_is_not_claimed() -> None:
    """Nobody can say who used the processors in so short a time."""
    verdict = late_rise(1.7e-3, late=25)
    assert not verdict.slower, verdict.detail
    assert verdict.high is not None and verdict.high > 0.3


@pytest.mark.parametrize(("step_seconds", "late"), [(17e-3, 25), (1.7e-3, 90), (0.1e-3, 90)])
def test_a_rise_that_lasts_is_claimed(step_seconds: float, late: int) -> None:
    verdict = late_rise(step_seconds, late)
    assert verdict.slower, verdict.detail


def wandering(step_seconds: float) -> Verdict:
    """Judge steps whose level goes up and down six times, on a machine that shows nothing."""
    random = np.random.default_rng(4)
    level = np.repeat([1.0, 1.8, 1.1, 1.9, 1.0, 1.7], 40)
    computed = step_seconds * level * random.normal(1, 0.02, len(level))
    others = np.zeros(len(level))
    return judge_freed(computed, machine_of(computed, computed, others, others + CORES - 1))


def test_a_level_that_moves_within_a_second_is_not_called_unsteady() -> None:
    """Programs come and go for as long, and no clock of the system tells which."""
    verdict = wandering(2e-3)
    assert verdict.label in ("flat", "warmup"), verdict.detail
    assert verdict.high is not None and verdict.high > 0.5


def test_a_level_that_moves_for_seconds_is_unsteady() -> None:
    assert wandering(20e-3).label == "unsteady"
