"""Words: plain sentences with units, one line a stretch, and nothing said twice."""

from __future__ import annotations

import pytest

from labkit.record import (
    Column,
    Event,
    Ledger,
    LedgerRow,
    State,
    Verdict,
    quantity,
)
from labkit.show import words
from labkit.show.verdict.verdict_words import verdict_words
from tests.made_diagnosis import flipped_run, judged
from tests.show.standin import StandInPlayer

DONE = State("done")
FLAT = Verdict("flat", 0.0, -0.1, 0.1, steps=60, first_seconds=0.007, last_seconds=0.007)
SLOW = Verdict("slowdown", 1.8, 1.6, 2.0, steps=300, first_seconds=0.007, last_seconds=0.0194)
OPS = Column("graph_ops", "ops in the graph", "ops", "counter")
MEMORY = Column("resident_bytes", "resident memory", "bytes", "counter")


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (0.0070, "s", "7.0 ms"),
        (0.00083, "s", "830 us"),
        (0.0009999, "s", "1.0 ms"),
        (1.24, "s", "1.2 s"),
        (0.0, "s", "0 ms"),
        (310e6, "bytes", "310 MB"),
        (512, "bytes", "512 bytes"),
        (1518, "ops", "1,518 ops"),
        (1, "sessions", "1 session"),
        (1, "losses", "1 loss"),
        (1, "switches", "1 switch"),
        (0, "sessions", "0 sessions"),
        (1.5, "sessions", "1.5 sessions"),
        (1, "", "1"),
        (1, "bytes", "1 byte"),
        (float("nan"), "ops", "not measured"),
    ],
)
def test_quantities_have_the_unit_a_person_would_choose(value: float, unit: str, said: str) -> None:
    assert quantity.quantity(value, unit) == said


@pytest.mark.parametrize(
    ("toggles", "said"),
    [({"grow": True, "order": "tree"}, "My loop, grow on, order tree"), ({}, "My loop")],
)
def test_a_title_tells_the_toggles_after_it(toggles: dict[str, bool | str], said: str) -> None:
    assert words.title("My loop", toggles) == said


def test_one_stretch_says_just_the_verdict() -> None:
    only = judged(flipped_run(DONE, (60, {"grow": True})), [FLAT])
    assert words.judgement(only) == (verdict_words(FLAT),)


def test_several_stretches_say_where_and_what_was_flipped_and_no_more() -> None:
    before = {"grow": True, "build_once": False}
    after = {"grow": False, "build_once": False}
    both = judged(flipped_run(DONE, (310, before), (90, after)), [SLOW, FLAT])
    assert words.judgement(both) == (
        f"steps 0-309, grow on: {verdict_words(SLOW)}",
        f"steps 310-399, grow off: {verdict_words(FLAT)}",
    )


def test_a_provisional_judgement_says_so_of_what_still_goes_on() -> None:
    going = flipped_run(State("running"), (9, {"grow": True}), (21, {"grow": False}))
    lines = words.judgement(judged(going, [SLOW, FLAT]))
    assert ["so far" in line for line in lines] == [False, True]


def test_the_ledger_names_places_by_their_titles() -> None:
    rows = (LedgerRow("session_run_seconds", 0.9, 0.9), LedgerRow("unexplained", 0.1, 0.1))
    column = Column("session_run_seconds", "session run", "s", "place")
    said = "where it went: session run 90 %, unexplained 10 %"
    assert words.ledger(Ledger(1.0, rows), [column]) == said
    assert words.ledger(Ledger(1.0, rows)) == said


def test_the_ledger_leaves_the_names_in_a_line_of_code_alone() -> None:
    line = "loop.py:34 mean_of_all > numpy.mean"
    ledger = Ledger(1.0, (LedgerRow(line, 0.9, 0.9), LedgerRow("unexplained", 0.1, 0.1)))
    assert words.ledger(ledger, ()) == f"where it went: {line} 90 %, unexplained 10 %"


def test_the_ledger_leaves_out_places_that_hold_nothing() -> None:
    rows = (LedgerRow("a", 1.0, 1.0), LedgerRow("b", 0.0, -0.001), LedgerRow("unexplained", 0, 0.0))
    assert words.ledger(Ledger(1.0, rows)) == "where it went: a 100 %, unexplained 0 %"


def test_where_some_places_became_quicker_the_ledger_tells_times() -> None:
    rows = (
        LedgerRow("a", 0.015, 3.12), LedgerRow("b", -0.0075, -1.5), LedgerRow("c", -0.0002, -0.05),
        LedgerRow("unexplained", -0.0028, -0.57),
    )  # fmt: skip
    told = "where it went, per step: a +15.0 ms, b -7.5 ms, unexplained -2.8 ms"
    assert words.ledger(Ledger(0.005, rows)) == told
    few = (LedgerRow("a", 0.0112, 1.12), LedgerRow("unexplained", -0.0012, -0.12))
    assert words.ledger(Ledger(0.01, few)) == "where it went: a 112 %, unexplained -12 %"


@pytest.mark.parametrize(
    ("verdicts", "where"),
    [((FLAT, SLOW), ", steps 50-89"), ((), ""), ((FLAT,), ""), ((FLAT, FLAT), "")],
)
def test_a_ledger_of_several_stretches_says_which_one_it_is_of(
    verdicts: tuple[Verdict, ...], where: str
) -> None:
    ledger = Ledger(1.0, (LedgerRow("a", 1.0, 1.0), LedgerRow("unexplained", 0.0, 0.0)))
    run = flipped_run(DONE, (50, {"grow": False}), (40, {"grow": True}))
    said = words.judged_ledger(judged(run, verdicts, ledger))
    assert said == f"where it went{where}: a 100 %, unexplained 0 %"


def test_an_empty_ledger_says_nothing() -> None:
    assert words.ledger(Ledger()) == ""


@pytest.mark.parametrize(
    ("column", "first", "last", "said"),
    [
        (OPS, 18, 1518, "ops in the graph: 18 to 1,518 ops"),
        (OPS, 1, 1518, "ops in the graph: 1 to 1,518 ops"),
        (MEMORY, 9e8, 1.2e9, "resident memory: 900 MB to 1.2 GB"),
        (OPS, 18, 18, "ops in the graph: 18 ops throughout"),
        (OPS, float("nan"), float("nan"), "ops in the graph: not measured"),
    ],
)
def test_evidence_gives_the_unit_once(column: Column, first: float, last: float, said: str) -> None:
    assert words.evidence(column, first, last) == said


@pytest.mark.parametrize(
    ("state", "count", "said"),
    [
        (State("done"), 1, "done after 1 step"),
        (State("failed", "The loop raised ValueError: no."), 40,
         "failed after 40 steps: the loop raised ValueError: no."),
        (State("failed", "TensorFlow is missing."), 0,
         "failed after 0 steps: TensorFlow is missing."),  # a name keeps its capitals
        (State("failed", "GPU memory is full."), 0, "failed after 0 steps: GPU memory is full."),
        (State("stopped", "Stopped after 240 steps."), 240, "stopped after 240 steps."),
        (State("time_limit", "Ended at the time limit of 60 s, after 9 steps."), 9,
         "ended at the time limit of 60 s, after 9 steps."),
    ],
)  # fmt: skip
def test_a_state_gives_its_reason_and_says_nothing_twice(
    state: State, count: int, said: str
) -> None:
    assert words.state(state, count) == said


def test_the_alt_text_tells_the_whole_picture() -> None:
    player = StandInPlayer()
    run = player.start({})
    run.advance(100)
    player.set("grow", "off")
    run.advance(100)
    run.stop()
    said = words.run_alt_text(run.snapshot(), player.judge(run), player.lanes)
    assert said.startswith("Iteration-time curve of Graph growth, 200 steps: steps 0-99, grow on:")
    assert "ops in the graph: 23 to 518 ops" in said
    assert "step 100: grow off" in said


def test_an_alt_text_without_a_verdict_is_still_a_sentence() -> None:
    assert words.alt_text("My loop", 3) == "Iteration-time curve of My loop, 3 steps."


def test_many_events_do_not_flood_the_alt_text() -> None:
    flips = [Event(step, "toggle", f"flip {step}") for step in range(500)]
    assert words.alt_text("My loop", 500, events=flips).count("flip") == 10


def test_what_happened_is_counted_by_kind_without_the_flips() -> None:
    events = [Event(n, "gc", "a pause") for n in range(12)]
    events += [Event(3, "checkpoint", "saved"), Event(4, "toggle", "grow off")]
    assert words.happened(events) == "what happened: gc 12 times, checkpoint once"
    assert words.happened(events[-1:]) == words.happened([]) == ""


def test_places_that_hold_next_to_nothing_are_told_together() -> None:
    shares = {"a": 0.93, "b": 0.014, "c": 0.014, "d": -0.008, "unexplained": 0.05}
    rows = tuple(LedgerRow(place, share, share) for place, share in shares.items())
    said = words.ledger(Ledger(1.0, rows))
    assert said == "where it went: a 93 %, other operations 2 %, unexplained 5 %"
