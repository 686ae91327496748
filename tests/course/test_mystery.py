"""Mysteries: the same seed hides the same everywhere, evidence costs, the first answer counts.

Tier: make test, in turn; that each slip shows what it is runs in make test-full.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import pytest

from labkit.course.mystery.game import ANSWERS, POINTS, PRICES, Mystery, mystery_source
from labkit.course.mystery.loop import HONEST, SLIPS, Slip, hidden
from labkit.course.mystery.mystery import MysteryLoop
from labkit.record import ChoiceError, LabkitError
from labkit.show.verdict.verdict_words import loop_words

pytestmark = pytest.mark.in_turn

FLAT = ("kept_objects",)


def seed_of(*causes: str) -> int:
    return next(seed for seed in range(5000) if hidden(seed) == causes)


def test_a_seed_hides_the_same_on_every_machine() -> None:
    """Written down once: a class that competes must not be told apart by its machines."""
    assert [hidden(seed) for seed in (1, 2, 3, 8, 9)] == [
        ("work_growth",), ("garbage", "checkpoint_io"), ("retracing",), ("graph_growth",), (),
    ]  # fmt: skip


def test_nothing_one_thing_and_two_things_are_all_hidden_now_and_then() -> None:
    found = [hidden(seed) for seed in range(2000)]
    share = {count: times / 2000 for count, times in Counter(map(len, found)).items()}
    assert share.keys() == {0, 1, 2} and min(share.values()) > 0.1
    for cause in SLIPS:
        assert sum(cause in each for each in found) > 50, cause


@pytest.mark.parametrize(("every", "enlarged"), [(1, [5, 5, 5, 5]), (3, [5])])
def test_a_slip_grows_by_its_units_and_is_acted_out_at_every_step(
    every: int, enlarged: list[int]
) -> None:
    class Fake:
        own = 0
        acts = 0
        units: ClassVar[list[int]] = []

        def enlarge(self, units: int) -> None:
            self.units.append(units)

        def act(self) -> None:
            type(self).acts += 1

    step = Slip(Fake, 5, every).make()
    for _ in range(4):
        step()
    assert (Fake.acts, Fake.units) == (4, enlarged)


def test_honest_growth_comes_alone() -> None:
    assert all(each == (HONEST,) for seed in range(2000) if HONEST in (each := hidden(seed)))


@pytest.mark.parametrize(
    ("seed", "said", "points"),
    [
        (8, ["graph_growth"], POINTS),
        (9, [], POINTS),
        (8, ["history"], 0),
        (8, [], 0),
        (2, ["garbage"], POINTS // 2),
    ],
    ids=["right", "nothing is hidden", "wrong", "nothing is said", "one of two"],
)
def test_an_answer_without_evidence_has_its_share_of_the_points(
    seed: int, said: list[str], points: int
) -> None:
    assert Mystery(seed).accuse(said).points == points


def test_whoever_accuses_everything_wins_little() -> None:
    assert Mystery(8).accuse(ANSWERS).points <= POINTS // len(ANSWERS) + 1


def test_evidence_is_paid_for_once() -> None:
    game = Mystery(8)
    game.look("ledger")
    game.look("ledger")
    assert game.spent == PRICES["ledger"]
    assert game.accuse(["graph_growth"]).points == POINTS - PRICES["ledger"]


def test_after_the_answer_everything_may_be_looked_at() -> None:
    game = Mystery(8)
    score = game.accuse(["graph_growth"])
    game.look("diagnosis")
    assert game.spent == 0 and score.points == POINTS


def test_nobody_owes_more_than_there_is() -> None:
    game = Mystery(8)
    for name in PRICES:
        game.look(name)
    assert game.spent == POINTS and game.accuse(["graph_growth"]).points == 0


def test_only_the_first_answer_counts() -> None:
    game = Mystery(8)
    game.accuse(["history"])
    assert game.accuse(["graph_growth"]).points == 0


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, None, 10**9])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(LabkitError, match="whole number"):
        mystery_source(seed)  # type: ignore[arg-type]


def test_what_is_no_evidence_or_no_answer_is_refused_and_costs_nothing() -> None:
    game = Mystery(8)
    with pytest.raises(ChoiceError, match="ledger"):
        game.look("truth")
    with pytest.raises(ChoiceError, match="graph_growth"):
        game.accuse(["graph"])
    assert game.spent == 0 and game.score is None


def test_the_source_of_a_loop_does_not_tell_what_is_in_it() -> None:
    source = mystery_source(8)
    assert not any(name in source for name in SLIPS)


def test_a_mystery_is_played_in_cells(capsys: pytest.CaptureFixture[str]) -> None:
    loop = MysteryLoop(8)
    assert "graph" not in loop.curve().alt
    loop.look("verdict", "counters")
    told = capsys.readouterr().out
    # Which verdict that is depends on what else the machine does; the counters do not.
    assert loop_words(loop.found.diagnosis.verdict) in told
    assert "ops in the graph" in told
    assert loop.accuse("graph_growth").points == POINTS - PRICES["verdict"] - PRICES["counters"]
    assert "Hidden was: graph_growth." in capsys.readouterr().out


@pytest.mark.full
@pytest.mark.parametrize("cause", SLIPS)
def test_each_slip_alone_is_what_a_diagnosis_finds(cause: str) -> None:
    diagnosis = MysteryLoop(seed_of(cause)).found.diagnosis
    assert diagnosis.verdict.slower is (cause not in FLAT), diagnosis.verdict
    assert [each.cause for each in diagnosis.findings][:1] == [cause]


@pytest.mark.full
def test_a_loop_with_nothing_hidden_has_no_finding() -> None:
    diagnosis = MysteryLoop(seed_of()).found.diagnosis
    assert not diagnosis.verdict.slower
    # What others on the machine do meanwhile may be told.
    assert {each.cause for each in diagnosis.findings} <= {"machine"}, diagnosis.findings
