"""A card that heat or its power limit holds back is the machine's; all else is the loop's.

Tier: make test, in turn.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats import judge
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.card import Card
from labkit.stats.machine.throttling import held_back
from tests.stats import known
from tests.stats.machines import machine_of

pytestmark = pytest.mark.in_turn

STEPS, EVERY = 600, 12
COOL, HOT = 1590.0, 1005.0
HERE = np.linspace(0, 1, STEPS)
# How a clock falls: at once, as a body warms up, in a line, and late.
FALLS = {
    "at once": np.where(HERE > 0.5, HOT, COOL),
    "like a body that warms up": HOT + (COOL - HOT) * np.exp(-4 * HERE),
    "in a line": COOL - (COOL - HOT) * HERE,
    "late": COOL - (COOL - HOT) * np.clip(2 * HERE - 1, 0, 1),
}
falls = pytest.mark.parametrize("clock", FALLS.values(), ids=FALLS)
QUIET = np.zeros(STEPS)


def card_of(
    clock: known.Numbers,
    *,
    hot: known.Numbers = QUIET,
    capped: known.Numbers = QUIET,
    idle: known.Numbers = QUIET,
    every: int = EVERY,
    seed: int = 0,
) -> Card:
    """What a card says of a clock every few steps; its clock comes in pieces of 15 MHz."""
    asked = np.arange(len(clock)) % every == 0
    noise = known.white(len(clock), seed + 50, 0.004)
    told = (15 * np.round(clock * np.exp(noise) / 15), hot, capped, idle)
    return Card(*(np.where(asked, each, np.nan) for each in told))


def steps_of(
    clock: known.Numbers, seed: int, *, growth: float = 0.0, share: float = 1.0
) -> known.Numbers:
    """The times of a loop of which a share computes on the card, and so follows its clock."""
    noise = known.white(len(clock), seed, 0.03)
    alone = known.ramp(noise, growth) if growth else known.flat(noise)
    return alone.seconds / 10 * (1 - share + share * COOL / clock)


def judged(wall: known.Numbers, card: Card | None) -> Verdict:
    """Judge steps during which the processor mostly waits, on a machine of their own."""
    queue = np.zeros(len(wall))
    return judge_adjusted(wall, replace(machine_of(wall, computed=0.2 * wall, queue=queue),
                                        card=card))  # fmt: skip


@falls
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_a_flat_loop_on_a_card_that_heats_up_claims_nothing(
    clock: known.Numbers, share: float
) -> None:
    for seed in range(5):
        verdict = judged(
            steps_of(clock, seed, share=share), card_of(clock, hot=clock < 1550, seed=seed)
        )
        assert verdict.label in ("flat", "warmup") and verdict.reason == "machine", verdict
        found = verdict.throttling
        assert found is not None and found.reason == "heat" and not found.wanders
        assert found.last_mhz < 1100 < 1450 < found.first_mhz


@falls
def test_without_the_cards_word_the_same_is_a_slowdown(clock: known.Numbers) -> None:
    """Nor is a clock an excuse that fell because the card had nothing to do, or for no reason."""
    low = clock < 1550
    for seed in range(5):
        wall = steps_of(clock, seed)
        silent = (
            None, card_of(clock, seed=seed), card_of(clock, idle=low, seed=seed),
            card_of(clock, hot=low, idle=low, seed=seed), card_of(clock, hot=QUIET + np.nan),
        )  # fmt: skip
        for card in silent:
            verdict = judged(wall, card)
            assert verdict.slower and verdict.throttling is None, verdict


@falls
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_growth_beyond_what_the_clock_explains_is_claimed(
    clock: known.Numbers, share: float
) -> None:
    """Its interval reaches from what is left on a cool card to all of it."""
    for seed in range(5):
        wall = steps_of(clock, seed, growth=2.0, share=share)
        verdict = judged(wall, card_of(clock, hot=clock < 1550, seed=seed))
        plain = judge(wall)
        assert verdict.slower and verdict.low is not None and verdict.high is not None, verdict
        assert verdict.growth == plain.growth and plain.growth is not None
        assert 0.5 < verdict.low < 2.1 and verdict.high >= plain.growth


def test_a_loop_that_slows_down_on_a_card_at_its_usual_clock_is_said_to() -> None:
    """Even where the power limit holds that back at all times."""
    clock = np.full(STEPS, 1200.0)
    for seed in range(5):
        wall = steps_of(clock, seed, growth=0.6)
        for capped in (QUIET, QUIET + 1):
            verdict = judged(wall, card_of(clock, capped=capped, seed=seed))
            assert verdict.slower and verdict.growth == pytest.approx(0.6, abs=0.05)
            assert verdict.low == pytest.approx(judge(wall).low, abs=0.01)


def test_a_card_that_is_at_its_limit_now_and_then_excuses_no_more_than_its_clock_fell() -> None:
    """In one reading it is held back and in the next one not, at nearly the same clock."""
    clock = np.where(HERE < 0.1, 1980.0, np.where(np.arange(STEPS) // EVERY % 2, 1755.0, 1725.0))
    capped = (clock < 1740).astype(float)
    for seed in range(5):
        wall = steps_of(np.full(STEPS, 1740.0), seed, growth=0.4)
        verdict = judged(wall, card_of(clock, capped=capped, seed=seed))
        assert verdict.slower and verdict.low is not None and verdict.low > 0.15, verdict


def test_a_card_that_cools_down_is_no_speedup_and_may_hide_a_growth() -> None:
    clock = FALLS["in a line"][::-1]
    for seed in range(5):
        hot = card_of(clock, hot=clock < 1550, seed=seed)
        flat = judged(steps_of(clock, seed), hot)
        assert flat.label in ("flat", "warmup") and flat.throttling is not None
        assert flat.throttling.first_mhz < flat.throttling.last_mhz
        hidden = judged(steps_of(clock, seed, growth=0.58), hot)
        assert not hidden.slower and hidden.smallest_growth is not None
        assert hidden.smallest_growth > 0.5 and judge(steps_of(clock, seed)).label == "speedup"


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_a_level_that_follows_the_clock_to_and_fro_is_not_the_loops(share: float) -> None:
    clock = np.where(np.arange(STEPS) // 120 % 2 == 1, HOT, COOL)
    for seed in range(5):
        wall = steps_of(clock, seed, share=share)
        verdict = judged(wall, card_of(clock, hot=clock < 1550, seed=seed))
        assert judge(wall).label == "unsteady" and verdict.label != "unsteady"
        assert verdict.throttling is not None and verdict.throttling.wanders
        assert judged(wall, card_of(clock, idle=clock < 1550, seed=seed)).label == "unsteady"


def test_a_loop_that_waits_for_the_host_is_flat_on_a_card_that_heats_up() -> None:
    clock = FALLS["late"]
    for seed in range(5):
        wall = steps_of(clock, seed, share=0.0)
        verdict, plain = judged(wall, card_of(clock, hot=clock < 1550)), judge(wall)
        assert verdict.label == plain.label and verdict.reason is None
        assert verdict.growth == pytest.approx(plain.growth, abs=1e-9)
        assert verdict.smallest_growth == pytest.approx(plain.smallest_growth, abs=1e-9)


@pytest.mark.parametrize(
    ("hot", "capped", "reason"),
    [(1, 0, "heat"), (0, 1, "power"), (1, 1, "heat and power")],
)
def test_the_verdict_says_what_held_the_card_back(hot: float, capped: float, reason: str) -> None:
    clock = FALLS["at once"]
    low = (clock < 1550).astype(float)
    verdict = judged(steps_of(clock, 1), card_of(clock, hot=hot * low, capped=capped * low))
    assert verdict.throttling is not None and verdict.throttling.reason == reason


@pytest.mark.parametrize("absurd", [1e-300, 1e300, np.inf, -1.0, 0.0])
def test_a_clock_that_no_card_has_spoils_no_verdict(absurd: float) -> None:
    clock = np.where(HERE > 0.5, absurd, COOL)
    card = Card(clock, QUIET + 1, QUIET, QUIET)
    assert judged(steps_of(QUIET + COOL, 1, growth=0.5), card).growth == pytest.approx(0.5, abs=0.1)


def test_a_single_reading_of_a_hot_card_is_nothing() -> None:
    clock, hot = np.full(STEPS, COOL), QUIET.copy()
    clock[25 * EVERY], hot[25 * EVERY] = HOT, 1.0
    assert held_back(card_of(clock, hot=hot), QUIET) is None


def test_a_clock_that_falls_between_two_readings_falls_where_the_steps_do() -> None:
    clock = np.where(np.arange(STEPS) >= 313, HOT, COOL)
    wall = steps_of(clock, 3, growth=0.5)
    found = held_back(card_of(clock, hot=clock < 1550, every=40), np.log(wall))
    assert found is not None and list(np.flatnonzero(np.diff(found.slower) > 0.1)) == [312]


def test_a_stretch_of_a_run_has_its_own_part_of_the_card() -> None:
    wall = np.full(40, 0.01)
    card = Card(*(start + np.arange(40.0) for start in (0, 100, 200, 300)))
    part = replace(machine_of(wall), card=card).between(10, 25).card
    assert part is not None and len(part.clock_mhz) == len(part.idle) == 15
    assert [each[0] for each in (part.clock_mhz, part.hot, part.capped, part.idle)] == [
        10, 110, 210, 310,
    ]  # fmt: skip
