"""Judge: expensive judgements are asked for seldom, once at the end, and never lost to a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from labkit.record import Diagnosis, Event, LabkitError, State, Verdict
from labkit.record.verdict import Label
from labkit.show.live.judge import MOST_FITS, Judge, Words
from labkit.show.verdict.verdict_words import loop_words
from tests.show.standin import TOLD, BusyPlayer, StandInPlayer, StandInRun


def verdict_of(label: Label, count: int) -> Verdict:
    return Verdict(label, 0.0, 0.0, 0.0, steps=count, first_seconds=0.01, last_seconds=0.01)


def at(label: Label, count: int) -> str:
    return loop_words(verdict_of(label, count))


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class SlowPlayer(StandInPlayer):
    """Takes a tenth of a second to judge."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def judge(self, source: StandInRun) -> Diagnosis:
        self._clock.now += 0.1
        return super().judge(source)


def slowly_judged() -> tuple[Clock, SlowPlayer, Judge, StandInRun]:
    """Return a run that has just begun, and what judges it when asked."""
    clock = Clock()
    player = SlowPlayer(clock)
    return clock, player, Judge(player, clock), player.start({})


def test_a_run_in_progress_is_judged_once_a_second() -> None:
    player, clock = StandInPlayer(), Clock()
    judge, run = Judge(player, clock), player.start({})
    for _ in range(40):
        run.advance(10)
        judge.words(run)
        clock.now += 0.25
    assert player.judged == 10


def test_a_finished_run_is_judged_once() -> None:
    player, clock = StandInPlayer(), Clock()
    judge, run = Judge(player, clock), player.start({})
    run.advance(60)
    judge.words(run)
    run.state = State("done")
    for _ in range(5):
        clock.now += 10
        said = judge.words(run)
    assert player.judged == 2
    assert "so far" not in said.verdict[0]


def test_an_expensive_judgement_is_asked_for_more_rarely() -> None:
    clock, player, judge, run = slowly_judged()
    run.advance(60)
    judge.words(run)
    clock.now += 60
    for _ in range(16):
        judge.words(run)
        clock.now += 0.25
    assert player.judged == 2


def test_the_headline_of_a_young_run_tells_of_most_of_what_one_sees() -> None:
    """Seen: after five seconds it told of the first 1.7, and the curve was at twice as much."""
    clock, player, judge, run = slowly_judged()
    judged_at = began = clock.now
    for _ in range(120):
        before = player.judged
        run.advance(6)
        judge.words(run)
        if player.judged > before:
            judged_at = clock.now
        clock.now += 0.25
        assert clock.now - judged_at <= max(1.3, 0.3 * (clock.now - began))
    assert player.judged < 15


def test_a_flip_is_judged_soon_however_long_ago_the_next_judgement_was_put_off() -> None:
    clock, player, judge, run = slowly_judged()
    run.advance(60)
    judge.words(run)
    clock.now += 60
    judge.words(run)
    run.happen("gc", "gc")
    for _ in range(4):
        clock.now += 0.25
        judge.words(run)
    assert player.judged == 2, "a collection is no flip"
    run.happen("toggle", "grow off", name="grow", value=False)
    for _ in range(4):
        clock.now += 0.25
        judge.words(run)
    assert player.judged == 3


def test_the_first_seconds_after_a_late_flip_are_judged_as_those_of_a_young_run() -> None:
    """Seen: the level of the first half second stood over two seconds of a curve that fell on."""
    clock, player, judge, run = slowly_judged()
    run.advance(60)
    judge.words(run)
    clock.now += 60
    judge.words(run)
    run.happen("toggle", "grow off", name="grow", value=False)
    for _ in range(12):
        judge.words(run)
        clock.now += 0.25
    assert player.judged == 5


def test_what_was_drawn_of_the_newest_runs_is_kept_and_of_older_ones_forgotten() -> None:
    player = StandInPlayer()
    judge = Judge(player, Clock())
    names = []
    for _ in range(MOST_FITS + 2):
        run = player.start({})
        run.advance(100)
        judge.words(run)
        names.append(run.name)
    assert [bool(judge.fits_of(name)) for name in names] == [False] * 2 + [True] * MOST_FITS


def test_a_run_without_steps_is_not_judged() -> None:
    player = StandInPlayer()
    assert Judge(player, Clock()).words(player.start({})).verdict == ()
    assert player.judged == 0


def test_the_words_on_one_run_are_not_shown_for_the_next() -> None:
    player = StandInPlayer()
    judge = Judge(player, Clock())
    first = player.start({})
    first.advance(100)
    assert judge.words(first).verdict
    assert judge.words(player.start({})).verdict == ()


def test_a_fault_in_judging_becomes_a_sentence() -> None:
    class Faulty(StandInPlayer):
        def judge(self, source: StandInRun) -> Diagnosis:
            raise ZeroDivisionError("division by zero")

    player = Faulty()
    run = player.start({})
    run.advance(5)
    said = Judge(player, Clock()).words(run).verdict
    assert said == ("no verdict: judging failed (ZeroDivisionError: division by zero)",)


class Saying(StandInPlayer):
    """A player whose judgements have given labels, one after the other; `flat|shift`: a flip."""

    def __init__(self, *labels: str) -> None:
        super().__init__()
        self.labels = list(labels)

    def judge(self, source: StandInRun) -> Diagnosis:
        if self.labels[0] == "refused":
            raise LabkitError(self.labels.pop(0))
        labels: list[Label] = self.labels.pop(0).split("|")  # type: ignore[assignment]
        verdicts = tuple(verdict_of(label, source.count) for label in labels)
        run = source.snapshot()
        flips = (
            Event(place, "toggle", "", {"name": "grow", "value": True})
            for place in range(1, len(labels))
        )
        run = replace(run, events=tuple(flips))
        return Diagnosis(run, run, verdicts)


def told_second_by_second(*labels: str, ends: bool = False) -> list[Words]:
    player, clock = Saying(*labels), Clock()
    judge, run, told = Judge(player, clock), player.start({}), []
    for place in range(len(labels)):
        run.advance(1)
        if ends and place == len(labels) - 1:
            run.state = State("done")
        told.append(judge.words(run))
        clock.now += 1.5
    return told


def newest(told: list[Words]) -> list[str]:
    return [said.verdict[-1].removeprefix("steps 1-1: ").removeprefix("so far: ") for said in told]


def test_a_label_in_doubt_is_looked_at_again_soon_however_expensive_that_is() -> None:
    """Found: "flat" stood above a curve that had climbed for four seconds."""
    clock = Clock()

    class Slow(Saying):
        def judge(self, source: StandInRun) -> Diagnosis:
            clock.now += 0.1
            return super().judge(source)

    player = Slow("flat", "slowdown", "slowdown")
    judge, run = Judge(player, clock), player.start({})
    run.advance(60)
    judge.words(run)
    clock.now += 6
    assert newest([judge.words(run)])[0].startswith("flat"), "one judgement alone moves no label"
    clock.now += 0.5
    assert newest([judge.words(run)])[0].startswith("slowdown")


def test_what_is_said_of_a_run_in_progress_is_marked_as_provisional() -> None:
    going, done = told_second_by_second("flat", "flat", ends=True)
    assert going.verdict == (f"so far: {at('flat', 1)}",)
    assert done.verdict == (at("flat", 2),)


def test_what_the_machine_did_is_told_once_and_beside_the_verdict() -> None:
    player = BusyPlayer()
    run = player.start({})
    run.advance(60)
    player.set("grow", "off")
    run.advance(60)
    told = Judge(player, Clock()).words(run)
    assert len(told.verdict) == 2 and not any("programs" in line for line in told.verdict)
    assert told.machine.startswith(f"{TOLD}; ")


def test_a_label_that_comes_and_goes_is_not_shown() -> None:
    told = told_second_by_second("flat", "shift", "flat", "slowdown", "flat")
    assert newest(told) == [at("flat", count) for count in (1, 1, 3, 3, 5)]


@pytest.mark.parametrize("second", ["slowdown", "shift"])
def test_a_label_left_twice_in_a_row_is_given_up(second: str) -> None:
    told = told_second_by_second("flat", "slowdown", second, second)
    assert newest(told) == [at("flat", 1), at("flat", 1), at(second, 3), at(second, 4)]


def test_the_first_label_a_stretch_gets_is_shown_at_once() -> None:
    assert newest(told_second_by_second("too_short", "slowdown"))[-1] == at("slowdown", 2)
    assert newest(told_second_by_second("slowdown", "slowdown|too_short"))[-1] == at("too_short", 2)


def test_the_last_word_on_a_run_does_not_wait() -> None:
    assert newest(told_second_by_second("flat", "slowdown", ends=True))[-1] == at("slowdown", 2)


def test_a_refusal_does_not_outlive_the_next_judgement() -> None:
    assert newest(told_second_by_second("flat", "refused", "slowdown"))[1:] == [
        "refused", at("slowdown", 3),
    ]  # fmt: skip
