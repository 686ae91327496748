"""What keeps the memory: a list of the loop's, or what it has left open. Tier: make quick."""

from __future__ import annotations

import pytest

from labkit.diagnosis.evidence import Evidence
from labkit.diagnosis.findings.memory import kept_for_ever, memory_findings, memory_verdict
from labkit.record.diagnosis import Climb


def cause(*rising: str, held: tuple[str, ...] = ()) -> str:
    """Return the cause of what rises by 500 kB a step."""
    climbs = {name: Climb(name, 5e5, 0.0, 5e8) for name in rising}
    evidence = Evidence(climbs, {}, (), {}, held=frozenset(held))
    grows = kept_for_ever(evidence)
    return memory_findings(memory_verdict(grows, evidence), grows, evidence)[0].cause


@pytest.mark.parametrize("rising", ["heap_bytes", "live_tensors"])
def test_what_tensorflow_keeps_is_kept_by_a_tape_that_is_open_at_each_step_s_end(
    rising: str,
) -> None:
    assert cause(rising, held=("open_tapes",)) == "open_tape"
    assert cause(rising) == "kept_objects"


@pytest.mark.parametrize("rising", ["kept/history", "open_files", "graph_ops"])
def test_what_the_loop_itself_keeps_is_not_the_tape_s(rising: str) -> None:
    assert cause(rising, held=("open_tapes",)) != "open_tape"
