"""The rules: each row says what it shares with others. Tier: make quick."""

from __future__ import annotations

from itertools import combinations

import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.rules import RULES, Rule
from labkit.record.proof import PlacesGrew
from tests.diagnosis.watched import STEPS, ramp, watched


@pytest.mark.parametrize(("one", "other"), combinations(RULES, 2), ids=lambda row: row.cause)
def test_of_two_causes_with_a_place_in_common_one_yields(one: Rule, other: Rule) -> None:
    shared = {*one.places, *one.work_places} & {*other.places, *other.work_places}
    yields = (one.cause in other.yields_to) + (other.cause in one.yields_to)
    assert yields == bool(shared)


def test_nothing_is_kept_by_two_causes() -> None:
    kept = [name for row in RULES for name in row.keeps]
    assert len(kept) == len(set(kept))


def test_a_shared_place_goes_to_the_cause_that_has_it_first_where_both_counters_rise() -> None:
    steps = range(STEPS)
    places = {"session_run_seconds": ramp(1e-3, 4e-3)}
    graph = {"graph_ops": [5.0 * step for step in steps]}
    sessions = {"sessions": [float(step) for step in steps]}
    for counters, cause in ((graph, "graph_growth"), ({**graph, **sessions}, "session_churn")):
        (finding,) = [each for each in examine(watched(places, counters=counters)).findings
                      if each.kind == "growth"]  # fmt: skip
        assert finding.cause == cause and isinstance(finding.proof, PlacesGrew)
        assert [name for name, _ in finding.proof.places] == ["session_run_seconds"]
