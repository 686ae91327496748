"""Judge: dear judgements are asked for seldom, once at the end, and never lost to a fault."""

from __future__ import annotations

from labkit.record import Judgement, State
from labkit.show.judge import Judge
from tests.show.standin import TOGGLES, StandInPlayer, StandInRun


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def started(player: StandInPlayer) -> StandInRun:
    return player.start({toggle.name: toggle.default for toggle in TOGGLES})


def test_a_run_in_progress_is_judged_once_a_second() -> None:
    player, clock = StandInPlayer(), Clock()
    judge, run = Judge(player, clock), started(player)
    for _ in range(40):
        run.advance(10)
        judge.words(run)
        clock.now += 0.25
    assert player.judged == 10


def test_a_finished_run_is_judged_once() -> None:
    player, clock = StandInPlayer(), Clock()
    judge, run = Judge(player, clock), started(player)
    run.advance(60)
    judge.words(run)
    run.state = State("done")
    for _ in range(5):
        clock.now += 10
        said = judge.words(run)
    assert player.judged == 2
    assert "so far" not in said.verdict[0]


def test_a_dear_judgement_is_asked_for_more_seldom() -> None:
    clock = Clock()

    class Slow(StandInPlayer):
        def judge(self, source: StandInRun) -> Judgement:
            clock.now += 0.1
            return super().judge(source)

    player = Slow()
    judge, run = Judge(player, clock), started(player)
    run.advance(60)
    for _ in range(16):
        judge.words(run)
        clock.now += 0.25
    assert player.judged == 1


def test_a_run_without_steps_is_not_judged() -> None:
    player = StandInPlayer()
    assert Judge(player, Clock()).words(started(player)).verdict == ()
    assert player.judged == 0


def test_the_words_on_one_run_are_not_shown_for_the_next() -> None:
    player = StandInPlayer()
    judge = Judge(player, Clock())
    first = started(player)
    first.advance(100)
    assert judge.words(first).verdict
    assert judge.words(started(player)).verdict == ()


def test_a_fault_in_judging_becomes_a_sentence() -> None:
    class Faulty(StandInPlayer):
        def judge(self, source: StandInRun) -> Judgement:
            raise ZeroDivisionError("division by zero")

    player = Faulty()
    run = started(player)
    run.advance(5)
    said = Judge(player, Clock()).words(run).verdict
    assert said == ("no verdict: judging failed (ZeroDivisionError: division by zero)",)
