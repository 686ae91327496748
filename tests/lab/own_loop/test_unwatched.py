"""What a script did where no step shows it: what is said, and what keeps a gate from passing.

Tier: make quick.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from labkit.diagnosis.script.loops import step_loops
from labkit.lab.own_loop.unwatched import Unwatched, unwatched
from labkit.record.loop import (
    CHILDREN_SECONDS,
    TENSORFLOW_CHILDREN_SECONDS,
    UNSEEN_CHANGES,
    UNSEEN_SECONDS,
    UNSEEN_TRAININGS,
)
from tests.diagnosis.script.rows import Row, script

ROWS: list[Row] = [(1, 0, True, 1, 0.2)] * 100  # 20 s


def said(**evidence: float) -> Unwatched:
    run = script(ROWS, epochs="for")
    run = replace(run, evidence={name: ((100, each),) for name, each in evidence.items()})
    return unwatched(run, step_loops(run))


@pytest.mark.parametrize(("seconds", "large"), [(2.0, False), (9.0, False), (11.0, True)])
def test_children_in_which_tensorflow_worked_are_said(seconds: float, large: bool) -> None:
    found = said(**{TENSORFLOW_CHILDREN_SECONDS: seconds, CHILDREN_SECONDS: 50.0})
    assert found.large is large
    assert f"worked for {seconds:.0f} s in processes that the script started, beside 20 s" in (
        found.sentence
    )


@pytest.mark.parametrize(
    "evidence",
    [{}, {CHILDREN_SECONDS: 500.0}, {TENSORFLOW_CHILDREN_SECONDS: 1.9}, {UNSEEN_TRAININGS: 49.0}],
)
def test_children_without_it_beside_a_script_that_trains_are_not(
    evidence: dict[str, float],
) -> None:
    assert said(**evidence) == Unwatched()


def test_trainings_elsewhere_come_first() -> None:
    found = said(**{UNSEEN_TRAININGS: 50.0, TENSORFLOW_CHILDREN_SECONDS: 90.0})
    assert found.large and found.sentence.startswith("The script trained 50 times outside")


@pytest.mark.parametrize(("times", "seconds", "said_"), [
    (40.0, 11.0, "trained 40 times outside the loops that labkit sees, for 11.0 s, as by exec"),
    (1.0, 30.0, "trained 1 time outside"), (40.0, 9.0, ""), (49.0, 0.1, ""),
])  # fmt: skip
def test_few_trainings_elsewhere_that_took_long_keep_a_gate_from_passing(
    times: float, seconds: float, said_: str
) -> None:
    """Recorded: 40 long epochs, each compiled whole, in a thread, and the gate passed."""
    found = said(**{UNSEEN_TRAININGS: times, UNSEEN_SECONDS: seconds})
    assert found.large is bool(said_) and said_ in found.sentence


@pytest.mark.parametrize(("seconds", "large"), [(11.0, True), (9.0, False), (0.0, False)])
def test_what_changed_weights_elsewhere_counts_only_where_it_took_long(
    seconds: float, large: bool
) -> None:
    """Recorded: moving averages in a thread, most of the script's time, and the gate passed."""
    found = said(**{UNSEEN_CHANGES: 900.0, UNSEEN_SECONDS: seconds})
    assert found.large is large
    assert found.sentence.startswith("The script trained 900 times outside") is large
