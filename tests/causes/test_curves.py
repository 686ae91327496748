"""A claim about times is measured again, a wrong counter never. Tier: make test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.causes.curves import TIMES, Disturbed, assert_clock, measured


class Machine:
    """A machine that is busy in its first runs, and counts all of them."""

    def __init__(self, busy: int) -> None:
        self.busy = busy
        self.runs = 0

    def run(self) -> bool:
        """Return whether this run went undisturbed."""
        self.runs += 1
        return self.runs > self.busy


@pytest.mark.parametrize("busy", range(TIMES))
def test_one_run_that_shows_it_is_enough_and_none_follows(busy: int) -> None:
    machine = Machine(busy)
    measured(lambda: assert_clock(machine.run()))()
    assert machine.runs == busy + 1


def test_a_clock_that_is_always_disturbed_fails_with_what_each_run_saw() -> None:
    machine = Machine(1_000)
    with pytest.raises(AssertionError, match=r"none of 3 runs: 1, x; 2, x; 3, x$") as failed:
        measured(lambda: assert_clock(machine.run(), machine.runs, "x"))()
    assert machine.runs == TIMES == 3
    # Else a measured function within another would be measured nine times.
    assert not isinstance(failed.value, Disturbed)


def test_a_counter_that_is_wrong_in_the_second_run_fails_though_the_clock_was_disturbed() -> None:
    machine = Machine(1_000)

    def counts() -> None:
        assert_clock(machine.run() or machine.runs > 1, "busy")
        raise AssertionError("a wrong counter")

    with pytest.raises(AssertionError, match="a wrong counter"):
        measured(counts)()
    assert machine.runs == 2


@pytest.mark.parametrize("needed", [1, TIMES])
def test_who_asks_the_clock_is_run_again_with_fixtures_and_parameters(
    tmp_path: Path, needed: int
) -> None:
    (tmp_path / str(len(list(tmp_path.iterdir())))).touch()
    runs = len(list(tmp_path.iterdir()))
    assert 1 <= runs <= needed
    assert_clock(runs == needed)
