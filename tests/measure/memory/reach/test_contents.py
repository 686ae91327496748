"""What a store holds is weighed: what its newest entry adds, and to which classes. Tier: quick."""

from __future__ import annotations

from collections import deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
import tensorflow as tf

from labkit.measure.memory.heap import Heap
from labkit.measure.memory.reach.entry import TENSOR_BYTES
from labkit.measure.memory.reach.object_sizes import reach

KB = 1_000
Pair = namedtuple("Pair", "state score")


@dataclass
class Transition:
    state: object
    action: int = 1
    after: object = None


@dataclass
class Noted:
    step: int = 0
    loss: float = 0.5
    why: str | None = None
    names: list[str] = field(default_factory=lambda: ["a"])


def array(kilobytes: int = 8) -> np.ndarray:
    return np.ones(kilobytes * KB, np.uint8)


def found(kept: object) -> dict[str, float]:
    return reach(lambda: kept)


def test_a_store_with_a_bound_is_weighed_by_its_newest_entry() -> None:
    said = found(deque([(1.0, 2)] + [(array(), array(), 1)] * 3, maxlen=9))
    assert said["bounded/kept"] == 4
    assert said["bounded_bytes/kept"] == 4 * 8, "the newest is the one before it, once more"
    said = found(deque([(array(),), (array(2), array())], maxlen=9))
    assert said["bounded_bytes/kept"] == 2 * (8 + 10 * KB)


def test_a_state_that_is_the_next_state_of_the_entry_before_is_weighed_once() -> None:
    states = [array() for _ in range(4)]
    steps = [Transition(one, 0, other) for one, other in pairwise(states)]
    assert found(deque(steps, maxlen=9))["bounded_bytes/kept"] == 3 * (8 + 8 * KB)


@pytest.mark.parametrize("entry", [
    lambda: tf.ones([1_000]), lambda: (np.ones(500), 1), lambda: {"a": np.ones(500)},
    lambda: Transition(np.ones(500)), lambda: Pair(np.ones(500), 1.0), lambda: b"a" * 4_000,
    lambda: [tf.constant(1.0), np.ones(500)], lambda: np.ones([10, 50])[:, 5:],
])  # fmt: skip
def test_the_weight_is_what_the_heap_takes(entry: Callable[[], object]) -> None:
    """Asked of the C library, for two thousand entries."""
    entry()
    kept, heap = deque([entry()], maxlen=9_000), Heap()
    before, weighed = heap.bytes_in_use(), found(kept)["bounded_bytes/kept"]
    kept.extend(entry() for _ in range(2_000))
    after, more = heap.bytes_in_use(), found(kept)["bounded_bytes/kept"] - weighed
    assert before is not None and after is not None
    assert more == pytest.approx(after - before, rel=0.2)


@pytest.mark.parametrize("entry", [
    tf.Variable(1.0), object(), array()[:KB], np.array([object()]), [[[[[[1.0]]]]]],
    Transition(tf.data.Dataset.range(3)),
], ids=["variable", "object", "part of an array", "objects", "deep", "dataset"])  # fmt: skip
def test_what_cannot_be_weighed_has_no_weight(entry: object) -> None:
    said = found(deque([entry], maxlen=9))
    assert said["bounded/kept"] == 1
    assert "bounded_bytes/kept" not in said


def test_objects_of_the_reader_s_are_counted_where_they_have_a_bound_or_are_numbers() -> None:
    stored = deque([[Transition(array()), 1]] * 2, maxlen=9)
    noted, kept = [Noted()] * 3, [Transition(array())] * 5
    said = reach(lambda: (stored, noted, kept))
    # Both entries of the store are one, so the newest adds nothing.
    assert said["held/Noted"] == 3 and said["held/Transition"] == 0
    stored.append([Transition(array()), 1])
    assert reach(lambda: (stored, noted, kept))["held/Transition"] == 3


def test_notes_are_numbers_in_whatever_they_are_kept() -> None:
    rows: dict[str, object] = {
        "tuples": [(1, 0.5)], "records": [Pair(1, 0.5)], "objects": [Noted()], "steps": {1, 2},
        "array": np.ones(2), "optional": [(1, None)],
    }  # fmt: skip
    said = found(rows)
    for name in rows:
        assert 0 < said[f"numbers/kept['{name}']"] <= 20, name
    large = {"states": [Transition(array())], "outputs": [Pair(1, tf.ones(2))]}
    assert not {f"numbers/kept['{name}']" for name in large} & found(large).keys()


class Loud:
    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"asked for {name}")

    def __len__(self) -> int:
        raise AssertionError("asked for its length")

    def __hash__(self) -> int:
        raise AssertionError("asked for its hash")

    def __sizeof__(self) -> int:
        raise AssertionError("asked for its size")


def test_nothing_of_the_reader_s_is_called() -> None:
    stored, noted = deque([Loud()], maxlen=2), [Loud()]
    assert reach(lambda: (stored, noted))["held/Loud"] >= 1


def test_a_tensor_takes_more_than_its_values() -> None:
    tensors, heap = [tf.constant(1.0)], Heap()
    before = heap.bytes_in_use()
    tensors.extend(tf.constant(float(number)) for number in range(1, 2_001))
    after = heap.bytes_in_use()
    assert before is not None and after is not None
    assert (after - before) / 2_000 == pytest.approx(TENSOR_BYTES, rel=0.3)
