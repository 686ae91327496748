"""What a ruling asks of the runs of an experiment, of which there may be several each.

Tier: quick.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from labkit.claims import Claim, Play, Played, Ruling, every_claim, trials
from labkit.claims.claim import OPEN
from labkit.claims.words import course, times
from labkit.record import LabkitError, Run, State
from labkit.stats.paired_ratio import PairedRatio
from tests.made_run import made_run

STEPS = 200


def run(ends: float = 1.0, *, level: float = 0.01, state: str = "done", steps: int = STEPS) -> Run:
    """Return a run whose steps take `level` at first and `ends` times that at last."""
    seconds = [
        level * (1 + (ends - 1) * step / steps) * (1 + 1e-3 * (step % 3)) for step in range(steps)
    ]
    return made_run(seconds, state=State(state))  # type: ignore[arg-type]


FLAT, SLOWER = run(), run(3.0)


@pytest.mark.parametrize(
    ("rounds", "slows"),
    [((FLAT, FLAT), False), ((SLOWER, SLOWER), True), ((FLAT, SLOWER), None), ((SLOWER,), True)],
)
def test_a_loop_gets_slower_where_all_of_its_runs_say_so(
    rounds: tuple[Run, ...], slows: bool | None
) -> None:
    played = Played(*({"loop": each} for each in rounds))
    assert played.slows("loop") is slows
    assert played.open == ([] if slows is not None else ["loop"])


def test_one_of_two_runs_that_failed_is_a_loop_that_failed() -> None:
    played = Played({"loop": FLAT}, {"loop": run(state="failed")})
    assert played.failed("loop")
    with pytest.raises(LabkitError, match="'loop' did not come to its end"):
        played.check_ended()


def test_two_loops_are_compared_by_all_pairs_of_their_runs() -> None:
    rounds = [{"a": run(level=0.01 * each), "b": run(level=0.02 * each)} for each in (1, 1.1, 0.9)]
    found = Played(*rounds).pairs("a", "b")
    assert found.ratio == pytest.approx(2.0, rel=0.01) and found.different and found.pairs == 3


def test_what_ran_once_is_not_compared() -> None:
    with pytest.raises(LabkitError, match="too little of b against a to compare"):
        Played({"a": FLAT, "b": FLAT}).pairs("a", "b")


def claim(plays: Mapping[str, Play]) -> Claim:
    return Claim(
        "1.1", "Title", "Says.", "Tried.", plays, lambda played: Ruling("holds", "It was.")
    )


def order(plays: Mapping[str, Play], *, card: bool = False) -> list[str]:
    asked: list[str] = []

    def one(_: Play, title: str) -> Run:
        asked.append(title.partition(": ")[2])
        return FLAT

    (tried,) = trials([claim(plays)], one, card=card)
    assert tried.ruling.name == "holds"  # type: ignore[union-attr]
    return asked


def test_every_other_round_goes_backwards_and_who_runs_once_stays_in_the_first() -> None:
    plays = {"a": Play("a", rounds=3), "once": Play("once"), "b": Play("b", rounds=3)}
    assert order(plays) == [
        "a", "once", "b", "b, again (2)", "a, again (2)", "a, again (3)", "b, again (3)"
    ]  # fmt: skip


def test_what_needs_a_card_is_run_where_there_is_one_and_nowhere_else() -> None:
    plays = {"here": Play("here"), "driver": Play("driver", device="gpu")}
    assert order(plays) == ["here"]
    assert order(plays, card=True) == ["here", "driver"]


def test_a_round_that_is_missing_leaves_a_ruling_open() -> None:
    left = iter([FLAT, FLAT, FLAT])

    def one(_: Play, __: str) -> Run:
        if found := next(left, None):
            return found
        raise KeyboardInterrupt

    (tried,) = trials([claim({"a": Play("a", rounds=2), "b": Play("b", rounds=2)})], one)
    assert tried.ruling.name == OPEN and tried.played.stopped  # type: ignore[union-attr]


def test_a_ruling_that_is_open_names_the_run_that_is() -> None:
    def decide(played: Played) -> Ruling:
        played.slows("b")
        return Ruling(OPEN, "It was tried.")

    asked = Claim("1.1", "T", "S", "E", {"a": Play("a"), "b": Play("b")}, decide)
    runs = iter([FLAT, run(steps=5)])
    (tried,) = trials([asked], lambda *_: next(runs))
    assert tried.ruling.because == "It was tried. Open: b."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("one", "words"),
    [(FLAT, "flat, 10.0 ms per step"), (SLOWER, "(3x)"), (run(steps=5), "cannot tell")],
)
def test_what_a_loop_did_is_a_few_words(one: Run, words: str) -> None:
    said = course(Played({"loop": one}), "loop")
    assert words in said and len(said.split()) <= 8


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2_612.0, "about 2,600 times as long"),
        (0.61, "0.61 times as long (95 % CI 0.58-0.65)"),
        (1.004, "1.00 times as long (95 % CI 0.95-1.06)"),
        (0.0125, "about 1/80 of the time"),
    ],
)
def test_a_ratio_is_told_with_the_digits_that_count(ratio: float, words: str) -> None:
    assert times(PairedRatio(ratio, ratio * 0.95, ratio * 1.06, True, 6)) == words


@pytest.mark.parametrize(
    ("name", "play"),
    [("1.2", "eager"), ("2.4", "default"), ("4.4", "training"), ("5.3", "each"), ("5.4", "once"),
     ("5.5", "calls")],
)  # fmt: skip
def test_where_no_growth_is_expected_one_run_alone_turns_no_ruling(name: str, play: str) -> None:
    """Seen: 5,000 calls of a tf.function "1.9 times as long", on a machine that became slower."""
    (claim,) = (each for each in every_claim() if each.id == name)
    assert claim.plays[play].rounds > 1
