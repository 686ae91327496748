"""What stores with a bound take is weighed, wherever they are held. Tier: make test."""

from __future__ import annotations

import weakref
from collections import deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.memory.heap import Heap
from labkit.measure.memory.objects import COUNTED
from labkit.measure.memory.reach.bounded_stores import LOOKED_AT, bounded_stores
from labkit.measure.memory.reach.entry import BLOCK_BYTES
from labkit.measure.memory.reach.full_stores import FullStores
from labkit.measure.memory.reach.object_sizes import is_readers

KB = 1_000
LEAST, MOST = "bounded_least_bytes", "bounded_most_bytes"
Pair = namedtuple("Pair", "state score")
# Of a learner that notes eight numbers before its two states.
FIELDS = (*(f"number_{place}" for place in range(8)), "state", "after")
Row = namedtuple("Row", FIELDS)
Kept = make_dataclass("Kept", FIELDS, namespace={"__module__": __name__})


@dataclass
class Transition:
    state: object
    action: int = 1
    after: object = None


class Replay(deque):  # type: ignore[type-arg]
    """As a learner's replay buffer."""


def array(kilobytes: int = 8) -> np.ndarray:
    return np.ones(kilobytes * KB, np.uint8)


def found(*stores: deque[Any], full: FullStores | None = None) -> dict[str, float]:
    tensor = COUNTED["live_tensors"].value_or_note([])
    readers = partial(is_readers, names=SourceNames())
    return bounded_stores(stores, readers, tensor, full or FullStores())


def filled(count: int, entry: Callable[[int], object]) -> deque[Any]:
    return deque(map(entry, range(count)), maxlen=3_000)  # for which any machine has memory


@pytest.mark.parametrize("count", [5, 90, 1_000])
def test_all_entries_are_weighed_by_some(count: int) -> None:
    said = found(filled(count, lambda number: (array(), number, 0.5)))
    assert said["bounded_items"] == count
    assert said["bounded_least_bytes"] == count * (8 * KB + 8)
    assert said["bounded_most_bytes"] == count * (8 * KB + 8 + BLOCK_BYTES)


def test_a_state_that_is_the_next_state_of_the_entry_before_is_weighed_once() -> None:
    states = [array() for _ in range(101)]
    store = deque((Transition(one, 0, other) for one, other in pairwise(states)), maxlen=900)
    states.clear()
    said = found(store)
    assert said["bounded_most_bytes"] >= 100 * 8 * KB
    assert said["bounded_of/Transition"] == 100


@pytest.mark.parametrize("entry", [
    lambda _: tf.ones([1_000]), lambda _: (np.ones(500), 1), lambda _: {"a": np.ones(500)},
    lambda _: Transition(np.ones(500)), lambda _: Pair(np.ones(500), 1.0),
    lambda n: b"a" * (4_000 + n % 2),
    lambda _: [tf.constant(1.0), np.ones(500)], lambda _: np.ones([10, 50])[:, 5:],
    lambda _: np.bytes_(b"a" * 4_000), lambda _: np.ones(100_000),
])  # fmt: skip
def test_the_heap_takes_between_the_least_and_the_most(entry: Callable[[int], object]) -> None:
    """Asked of the C library, for two thousand entries, or fewer large ones."""
    count = 200 if np.asarray(entry(0), object).size > 50_000 else 2_000
    kept, heap = filled(40, entry), Heap()
    before, weighed = heap.bytes_in_use(), found(kept)
    kept.extend(map(entry, range(count)))
    after, said = heap.bytes_in_use(), found(kept)
    assert before is not None and after is not None
    least, most = (
        said[name] - weighed[name] for name in ("bounded_least_bytes", "bounded_most_bytes")
    )
    assert 0.95 * least <= after - before <= 1.05 * most
    assert least > 0 and most < 2.2 * least + 4_000 * count


def exact(said: dict[str, float], bytes_of_arrays: float, arrays: int) -> bool:
    """Tell whether the least is what the arrays take, and the most that with what is added."""
    least, most = (said[name] / said["bounded_items"] for name in (LEAST, MOST))
    of_containers = least - 8 - bytes_of_arrays  # a long list lies on the heap itself
    return 0 <= of_containers < 3 * KB and most == least + arrays * BLOCK_BYTES


@pytest.mark.parametrize("kind", [
    lambda values: dict(zip(FIELDS, values, strict=True)), lambda values: Kept(*values),
    lambda values: Row(*values), list, tuple, lambda values: {"row": Kept(*values)},
], ids=["dict", "object", "named tuple", "list", "tuple", "within"])  # fmt: skip
def test_fields_are_all_weighed_in_whatever_order_they_stand(
    kind: Callable[[list[object]], object],
) -> None:
    """Recorded: a healthy replay buffer was called a leak, as its arrays were its last fields."""
    assert exact(found(filled(100, lambda _: kind([*range(8), array(), array()]))), 16 * KB, 2)
    assert exact(found(filled(100, lambda _: kind([*np.ones(8), array(), array()]))), 16 * KB, 2)


@pytest.mark.parametrize("entry", [
    lambda _: {f"view_{place}": {"image": array()} for place in range(30)},
    lambda _: [array() for _ in range(30)],
    lambda _: [*range(30), {"image": [array() for _ in range(30)]}],
], ids=["dicts", "list", "within"])  # fmt: skip
def test_dozens_of_parts_are_all_weighed(entry: Callable[[int], object]) -> None:
    assert exact(found(filled(100, entry)), 30 * 8 * KB, 30)


def test_parts_that_grow_are_all_weighed() -> None:
    """Recorded: of 32 parts the first eight, which were the lightest, stood for all."""
    said = found(filled(100, lambda _: [array(1 + place) for place in range(32)]))
    assert exact(said, sum(range(1, 33)) * KB, 32)


def test_a_list_of_arrays_and_numbers_takes_what_its_arrays_take() -> None:
    """Recorded: eight arrays before 56 numbers stood for 64, and a leak of 20 kB was allowed."""
    numbers = [0.5 + place for place in range(56)]
    first = filled(100, lambda _: [*(array(2) for _ in range(8)), *numbers])
    last = filled(100, lambda _: [*numbers, *(array(2) for _ in range(8))])
    assert exact(found(first), 16 * KB, 8) and exact(found(last), 16 * KB, 8)


@pytest.mark.parametrize("entry", [
    lambda _: [array(1 + place) for place in range(100)],
    lambda _: [array(100 - place) for place in range(100)],
    lambda _: [*(array() for _ in range(8)), *(0.5 for _ in range(292))],
    lambda _: [*(0.5 for _ in range(292)), *(array() for _ in range(8))],
    lambda _: [(array(),) if place % 2 else (place,) for place in range(100)],
    lambda _: [{"state": array(1 + place)} for place in range(20)],
    lambda _: [{place: array(1 + place) for place in range(100)}],
], ids=["growing", "shrinking", "first", "last", "every other", "dicts", "keys"])  # fmt: skip
def test_of_a_long_list_no_more_is_sure_than_the_lightest_and_the_heaviest_allow(
    entry: Callable[[int], Any],
) -> None:
    held = [each for item in entry(0) for each in _arrays(item)]
    takes = sum(each.nbytes for each in held)
    said = found(filled(60, entry))
    assert said[LEAST] / 60 <= takes + 6 * KB and takes <= said[MOST] / 60
    assert said[LEAST] < said[MOST] / 2


def _arrays(item: Any) -> list[np.ndarray]:
    values = [item, *(item.values() if type(item) is dict else item if type(item) is tuple else [])]
    return [each for each in values if type(each) is np.ndarray]


def test_a_long_list_of_what_is_alike_is_weighed_by_some() -> None:
    assert exact(found(filled(60, lambda _: [array() for _ in range(100)])), 800 * KB, 100)
    said = found(filled(60, lambda _: [Transition(array()) for _ in range(100)]))
    assert exact(said, 800 * KB, 100) and said["bounded_of/Transition"] == 6_000


def test_an_array_that_a_long_list_holds_many_times_is_weighed_once() -> None:
    said = found(filled(60, lambda _: [array()] * 100))
    assert said[LEAST] / 60 < 2 * KB


@pytest.mark.parametrize("count", [60, 100, 300])
def test_arrays_of_a_long_list_that_somebody_else_holds_may_take_nothing(count: int) -> None:
    examples = [[array(1) for _ in range(count)] for _ in range(20)]
    said = found(filled(20, lambda number: list(examples[number])))
    assert said[LEAST] / 20 < 3 * KB and said[MOST] / 20 > count * KB


def test_what_an_item_shares_with_the_one_before_it_is_counted_once() -> None:
    def episode(_: int) -> list[Transition]:
        states = [tf.constant(float(place)) for place in range(51)]
        return [Transition(one, 0, other) for one, other in pairwise(states)]

    said = found(filled(60, episode))
    assert said["bounded_tensors"] == 60 * 51 and said["bounded_of/Transition"] == 60 * 50


def test_a_long_list_with_tensors_here_and_there_has_no_weight() -> None:
    said = found(filled(60, lambda _: [(tf.ones([99]) if n % 2 else n,) for n in range(100)]))
    assert said["bounded_unknown"] == 60


@pytest.mark.parametrize("entry", [
    tf.Variable(1.0), object(), array()[:KB], np.array([object()]), [[[[[[1.0]]]]]],
    Transition(tf.data.Dataset.range(3)),
], ids=["variable", "object", "part of an array", "objects", "deep", "dataset"])  # fmt: skip
def test_what_cannot_be_weighed_has_no_weight(entry: object) -> None:
    said = found(deque([entry], maxlen=9), deque([array()], maxlen=9))
    assert (said["bounded_items"], said["bounded_unknown"]) == (2, 1)
    assert said["bounded_least_bytes"] == 8 * KB + 8


def test_what_a_full_store_takes_at_least_is_what_it_took_when_it_was_first_seen_full() -> None:
    """Recorded: entries that grew without end in a full store were allowed to, and said flat."""
    full, store = FullStores(), deque([array(1)] * 40, maxlen=50)
    firsts, mosts = [], []
    for kilobytes in (1, 8, 16, 32):
        store.extend(array(kilobytes) for _ in range(50))
        said = found(store, full=full)
        firsts.append(said["bounded_least_bytes"])
        mosts.append(said["bounded_most_bytes"])
    assert firsts == [50 * (KB + 8)] * 4 and mosts == sorted(set(mosts))
    store.clear()
    store.extend(array(9) for _ in range(49))
    assert found(store, full=full)["bounded_least_bytes"] == 49 * (9 * KB + 8)
    store.append(array(9))
    assert found(store, full=full)["bounded_least_bytes"] == 50 * (9 * KB + 8)


def test_a_full_store_is_let_go_of_when_the_loop_lets_it_go() -> None:
    full, store = FullStores(), deque([array()], maxlen=1)
    found(store, full=full)
    held = weakref.ref(store)
    del store
    assert held() is None
    assert found(deque([array(2)], maxlen=1), full=full)["bounded_least_bytes"] == 2 * KB + 8


def test_a_bound_that_no_memory_could_hold_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded: 20 kB per step in a deque of a thousand million were said to be flat."""
    huge = deque((array(20) for _ in range(60)), maxlen=10**9)
    assert found(huge) == {"bounded_items": 0}
    modest = deque((np.ones(25) for _ in range(60)), maxlen=1_000_000)
    assert found(modest, huge)["bounded_items"] == 60
    monkeypatch.setattr("labkit.measure.memory.reach.bounded_stores.memory_limit", lambda: 1e6)
    assert found(filled(60, lambda _: array())) == {"bounded_items": 0}
    assert found(deque((array(60) for _ in range(60)), maxlen=60))["bounded_items"] == 60


def test_what_somebody_else_holds_as_well_may_take_nothing() -> None:
    """Recorded: examples kept for a second time were weighed, and hid a leak as large."""
    examples = [array() for _ in range(300)]
    both = filled(100, lambda number: (array(), number))
    for stores in (
        [filled(300, lambda number: examples[number])],
        [filled(300, lambda number: (number, examples[number % 4]))],
        [both, deque(both, maxlen=900)],
        [filled(100, lambda number: examples[number].reshape(2, -1))],
    ):
        said = found(*stores)
        assert said["bounded_least_bytes"] <= 10 * said["bounded_items"]
        assert said["bounded_most_bytes"] > 0


@pytest.mark.parametrize("entry", [
    lambda number: (array(1), array(60) if number % 10 == 0 else None),
    lambda number: (array(1), array(60) if number % 10 == 5 else None),
    lambda number: array(1 + number),
])  # fmt: skip
@pytest.mark.parametrize("count", [25, 120, 200, 1_000])
def test_entries_of_several_sizes_are_somewhere_between(
    entry: Callable[[int], object], count: int
) -> None:
    said = found(filled(count, entry))
    assert said["bounded_least_bytes"] < said["bounded_most_bytes"] / 3


def test_what_was_filled_with_nothing_is_weighed_by_its_latest() -> None:
    store = deque([None] * 10_000, maxlen=10_000)
    store.extend(array() for _ in range(20))
    said = found(store)
    assert said["bounded_least_bytes"] == 80_000 and said["bounded_most_bytes"] > 10_000 * 8 * KB
    assert said["bounded_blank"] == 10_000
    for quiet in (filled(90, lambda _: array()), deque([array()] * 9, maxlen=9), deque([0.5], 1)):
        assert not found(quiet)["bounded_blank"]


def test_an_entry_that_is_completed_in_the_next_step_is_not_looked_at() -> None:
    store = filled(LOOKED_AT + 9, lambda _: {"state": array(), "next": array()})
    store[-1] = {"state": array(), "next": None}
    said = found(store)
    assert said["bounded_least_bytes"] == len(store) * (16 * KB + 8)


def test_a_look_takes_no_longer_however_much_is_stored() -> None:
    """Seen: a hundred pictures, each a list of lists, took 2.4 s."""
    pictures = filled(100, lambda number: [[0.5 + number] * 84 for _ in range(84)])
    assert found(pictures)["bounded_most_bytes"] > 100 * 84 * 84 * 8
    many = [filled(300, lambda number: [number, 0.5, [array(1)]]) for _ in range(200)]
    said = found(*many)
    assert 0 < said["bounded_unknown"] < said["bounded_items"] == 60_000


def test_a_deque_that_derives_has_a_bound_and_one_without_is_passed_over() -> None:
    said = found(Replay([array()] * 2, maxlen=9), deque([array()]), deque(maxlen=3))
    assert said["bounded_items"] == 2


def test_tensors_and_objects_of_the_reader_s_are_counted() -> None:
    said = found(filled(60, lambda number: [Transition(tf.constant(number)), tf.constant(0.5)]))
    assert said["bounded_tensors"] == 120 and said["bounded_of/Transition"] == 60


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
    assert found(deque([Loud()] * 3, maxlen=9))["bounded_of/Loud"] > 0
