"""The repair of retracing is chosen by what was new. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.diagnosis.retraced import FEWEST_TRACES, FIXES, explained
from labkit.record import Event, Finding, Run, State, Steps
from labkit.record.proof import KeptForEver, TracedAnew
from labkit.show.report.fixes import fix_code
from labkit.show.report.loop_words import NEW, traced_words

FINDING = Finding("retracing", "memory", 1.0, KeptForEver((("traces", 1.0),), 0.0), "trace_once")


def traced(times: int, reason: str, argument: str = "", function: str = "step") -> list[Event]:
    told = {"function": function, "reason": reason, "argument": argument}
    return [
        Event(at, "trace", "", {**told, "was": f"{at}.0", "now": f"{at + 1}.0"})
        for at in range(times)
    ]


def said(events: list[Event], finding: Finding = FINDING) -> Finding:
    steps = Steps({"start_seconds": [0.0], "seconds": [0.1]})
    run = Run("train.py", "train.py", State("done"), (), steps, events=tuple(events))
    return explained([finding], run)[0]


def test_a_number_that_is_new_each_time_is_to_be_handed_over_as_a_tensor() -> None:
    found = said(traced(9, "value", "rate"))
    assert found.traced == TracedAnew("step", 9, "value", "rate", "8.0", "9.0")
    assert "step(..., tf.constant(rate))" in fix_code(found)
    assert traced_words(found.traced) == (
        "step was traced 9 times: `rate` was a Python value, another one each time (8.0, then 9.0)."
    )


def test_a_function_that_is_made_anew_is_to_be_made_once() -> None:
    """Recorded: `reduce_retracing` was proposed for it, and left the loop as slow as before."""
    found = said(traced(9, "first"))
    assert "make step once, before the loop" in fix_code(found)
    assert "reduce_retracing" not in fix_code(found)


def test_the_repair_of_a_lambda_has_a_name_that_can_be_written() -> None:
    for reason in ("first", "value", "shape", "other"):
        code = fix_code(said(traced(9, reason, "rate", function="<lambda>")))
        assert code and "<" not in code and "train_step" in code


def test_what_is_new_most_often_is_told() -> None:
    events = traced(6, "first", function="made") + traced(20, "shape", "batch")
    assert said(events).fix == "one_shape"


def test_an_argument_that_was_not_there_before_has_no_parts_to_be_joined() -> None:
    bare = {"function": "score", "reason": "other", "argument": "age", "was": "", "now": ""}
    found = said([Event(at, "trace", "", bare) for at in range(9)])
    assert found.fix == "trace_once" and "def score(x, y)" in fix_code(found)
    assert said(traced(9, "other", "batch")).fix == "one_tensor"


def test_a_few_traces_of_a_healthy_start_explain_nothing() -> None:
    assert said(traced(FEWEST_TRACES - 1, "first")) == FINDING


def test_a_run_that_has_no_reasons_and_another_cause_stay_as_they_are() -> None:
    bare = [Event(at, "trace", "", {"function": "step"}) for at in range(9)]
    assert said(bare) == FINDING
    other = Finding("graph_growth", "growth", 1.0, FINDING.proof, "build_once")
    assert said(traced(9, "value", "rate"), other) == other


@pytest.mark.parametrize("reason", FIXES)
def test_each_reason_has_words_and_a_repair(reason: str) -> None:
    assert reason in NEW
    code = fix_code(said(traced(9, reason, "batch")))
    assert code and "{" not in code
