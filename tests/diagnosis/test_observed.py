"""One stretch is diagnosed as if there were no other, without steps that were looked at closely."""

from dataclasses import replace

import numpy as np

from labkit.diagnosis import examine, unsampled, until
from labkit.diagnosis.observed import Observed, of_part
from labkit.record import Event
from labkit.record.verdict import Part
from tests.diagnosis.watched import STEPS, flip, ramp, sampled, watched

FLIP = STEPS // 2
LATE = np.arange(STEPS) >= FLIP


def flipped(run):
    return replace(run, toggles={"grow": False}, events=(flip(FLIP, True),))


def test_a_run_without_a_flip_is_diagnosed_whole():
    run = watched(rest=ramp(1e-3, 3e-3))
    assert examine(run).run is run


def test_of_a_flipped_run_the_stretch_that_slows_speaks_and_the_other_costs_nothing():
    """Expensive but steady before the flip: half of every step, which the slower half never had."""
    places = {
        "tracing_seconds": np.where(LATE, 0.0, 8e-3),
        "session_run_seconds": np.where(LATE, 1e-3 + 2e-5 * np.maximum(0, np.arange(STEPS) - FLIP),
                                        0.0),
    }  # fmt: skip
    counters = {"traces": np.minimum(np.arange(STEPS), FLIP), "graph_ops": np.arange(STEPS)}
    run = flipped(watched(places, counters=counters, evidence={"kept/losses": np.arange(STEPS)}))
    said = examine(run)
    found = said.run
    assert len(found.steps) == FLIP and found.title == "Made, steps 200-399"
    assert found.toggles == {"grow": True} and found.events == ()
    assert found.evidence["kept/losses"][0] == (0, FLIP)
    assert len(found.stretches()) == 1
    assert said.verdict.slower
    assert {each.cause for each in said.findings} == {"graph_growth"}


def test_where_nothing_slows_the_longest_stretch_speaks():
    run = watched(events=[flip(50, False)])
    assert len(examine(run).run.steps) == STEPS - 50


def test_a_run_cut_short_keeps_what_was_counted_at_its_end_alone():
    events = tuple(Event(step, "collection", "", {}) for step in (50, 299, 300))
    run = watched(evidence={"kept/losses": np.arange(STEPS)}, closing={"kernel_cache_bytes": 7e6})
    run.evidence["kept/losses"] += ((STEPS, float(STEPS)),)
    found = until(replace(run, events=events), 300)
    assert len(found.steps) == 300 and found.state == run.state
    assert [event.step for event in found.events] == [50, 299]
    # Put at an earlier step, the last count would make all of it grow faster than it did.
    assert found.evidence["kept/losses"][-1] == (300, 300)
    assert found.evidence["kernel_cache_bytes"] == ((300, 7e6),)


def test_a_run_cut_at_its_end_is_the_same_run():
    run = watched(evidence={"kept/losses": np.arange(STEPS)})
    assert examine(until(run, STEPS)) == examine(run)


def test_a_run_that_was_not_sampled_is_returned_as_it_is():
    run = watched({"run": ramp(1e-3, 2e-3, 50)})
    assert unsampled(run) is run


def test_marked_steps_go_and_the_others_stay_in_order():
    run = watched({"run": ramp(1e-3, 2e-3, 50)})
    marks = [step % 10 == 3 for step in range(50)]
    plain = unsampled(sampled(run, marks))
    assert len(plain.steps) == 45
    kept = [value for value, mark in zip(run.steps.seconds, marks, strict=True) if not mark]
    assert list(plain.steps.seconds) == kept


def test_events_and_evidence_are_told_of_the_same_steps_as_before():
    run = watched({"run": ramp(1e-3, 2e-3, 50)}, events=[Event(20, "gc", "a collection")])
    run = replace(run, evidence={"figures": ((2, 1.0), (40, 5.0))})
    plain = unsampled(sampled(run, [step in (1, 4, 30) for step in range(50)]))
    assert plain.events[0].step == 18
    assert plain.steps.seconds[18] == run.steps.seconds[20]
    assert plain.evidence == {"figures": ((1, 1.0), (37, 5.0))}


def test_of_every_second_step_what_was_read_is_told_of_the_same_steps_as_before():
    """Seen: readings of steps that are not there, and a mean of nothing."""
    run = replace(watched(), evidence={"figures": ((1, 1.0), (STEPS - 2, 5.0))})
    part = of_part(Observed(run, run), Part(2, (1,), 0.1)).judged
    assert len(part.steps) == STEPS // 2
    assert part.evidence == {"figures": ((0, 1.0), (STEPS // 2 - 1, 5.0))}
    assert part.steps.seconds[0] == run.steps.seconds[1]


def test_what_the_whole_run_keeps_is_told_of_a_part_of_it():
    """In half of it, what rises only from step 80 on may have been built once."""
    run = watched(evidence={"kept/losses": np.maximum(0, np.arange(STEPS) - 80)})
    part = until(run, FLIP)
    assert examine(part).memory.label == "flat"
    said = examine(part, whole=run)
    assert said.memory.label == "leaking" and len(said.judged.steps) == FLIP


def test_its_first_steps_are_so_many_besides_those_looked_at():
    run = sampled(watched(), np.arange(STEPS) % 10 == 3)
    part = Observed(run, unsampled(run)).first(90)
    assert (len(part.judged.steps), len(part.run.steps)) == (90, 100)
