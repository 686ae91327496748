"""A run that is to be diagnosed: everything is recorded, and it can be ended when enough is known.

Tier: make test, in turn.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.diagnosis import unsampled
from labkit.measure.registry import ANY_LOOP
from labkit.record import Run
from tests.running import ended, stepped

pytestmark = pytest.mark.in_turn

LOOP = """
import tensorflow as tf

def make_step():
    kept = []
    weights = tf.Variable(tf.ones([64, 64]))

    @tf.function
    def train():
        weights.assign(weights @ weights / 64)
        return tf.reduce_sum(weights)

    def step():
        kept.append(train())

    return step
"""


NEW_FUNCTIONS = """
import gc
import tensorflow as tf

def make_step():
    gc.set_threshold(100_000, 50, 1000)  # not within so few steps
    one = tf.constant(1.0)

    def step():
        return tf.function(lambda number: number + 1.0)(one)

    return step
"""


@pytest.fixture
def loop(tmp_path: Path) -> str:
    path = tmp_path / "keeps.py"
    path.write_text(LOOP)
    return str(path)


def run(bench: Bench, loop: str, *, diagnosing: bool, steps: int = 400) -> Run:
    found = ended(bench.start(loop, steps=steps, diagnosing=diagnosing)).snapshot()
    assert found.state.name == "done", found.state
    return found


def test_everything_that_can_tell_why_is_recorded(bench: Bench, loop: str) -> None:
    found = run(bench, loop, diagnosing=True)
    assert {"sampled", "function_call_seconds", "data_waiting_seconds"} <= set(found.steps.names)
    assert {"live_tensors", "heap_bytes", "python_calls", "argument_elements"} <= set(
        found.evidence
    )
    assert found.environment["not_measured"] is None
    closing = [name for name, pairs in found.evidence.items() if len(pairs) == 1]
    assert "kernel_cache_bytes" in closing


def test_what_the_readers_list_keeps_is_found_by_its_name(bench: Bench, loop: str) -> None:
    pairs = run(bench, loop, diagnosing=True).evidence["kept/kept"]
    assert [value for _, value in pairs] == [float(step) for step, _ in pairs]


@pytest.mark.parametrize("collects", [True, False])
def test_what_only_waits_for_a_collection_is_gone_from_the_last_count(
    bench: Bench, tmp_path: Path, collects: bool
) -> None:
    """Recorded: the graphs of functions made anew were called a leak, before Python took them."""
    path = tmp_path / "makes_functions.py"
    unlikely = "set_threshold(100_000, 50, 1000)"
    path.write_text(NEW_FUNCTIONS if collects else NEW_FUNCTIONS.replace(unlikely, "disable()"))
    found = run(bench, str(path), diagnosing=True, steps=100)
    counts = [value for _, value in found.evidence["func_graphs"]]
    most = max(counts) - counts[0]
    assert most >= 15
    assert (counts[-1] - counts[0] < 0.3 * most) == collects


def test_a_plain_run_has_none_of_it(bench: Bench, loop: str) -> None:
    found = run(bench, loop, diagnosing=False)
    assert "sampled" not in found.steps.names and found.evidence == {}
    assert not [name for name in ANY_LOOP if f"{name}_seconds" in found.steps.names]


def test_places_never_add_up_to_more_than_the_step(bench: Bench, loop: str) -> None:
    # A collection while a look is put away belongs to no step; the steps looked at are left out.
    found = unsampled(run(bench, loop, diagnosing=True))
    places = [found.steps.column(column.name) for column in found.column_of_kind("place")]
    for step, seconds in enumerate(found.steps.seconds):
        booked = sum(place[step] for place in places if place[step] == place[step])
        assert booked <= seconds * (1 + 1e-9), step


def test_a_run_can_be_finished_when_enough_is_known(bench: Bench, loop: str) -> None:
    session = stepped(bench.start(loop, steps=1_000_000, diagnosing=True), 50)
    session.finish()
    found = ended(session).snapshot()
    assert found.state.name == "done"
    assert 50 <= len(found.steps) < 1_000_000
    assert "kernel_cache_bytes" in found.evidence, "the last look is taken"
