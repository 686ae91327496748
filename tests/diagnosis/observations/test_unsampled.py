"""Steps that were looked at closely go; events and evidence keep their place."""

from dataclasses import replace

from labkit.diagnosis import unsampled
from labkit.record import Event
from tests.diagnosis.known import made_run, rising, sampled


def test_a_run_that_was_not_sampled_is_returned_as_it_is():
    run = made_run({"run": rising(50, 1e-3, 2e-3)})
    assert unsampled(run) is run


def test_marked_steps_go_and_the_others_stay_in_order():
    run = made_run({"run": rising(50, 1e-3, 2e-3)})
    marks = [step % 10 == 3 for step in range(50)]
    plain = unsampled(sampled(run, marks))
    assert len(plain.steps) == 45
    kept = [value for value, mark in zip(run.steps.seconds, marks, strict=True) if not mark]
    assert list(plain.steps.seconds) == kept


def test_events_and_evidence_are_told_of_the_same_steps_as_before():
    run = made_run({"run": rising(50, 1e-3, 2e-3)}, events=[Event(20, "gc", "a collection")])
    run = replace(run, evidence={"figures": ((2, 1.0), (40, 5.0))})
    plain = unsampled(sampled(run, [step in (1, 4, 30) for step in range(50)]))
    assert plain.events[0].step == 18
    assert plain.steps.seconds[18] == run.steps.seconds[20]
    assert plain.evidence == {"figures": ((1, 1.0), (37, 5.0))}
