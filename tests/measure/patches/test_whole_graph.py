"""Work on a whole graph, and what Python does around a session's run. Tier: make test."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("graph", "session_calls", "whole_graph")
WRITING = "writing out the graph"
FEEDING = "feeding and fetching"


@pytest.fixture
def graph() -> Any:
    made = tf.Graph()
    with made.as_default():
        tf.compat.v1.placeholder(tf.float32, None, name="fed")
        tf.compat.v1.get_variable("w", [2], use_resource=True)
        for _ in range(200):
            tf.constant(1.0)
    return made


def test_writing_a_graph_out_is_counted_and_booked(watching: Watching, graph: Any) -> None:
    shares = []
    for times in range(1, 6):  # another program may have had the processor for a moment
        whole = watching.step(graph.as_graph_def)
        assert watching.counter("graphs_written") == times
        shares.append(watching.seconds()[WRITING] / whole)
    assert 0.5 < max(shares) < 1


def test_a_saver_writes_the_graph_beside_the_checkpoint_unless_it_is_told_not_to(
    watching: Watching, graph: Any, tmp_path: Path
) -> None:
    with graph.as_default():
        saver = tf.compat.v1.train.Saver()
        session = tf.compat.v1.Session()
        session.run(tf.compat.v1.global_variables_initializer())
        watching.step(lambda: saver.save(session, str(tmp_path / "with")))
        assert watching.seconds()[WRITING] > 0 and (tmp_path / "with.meta").exists()
        written = watching.counter("graphs_written")
        watching.step(
            lambda: saver.save(session, str(tmp_path / "without"), write_meta_graph=False)
        )
        assert WRITING not in watching.seconds()
        assert watching.counter("graphs_written") == written
        assert not (tmp_path / "without.meta").exists()


def test_a_long_list_that_is_fed_is_booked_on_feeding_and_an_array_hardly(
    watching: Watching, graph: Any
) -> None:
    session = tf.compat.v1.Session(graph=graph)
    array = np.zeros([200_000], np.float32)
    numbers = array.tolist()

    def least(fed: object) -> tuple[float, float]:
        """Return the least time of five runs for feeding, and for the whole run."""
        feeding, wholes = [], []
        for _ in range(5):
            wholes.append(watching.step(lambda: session.run("fed:0", {"fed:0": fed})))
            assert watching.counter("session_runs") == 1
            feeding.append(watching.seconds()[FEEDING])
        return min(feeding), min(wholes)

    least(array)
    slow, whole = least(numbers)
    assert slow > 0.5 * whole
    assert least(array)[0] < 0.3 * slow


def test_a_run_within_another_place_feeds_nothing(watching: Watching, graph: Any) -> None:
    session = tf.compat.v1.Session(graph=graph)
    other = watching.timers.add("other", "another place")
    session.run("fed:0", {"fed:0": 1.0})

    def step() -> None:
        watching.timers.enter(other)
        session.run("fed:0", {"fed:0": 1.0})
        watching.timers.leave()

    watching.step(step)
    assert set(watching.seconds()) <= {"another place", "garbage collection"}
