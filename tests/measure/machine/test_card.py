"""The card is asked seldom, and what it does not tell is not measured. Tier: make test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from labkit.measure.clock.probe import HoldingProbe, SeldomProbe
from labkit.measure.machine.card import LONGEST_PAUSE_SECONDS, CardProbe
from labkit.measure.machine.nvml import HEAT, IDLE, POWER
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import numbers_of


@dataclass
class Card:
    """A card whose answers take a while."""

    clock: OwnedClock
    reason_bits: int | None = 0
    answer_ms: float = 0.1
    asked: int = 0
    closed: bool = False

    def clock_mhz(self) -> float:
        self.asked += 1
        self.clock.pass_ms(self.answer_ms)
        return 1590.0

    def celsius(self) -> float:
        return 71.0

    def watts(self) -> float:
        return 65.5

    def limit_watts(self) -> float:
        return 70.0

    def reasons(self) -> int | None:
        return self.reason_bits

    def processes(self) -> float:
        return 3.0

    def close(self) -> None:
        self.closed = True


def asked_over(seconds: float, *, answer_ms: float, step_ms: float = 1.0) -> int:
    """Return how often the card is asked in so long a loop."""
    clock = OwnedClock()
    card = Card(clock, answer_ms=answer_ms)
    probe = CardProbe(clock, card)
    end = clock() + seconds
    while clock() < end:
        clock.pass_ms(step_ms)
        numbers_of(probe)
    return card.asked


def test_each_number_stands_in_its_column() -> None:
    clock = OwnedClock()
    probe = CardProbe(clock, Card(clock, HEAT))
    told = dict(zip((column.name for column in probe.columns), numbers_of(probe), strict=True))
    assert told == {
        "card_clock_mhz": 1590.0, "card_celsius": 71.0, "card_watts": 65.5,
        "card_limit_watts": 70.0, "card_hot": 1.0, "card_capped": 0.0, "card_idle": 0.0,
        "card_others": 2.0,
    }  # fmt: skip


def test_a_run_s_own_workers_are_no_other_programs() -> None:
    """Two workers on an H200 were told that other programs computed there."""
    clock = OwnedClock()
    for ours, others in ((1, 2.0), (2, 1.0), (3, 0.0), (4, 0.0)):
        probe = CardProbe(clock, Card(clock), ours)
        assert numbers_of(probe)[-1] == others
    silent = Card(clock)
    silent.processes = lambda: math.nan  # type: ignore[method-assign]
    assert math.isnan(numbers_of(CardProbe(clock, silent))[-1])


@pytest.mark.parametrize(
    ("bits", "told"),
    [
        (0, [0, 0, 0]), (IDLE, [0, 0, 1]), (0x20, [1, 0, 0]), (0x40, [1, 0, 0]),
        (0x04, [0, 1, 0]), (0x80, [0, 1, 0]), (HEAT | POWER | IDLE, [1, 1, 1]),
        # Clocks that somebody set, of other cards, of the display, and a slowdown for no reason.
        (0x02 | 0x08 | 0x10 | 0x100, [0, 0, 0]),
    ],
)  # fmt: skip
def test_only_heat_the_power_limit_and_want_of_work_count(bits: int, told: list[float]) -> None:
    clock = OwnedClock()
    assert numbers_of(CardProbe(clock, Card(clock, bits)))[4:7] == told


def test_a_card_that_gives_no_reason_is_neither_hot_nor_cool() -> None:
    clock = OwnedClock()
    assert all(map(math.isnan, numbers_of(CardProbe(clock, Card(clock, None)))[4:7]))


def test_between_two_readings_nothing_stands() -> None:
    clock = OwnedClock()
    probe = CardProbe(clock, Card(clock))
    assert isinstance(probe, SeldomProbe) and not probe.lasting
    numbers_of(probe)
    clock.pass_ms(100)
    assert all(map(math.isnan, numbers_of(probe)))


def test_it_asks_four_times_a_second_at_most() -> None:
    assert asked_over(10, answer_ms=0.1) == pytest.approx(40, abs=2)


def test_a_slow_answer_is_asked_for_one_part_in_a_hundred_of_the_time() -> None:
    assert 0.007 < asked_over(60, answer_ms=20) * 0.020 / 60 <= 0.0105


def test_one_long_interruption_does_not_silence_it() -> None:
    clock = OwnedClock()
    card = Card(clock, answer_ms=3_000)
    probe = CardProbe(clock, card)
    numbers_of(probe)
    clock.pass_ms(1e3 * LONGEST_PAUSE_SECONDS + 1)
    assert not math.isnan(numbers_of(probe)[0])


def test_closing_it_lets_go_of_the_card() -> None:
    clock = OwnedClock()
    card = Card(clock)
    probe = CardProbe(clock, card)
    assert isinstance(probe, HoldingProbe)
    probe.close()
    assert card.closed and card.asked == 0
