"""What is counted goes by one title wherever it is told. Tier: make quick."""

from __future__ import annotations

from labkit.diagnosis.findings.memory import (
    BYTES,
    EXACT,
    GARBAGE,
    KERNEL_CACHE,
    MAPPED,
    USED,
)
from labkit.measure.memory.objects import ObjectsProbe
from labkit.measure.patches.graph import GraphProbe
from labkit.show.titles import COUNTER_TITLES, counter_title


def test_all_that_a_diagnosis_calls_a_leak_has_a_title_and_nothing_else_has() -> None:
    assert set(COUNTER_TITLES) == {*EXACT, *BYTES, GARBAGE, KERNEL_CACHE, MAPPED, USED}


def test_ops_and_tensors_are_called_alike_as_a_column_and_as_a_leak() -> None:
    """A diagnosis has only the names of what it counts, so these two titles stand twice."""
    columns = {column.name: column for column in (*GraphProbe.counters, *ObjectsProbe.columns)}
    for name in ("graph_ops", "live_tensors"):
        assert columns[name].title == counter_title(name)


def test_what_the_loop_keeps_has_the_name_that_the_reader_gave_it() -> None:
    assert counter_title("kept/losses") == "losses"
