"""Host transfer does what it declares: bytes exact, the cost constant.

Tier: make test, in turn; the largest block is marked full.
"""

from __future__ import annotations

from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes.host_transfer import KILOBYTES
from labkit.record import Run
from tests.causes.curves import assert_clock, assert_rests, play, switched

pytestmark = pytest.mark.in_turn

FOUR_MB = 4 * 1024**2


def copied(run: Run) -> tuple[set[float], set[float]]:
    """Return the bytes of a step, out and in: one number each where it is always the same."""
    return set(run.steps.column("bytes_out")), set(run.steps.column("bytes_in"))


@pytest.mark.parametrize("block", ["4 KB", "256 KB", "4 MB"])
def test_every_step_copies_the_block_out_and_in_to_the_byte(bench: Bench, block: str) -> None:
    run = play(bench, "host_transfer", 30, block=block)
    assert copied(run) == ({KILOBYTES[block] * 1024}, {KILOBYTES[block] * 1024})


@pytest.mark.parametrize(
    ("toggles", "out", "into"),
    [
        ({"copy_out": "off"}, 0, FOUR_MB),
        ({"copy_in": "off"}, FOUR_MB, 0),
        ({"copy_in": "off", "as_array": "on"}, 0, 0),
        ({"keep_on_device": "on"}, 0, 0),
    ],
)
def test_each_direction_is_its_own_and_the_fix_copies_nothing(
    bench: Bench, toggles: dict[str, str], out: int, into: int
) -> None:
    run = play(bench, "host_transfer", 30, **toggles)
    assert copied(run) == ({out}, {into})
    # But for the first step, which makes the block, and tells TensorFlow its size.
    assert (sum(run.steps.column("device_copies_seconds")[1:]) == 0) == (out + into == 0)


def test_copying_is_expensive_by_its_bytes_and_never_grows(bench: Bench) -> None:
    run = assert_rests(bench, "host_transfer", 400, still=("bytes_out", "bytes_in"), block="4 MB")
    small = play(bench, "host_transfer", 200, block="4 KB")
    cost, little = (median(each.steps.column("device_copies_seconds")) for each in (run, small))
    assert_clock(cost > 3 * little, cost, little)


def test_a_clock_that_does_not_wait_tells_the_time_to_hand_work_over(bench: Bench) -> None:
    aside = {"keep_on_device": "on", "asynchronous": "on", "width": 1024}
    waits, hands_over, by_itself = (
        play(bench, "host_transfer", 40, **settings)
        for settings in (aside, {**aside, "clock_waits": "off"}, {**aside, "asynchronous": "off"})
    )
    work, launch, usual = (median(run.steps.seconds[10:]) for run in (waits, hands_over, by_itself))
    assert_clock(work > 5 * launch and usual > 5 * launch, work, launch, usual)


@pytest.mark.full
def test_the_largest_block_is_flat_too(bench: Bench) -> None:
    run = assert_rests(bench, "host_transfer", 30, still=("bytes_out",), below=2.0, block="64 MB")
    in_copies = sum(run.steps.column("device_copies_seconds")[2:])
    whole = sum(run.steps.seconds[2:])
    assert_clock(in_copies > 0.5 * whole, in_copies, whole)


def test_to_look_at_a_tensor_costs_the_same_at_any_size(bench: Bench) -> None:
    looks = {"copy_in": "off", "as_array": "on"}
    runs = [play(bench, "host_transfer", 200, block=block, **looks) for block in ("4 KB", "64 MB")]
    for name in ("bytes_in", "bytes_out"):
        assert [set(run.steps.column(name)) for run in runs] == [{0.0}, {0.0}]
    small, large = (median(run.steps.seconds[20:]) for run in runs)
    assert_clock(large < 1.5 * small, large, small)


@pytest.mark.full
def test_kept_on_the_device_while_it_runs_the_copies_stop_at_once(bench: Bench) -> None:
    run = switched(bench, "host_transfer", (100, "keep_on_device", "on"), more=1_900)
    before, after = run.stretches()
    assert set(run.steps.column("bytes_out")[: before.end]) == {FOUR_MB}
    assert set(run.steps.column("bytes_out")[after.start :]) == {0.0}
