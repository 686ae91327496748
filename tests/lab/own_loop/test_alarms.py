"""Alarms count only if fresh loops raise them again. Tier: make test. No loop is run here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from labkit.lab.own_loop.alarms.alarm import Alarm, alarm_sentence, alarms
from labkit.lab.own_loop.alarms.confirmed import confirmed, why_unconfirmed
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import KINDS, LOOPS, alarm_kinds
from labkit.record import ChoiceError, Ledger, Memory, Run, State, Steps, Verdict
from labkit.record.loop import SourceLoop
from labkit.record.verdict import LABELS, Spikes
from tests.made_diagnosis import made_diagnosis


def said(
    label: str = "flat",
    grows: Sequence[str] = (),
    growth: float = 0.5,
    state: str = "done",
    run: Run | None = None,
) -> Diagnosed:
    run = run or Run(
        "own_loop", "made", State(state), (), Steps({"start_seconds": [0.0], "seconds": [0.1]})
    )  # type: ignore[arg-type]
    verdict = Verdict(label, growth, growth - 0.1, growth + 0.1)  # type: ignore[arg-type]
    memory = Memory("leaking" if grows else "flat", 8.0 if grows else 0.0, tuple(grows))
    return Diagnosed(made_diagnosis(verdict, memory, Ledger(), run=run))


class Telling:
    """Says one thing after the other, as fresh loops would, and counts."""

    def __init__(self, *every: Diagnosed) -> None:
        self.every = list(every)
        self.told = 0

    def __call__(self) -> Diagnosed:
        self.told += 1
        return self.every[min(self.told, len(self.every)) - 1]


@pytest.mark.parametrize("label", LABELS)
def test_what_gets_slower_raises_an_alarm_whatever_its_shape_and_nothing_else(label: str) -> None:
    wanted = {Alarm("slowdown")} if label in ("slowdown", "shift") else frozenset()
    assert alarms(said(label), KINDS) == wanted


def test_each_counter_that_rises_is_an_alarm_of_its_own() -> None:
    raised = alarms(said("flat", ["files", "threads"]), KINDS)
    assert raised == {Alarm("leaking", "files"), Alarm("leaking", "threads")}


def test_only_the_alarms_that_are_wanted_are_raised() -> None:
    both = said("slowdown", ["files"])
    assert alarms(both, ["slowdown"]) == {Alarm("slowdown")}
    assert alarms(both, ["leaking"]) == {Alarm("leaking", "files")}
    assert alarms(both, []) == frozenset()


def test_less_growth_than_is_tolerated_raises_none() -> None:
    assert alarms(said("slowdown", growth=0.08), KINDS, 0.1) == frozenset()
    assert alarms(said("slowdown", growth=0.12), KINDS, 0.1) != frozenset()


def test_a_quiet_loop_is_asked_once() -> None:
    telling = Telling(said())
    assert confirmed(telling, KINDS).raised == frozenset() and telling.told == 1


def test_an_alarm_that_every_loop_raises_counts() -> None:
    telling = Telling(said("slowdown", ["files", "threads"]), said("shift", ["files"]))
    assert confirmed(telling, KINDS).raised == {Alarm("slowdown"), Alarm("leaking", "files")}
    assert telling.told == LOOPS == 3


def test_an_alarm_that_a_fresh_loop_does_not_raise_is_gone_and_no_more_are_asked() -> None:
    telling = Telling(said("slowdown"), said("slowdown"), said("flat"))
    last = confirmed(telling, KINDS)
    assert last.raised == frozenset() and last.said.diagnosis.verdict.label == "flat"
    telling = Telling(said("slowdown"), said("flat"), said("slowdown"))
    assert confirmed(telling, KINDS).raised == frozenset() and telling.told == 2


def test_a_leak_now_here_and_now_there_is_none() -> None:
    telling = Telling(said(grows=["files"]), said(grows=["threads"]))
    assert confirmed(telling, KINDS).raised == frozenset() and telling.told == 2


def test_a_fresh_loop_that_fails_confirms_nothing_and_takes_nothing_away() -> None:
    telling = Telling(said("slowdown"), said("slowdown", state="failed"))
    last = confirmed(telling, KINDS)
    assert last.failed is not None and last.failed.run.state.name == "failed"
    assert last.said.diagnosis.verdict.label == "slowdown" and last.raised == frozenset()
    assert telling.told == 2


def test_who_wants_it_to_end_has_no_fresh_loop_made() -> None:
    telling = Telling(said("slowdown"), said("slowdown"), said("slowdown"))
    last = confirmed(telling, KINDS, stopped=lambda: telling.told == 2)
    assert last.stopped and telling.told == 2
    assert last.raised == last.dropped == frozenset() and last.failed is None
    quiet = Telling(said())
    assert not confirmed(quiet, KINDS, stopped=lambda: True).stopped, "nothing was left to confirm"


def test_a_fresh_script_that_finds_nothing_to_do_confirms_nothing() -> None:
    empty = Run("own_loop", "m", State("done"), (), Steps({"start_seconds": [], "seconds": []}))
    last = confirmed(Telling(said("slowdown"), said(run=empty)), KINDS)
    assert last.failed is not None and last.said.diagnosis.verdict.label == "slowdown"


def test_a_loop_that_fails_at_once_is_asked_once() -> None:
    telling = Telling(said("slowdown", state="failed"))
    last = confirmed(telling, KINDS)
    assert last.said.run.state.name == "failed" and last.failed is None and telling.told == 1


def test_the_sentence_names_what_was_raised_in_the_order_of_the_diagnosis() -> None:
    last = said("slowdown", ["threads", "tensors", "files", "bytes", "blocks"])
    every = alarms(last, KINDS)
    assert alarm_sentence(every, last) == (
        "it slows down and leaks (threads, tensors, files and 2 more)"
    )
    assert alarm_sentence([Alarm("slowdown")], last) == "it slows down"
    assert alarm_sentence([Alarm("leaking", "files")], last) == "it leaks (files)"


@pytest.mark.parametrize(
    ("label", "hidden", "tested"),
    [("flat", 1.2, False), ("flat", 0.9, True), ("spikes", 4.0, False), ("slowdown", 4.0, True)],
)
def test_where_a_doubling_could_hide_nothing_was_tested(
    label: str, hidden: float, tested: bool
) -> None:
    each = said(label).longest
    verdict = replace(each.verdict, smallest_growth=hidden)
    each = replace(each, verdicts=(verdict,))
    assert untested(each, KINDS[:1]) == (() if tested else ("slowdown",))
    assert tested or "vary too much" in untested_sentence(each)


def test_an_alarm_that_there_is_not_is_refused_with_the_choices() -> None:
    with pytest.raises(ChoiceError, match=r"'slowdwn' \(did you mean 'slowdown'\?\).* leaking"):
        alarm_kinds(["leaking", "slowdwn"])


def test_an_alarm_of_any_loop_of_a_script_counts_if_it_is_the_same_loop_s_each_time() -> None:
    def script(first: Diagnosed, second: Diagnosed) -> Diagnosed:
        loops = [
            replace(each.diagnosis, loop=SourceLoop("for", "train.py", line))
            for line, each in ((10, first), (20, second))
        ]
        return Diagnosed(loops[0], tuple(loops[1:]))

    leaks, sound = said("flat", ["files"]), said("flat")
    assert confirmed(Telling(script(sound, leaks)), KINDS).raised == {
        Alarm("leaking", "files", "train.py:20")
    }
    now_here_now_there = Telling(script(sound, leaks), script(leaks, sound))
    assert confirmed(now_here_now_there, KINDS).raised == frozenset()
    every = script(sound, leaks)
    assert alarm_sentence(alarms(every, KINDS), every) == "it leaks (files)"


def of_loop(line: int, told: Diagnosed) -> Diagnosed:
    loop = SourceLoop("for", "/home/me/train.py", line, "for batch in data:", line + 3)
    return Diagnosed(replace(told.diagnosis, loop=loop))


def test_a_training_that_does_not_come_again_is_not_refuted() -> None:
    """Seen: a script that found its own checkpoint leaked in its first run, and passed the gate."""
    last = confirmed(Telling(of_loop(7, said(grows=["files"])), of_loop(20, said())), KINDS)
    assert last.failed is not None and last.raised == frozenset()
    assert alarms(last.said, KINDS) == {Alarm("leaking", "files", "train.py:7")}


def test_a_training_that_is_healthy_the_second_time_is_refuted() -> None:
    last = confirmed(Telling(of_loop(7, said(grows=["files"])), of_loop(7, said())), KINDS)
    assert last.failed is None and last.raised == frozenset()


def in_script(*loops: tuple[int, Diagnosed]) -> Diagnosed:
    """Return what is said of a script whose loops begin in these lines, the longest first."""
    every = [of_loop(line, told).diagnosis for line, told in loops]
    return Diagnosed(every[0], tuple(every[1:]))


def unknown(told: Diagnosed) -> Diagnosed:
    return Diagnosed(replace(told.diagnosis, memory=Memory("flat", 0.0, (), known=False)))


def test_a_loop_that_is_too_short_the_second_time_is_not_refuted() -> None:
    """Seen: of a pretraining that leaked a second run did 20 steps, and the gate was passed."""
    leaks, short = said(grows=["files"]), unknown(said("too_short"))
    first = in_script((7, leaks), (20, said()))
    last = confirmed(Telling(first, in_script((20, said()), (7, short))), KINDS)
    assert last.said is first and last.failed is not None and last.raised == frozenset()
    told = why_unconfirmed(first, last.failed, KINDS)
    assert "too short" in told and not told.endswith(".")


def test_the_long_run_is_told_and_not_the_short_one_that_did_not_confirm_it() -> None:
    first = said("slowdown", ["files"])
    telling = Telling(first, unknown(said("too_short")))
    last = confirmed(telling, KINDS)
    assert last.said is first and last.failed is not None and telling.told == 2
    assert last.dropped == {Alarm("slowdown"), Alarm("leaking", "files")}


def test_what_is_raised_each_time_counts_whatever_else_was_too_short() -> None:
    both = said("slowdown", ["files"])
    telling = Telling(both, unknown(said("slowdown")))
    assert confirmed(telling, KINDS).raised == {Alarm("slowdown")} and telling.told == LOOPS


def test_what_was_too_short_once_is_not_refuted_where_all_else_is() -> None:
    both, first = said("slowdown", ["files"]), said("slowdown", ["files"])
    last = confirmed(Telling(first, unknown(said("slowdown")), said()), KINDS)
    assert last.said is first and last.failed is not None and last.raised == frozenset()
    assert last.dropped == alarms(both, KINDS)


@pytest.mark.parametrize(
    ("share", "rising", "told"), [(0.86, 3.0, False), (0.3, 3.0, True), (0.86, 0.5, True)]
)
def test_a_loop_that_spends_most_of_its_time_in_spikes_that_get_longer_is_not_tested(
    share: float, rising: float, told: bool
) -> None:
    one = said().diagnosis
    verdict = replace(one.verdict, spike_share=share, spikes=Spikes(5, rising=rising))
    one = replace(one, verdicts=(verdict,))
    assert one.verdict == verdict
    assert (untested(one, KINDS) == ()) == told
    if not told:
        assert untested_sentence(one).startswith("86% of the time lies in a few steps")


def at_level(label: str, growth: float, first_seconds: float, last_seconds: float) -> Diagnosed:
    each = said(label, growth=growth).diagnosis
    verdict = replace(each.verdict, first_seconds=first_seconds, last_seconds=last_seconds)
    return Diagnosed(replace(each, verdicts=(verdict,)))


def test_a_run_as_slow_from_its_first_step_as_the_one_before_at_its_end_refutes_nothing() -> None:
    """Seen: each step went through a folder that it filled; its second run found it full."""
    first = at_level("slowdown", 2.0, 0.004, 0.012)
    last = confirmed(Telling(first, at_level("flat", 0.0, 0.011, 0.011)), KINDS)
    assert last.said is first and last.failed is not None and last.raised == frozenset()
    assert "in an empty folder" in why_unconfirmed(first, last.failed, KINDS)


@pytest.mark.parametrize(("growth", "again_seconds"), [(2.0, 0.005), (0.5, 0.012)])
def test_a_run_that_is_as_fast_as_at_first_or_of_little_more_refutes_a_slowdown(
    growth: float, again_seconds: float
) -> None:
    first = at_level("slowdown", growth, 0.004, 0.004 * (1 + growth))
    again = at_level("flat", 0.0, again_seconds, again_seconds)
    last = confirmed(Telling(first, again), KINDS)
    assert last.failed is None and last.raised == frozenset()


def test_files_that_stay_are_not_refuted_by_a_run_that_writes_over_them() -> None:
    """Seen: a checkpoint of each step was kept, and the gate passed it in its second run."""
    first = said(grows=["folder_files"])
    last = confirmed(Telling(first, said()), KINDS)
    assert last.said is first and last.failed is not None
    assert "were still there" in why_unconfirmed(first, last.failed, KINDS)


def test_where_files_stay_what_all_runs_raise_counts_all_the_same() -> None:
    first, again = said(grows=["folder_files", "heap_bytes"]), said(grows=["heap_bytes"])
    assert confirmed(Telling(first, again), KINDS).raised == {Alarm("leaking", "heap_bytes")}
