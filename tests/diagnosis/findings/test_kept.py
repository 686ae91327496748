"""What keeps the memory: a list of the loop's, or what it has left open. Tier: make quick."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.evidence import Evidence
from labkit.diagnosis.findings.memory import kept_for_ever, memory_findings, memory_verdict
from labkit.record.diagnosis import Climb
from labkit.show.report.terminal import diagnosis_lines
from tests.diagnosis.watched import STEPS, watched


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


DOUBLING = 89e6 + 1e6 * 2.0 ** np.floor(np.log2(np.arange(STEPS) + 8))


def test_what_doubles_whenever_it_is_full_is_unknown_and_never_called_flat() -> None:
    """Seen: a buffer of 80 MB that doubled, and a gate that it passed."""
    said = examine(watched(evidence={"heap_bytes": DOUBLING}))
    assert (said.memory.label, said.memory.known, said.memory.unclear) == ("flat", False, "stairs")
    told = "\n".join(diagnosis_lines(said))
    assert "memory: unknown (it rises in few stairs" in told and "healthy" not in told


def test_where_something_else_leaks_the_stairs_are_no_doubt() -> None:
    kept = np.arange(STEPS, dtype=float)
    said = examine(watched(evidence={"heap_bytes": DOUBLING, "live_tensors": 40 + kept}))
    assert (said.memory.label, said.memory.known) == ("leaking", True)


@pytest.mark.parametrize("most", [3e5, 2e6])
def test_stairs_of_little_are_nobodys_trouble(most: float) -> None:
    small = 89e6 + most / 512 * (DOUBLING - 89e6) / 1e6
    assert examine(watched(evidence={"heap_bytes": small})).memory.known is (most < 2e3 * STEPS)


@pytest.mark.parametrize("kind", ["instances", "kept"])
def test_of_several_the_one_that_piles_up_fastest_comes_first(kind: str) -> None:
    climbs = {
        f"{kind}/{name}": Climb(name, per_step, 0.0, 5e3)
        for name, per_step in (("Slow", 1.0), ("Fast", 5.0), ("Slower", 0.5))
    }
    found = getattr(Evidence(climbs, {}, (), {}), kind)()
    assert [each.name for each in found] == ["Fast", "Slow", "Slower"]


def functions_and_heap(functions: float, heap: float) -> list[str]:
    """Return what is kept, of registered functions and heap that rise by so much per step."""
    rises = {"py_functions": functions, "heap_bytes": heap}
    climbs = {name: Climb(name, each, 0.0, each * 1e3) for name, each in rises.items() if each}
    return [each.name for each in kept_for_ever(Evidence(climbs, {}, (), {}))]


def test_a_pipeline_from_a_generator_in_each_epoch_is_no_leak() -> None:
    """TensorFlow keeps 3 functions of it, 1.5 kB: 12 bytes per step in epochs of 122 steps."""
    assert functions_and_heap(3 / 122, 12.0) == []


@pytest.mark.parametrize(("functions", "heap"), [(3.0, 1_500.0), (3 / 122, 300_000.0)])
def test_one_in_each_step_or_one_that_fills_the_memory_is_a_leak(
    functions: float, heap: float
) -> None:
    """Issue 57690 of TensorFlow: such functions keep whatever the generator holds."""
    assert functions_and_heap(functions, heap)[0] == "py_functions"
