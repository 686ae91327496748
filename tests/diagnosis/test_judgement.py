"""A run is judged stretch by stretch."""

import numpy as np
import pytest

from labkit.diagnosis import judgement, observed
from labkit.record import LabkitError, Ledger, State, Stretch
from tests.diagnosis.watched import flip, ramp, sampled, watched


def test_one_stretch_has_one_verdict_and_its_ledger():
    said = judgement(watched({"a": ramp(2e-3, 6e-3, 200)}))
    assert said.stretches == (Stretch(0, 200, {"grow": True}),)
    assert said.verdict.label == "slowdown"
    assert said.ledger.rows[0].place == "a"
    assert not said.provisional


def test_a_flip_cuts_the_run():
    """The fix in the middle must not hide the growth before it, nor turn into a speedup."""
    seconds = np.concatenate([ramp(2e-3, 6e-3, 150), np.full(150, 2e-3)])
    said = judgement(watched({"a": seconds}, events=[flip(150, False)]))
    assert [verdict.label for verdict in said.verdicts] == ["slowdown", "flat"]
    assert said.ledger.growth_seconds == pytest.approx(4e-3, rel=0.1)


def test_the_ledger_is_that_of_the_first_stretch_that_got_slower():
    seconds = np.concatenate([np.full(100, 2e-3), ramp(2e-3, 8e-3, 150), np.full(50, 2e-3)])
    said = judgement(watched({"a": seconds}, events=[flip(100, True), flip(250, False)]))
    assert [verdict.label for verdict in said.verdicts] == ["flat", "slowdown", "flat"]
    assert said.ledger.growth_seconds == pytest.approx(6e-3, rel=0.1)
    assert said.ledger.rows[0].share == pytest.approx(1, abs=0.05)


def test_a_level_up_in_a_later_stretch_is_booked_at_its_place():
    seconds = np.concatenate([np.full(90, 9e-3), np.full(80, 2e-3), np.full(80, 4e-3)])
    said = judgement(watched({"a": seconds}, events=[flip(90, True)]))
    assert said.verdicts[1].label == "shift"
    assert said.verdicts[1].onset_step == pytest.approx(80, abs=3)
    assert said.ledger.growth_seconds == pytest.approx(2e-3, rel=0.05)


def test_a_jump_at_the_flip_itself_is_no_slowdown():
    seconds = np.concatenate([np.full(100, 2e-3), np.full(100, 6e-3)])
    said = judgement(watched({"a": seconds}, events=[flip(100, True)]))
    assert [verdict.label for verdict in said.verdicts] == ["flat", "flat"]
    assert said.ledger == Ledger()


def test_short_stretches_are_refused_not_guessed():
    seconds = np.concatenate([np.full(100, 2e-3), ramp(2e-3, 50e-3, 12)])
    said = judgement(watched({"a": seconds}, events=[flip(100, True)]))
    assert [verdict.label for verdict in said.verdicts] == ["flat", "too_short"]
    assert said.ledger == Ledger()


def test_steps_that_were_looked_at_closely_are_not_judged():
    """They take three times as long, and a verdict of them all would be one of the looking."""
    looked = np.arange(200) >= 140
    run = watched({"a": np.where(looked, 6e-3, 2e-3)})
    assert judgement(run).verdict.label == "shift"
    said = judgement(sampled(run, looked))
    assert (said.verdict.label, said.verdict.steps, said.looked_at) == ("flat", 140, 60)
    assert len(said.run.steps) == 200 and said.stretches == (Stretch(0, 140, {"grow": True}),)


def test_a_run_without_steps_is_too_short():
    said = judgement(watched(rest=np.zeros(0), state=State("starting")))
    assert [verdict.label for verdict in said.verdicts] == ["too_short"]
    assert said.provisional


@pytest.mark.parametrize(("state", "provisional"), [("running", True), ("stopped", False)])
def test_a_run_in_progress_is_judged_provisionally(state, provisional):
    said = judgement(watched({"a": np.full(60, 1e-3)}, state=State(state)))
    assert said.provisional is provisional


def test_an_impossible_step_time_is_named():
    with pytest.raises(LabkitError, match=r"The time of step 3 is 0\.0 s"):
        judgement(watched(rest=np.array([1.0, 1.0, 1.0, 0.0, 1.0])))


def test_of_a_quiet_run_no_counter_is_read(monkeypatch):
    """A live verdict is asked for a few times a second, and reading them takes longer than it."""
    monkeypatch.setattr(observed, "evidence", None)
    assert judgement(watched()).verdict.label == "flat"
