"""What rises beside a store that fills, or a batch that grows: a leak, none, or unknown.

Tier: make quick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.measure.memory.reach.bounded_stores import bounded_stores
from labkit.measure.memory.reach.full_stores import FullStores
from labkit.record import Diagnosis
from labkit.show.report import diagnosis_words
from tests.diagnosis.test_examine import COUNT, watched

KEPT = 4_000  # bytes of an entry
FILLS = {"bounded/memory": 7 + COUNT, "kept/memory": 7 + COUNT, "bounded_items": 9 + COUNT}
WEIGHED = {
    **FILLS, "bounded_least_bytes": KEPT * (7 + COUNT), "bounded_most_bytes": KEPT * (7 + COUNT)
}  # fmt: skip
SHARED = {**WEIGHED, "bounded_least_bytes": 8 * (7 + COUNT)}
# A store that is full, and whose entries get heavier.
HEAVIER = {
    "bounded_items": np.full(len(COUNT), 100.0), "bounded_least_bytes": np.full(len(COUNT), 9e5),
    "bounded_most_bytes": 9e5 + 8_000 * COUNT,
}  # fmt: skip
GROWS = {"argument_elements": 1_000 + 100 * COUNT}


def heap(bytes_per_step: float) -> dict[str, np.ndarray]:
    return {"heap_bytes": 1e8 + bytes_per_step * COUNT}


def weighed(entry: Callable[[], object]) -> dict[str, np.ndarray]:
    """Return what is read of a store that is given an entry at each step."""
    store = deque((entry() for _ in range(100)), maxlen=3_000)
    per_entry = bounded_stores([store], lambda _: False, None, FullStores())
    return {name: value / len(store) * (7 + COUNT) for name, value in per_entry.items()}


def numbers(count: int) -> list[float]:
    return [float(place) for place in range(count)]


def arrays(count: int) -> list[np.ndarray]:
    return [np.ones(250) for _ in range(count)]


def said(*evidence: dict[str, np.ndarray]) -> Diagnosis:
    together: dict[str, np.ndarray] = {}
    for each in evidence:
        together |= each
    return examine(watched(evidence=together))


def test_what_rises_by_more_than_a_store_takes_is_a_leak_of_the_rest() -> None:
    """Recorded: any deque that was still filling hid 160 and 200 MB that a library kept."""
    memory = said(WEIGHED, heap(50_000 + KEPT)).memory
    assert memory.label == "leaking" and memory.grows == ("heap_bytes",)
    assert memory.bytes_per_step == pytest.approx(50_000, rel=0.01)


def test_a_leak_that_is_smaller_than_what_the_store_takes_is_one_as_well() -> None:
    """Recorded: 205 kB a step beside entries of 320 kB passed as flat."""
    large = {
        **WEIGHED,
        "bounded_least_bytes": 320_000 * COUNT,
        "bounded_most_bytes": 330_000 * COUNT,
    }
    memory = said(large, heap(525_000)).memory
    assert memory.label == "leaking" and memory.bytes_per_step == pytest.approx(195_000, rel=0.01)


@pytest.mark.parametrize("rise", [0.7, 1.0, 1.4])
def test_what_the_store_takes_is_none(rise: float) -> None:
    memory = said(WEIGHED, heap(rise * KEPT)).memory
    assert memory.label == "flat" and memory.known and not memory.unclear


@pytest.mark.parametrize("entry", [
    lambda: dict(enumerate([*numbers(8), *arrays(2)])),
    lambda: dict(enumerate([*arrays(2), *numbers(8)])),
    lambda: (*numbers(8), *arrays(2)), lambda: [*numbers(54), *arrays(2)],
    lambda: {"row": dict(enumerate([*numbers(8), *arrays(2)]))},
    lambda: [np.ones(place) for place in range(32)],
], ids=["last", "first", "tuple", "list", "within", "growing"])  # fmt: skip
def test_a_store_is_no_leak_wherever_in_its_entries_the_arrays_stand(
    entry: Callable[[], object],
) -> None:
    """Recorded: a replay buffer of ten fields was a leak where its arrays were the last two."""
    memory = said(weighed(entry), heap(4_400)).memory
    assert memory.label == "flat" and memory.known and not memory.unclear


@pytest.mark.parametrize("entry", [
    lambda: [*arrays(8), *numbers(56)], lambda: [*numbers(56), *arrays(8)],
    lambda: [*arrays(8), *numbers(1)],
], ids=["first", "last", "alone"])  # fmt: skip
def test_numbers_beside_arrays_allow_no_leak(entry: Callable[[], object]) -> None:
    """Recorded: eight arrays before 56 numbers stood for 64, and 20 kB per step were flat."""
    memory = said(weighed(entry), heap(16_000 + 20_000)).memory
    assert memory.label == "leaking" and memory.bytes_per_step == pytest.approx(19_000, rel=0.1)


def test_where_items_of_a_long_list_differ_nobody_says_that_the_memory_is_flat() -> None:
    memory = said(weighed(lambda: [*arrays(8), *numbers(292)]), heap(36_000)).memory
    assert (memory.label, memory.known, memory.unclear) == ("flat", False, "filling")


@pytest.mark.parametrize(("evidence", "why"), [
    ((FILLS, heap(50_000)), "filling"),
    ((FILLS, {"instances/Node": 7 + COUNT}), "filling"),
    ((FILLS, {"live_tensors": 7 + COUNT}), "filling"),
    (({"bounded_blank": np.full(len(COUNT), 9_000.0)}, heap(50_000)), "filling"),
    ((SHARED, heap(0.9 * KEPT)), "filling"),
    ((HEAVIER, heap(8_000)), "heavier"),
    ((GROWS, heap(50_000)), "given"),
    ((GROWS, WEIGHED, heap(50_000)), "filling"),
])  # fmt: skip
def test_where_nobody_knows_what_may_rise_nobody_says_that_the_memory_is_flat(
    evidence: tuple[dict[str, np.ndarray], ...], why: str
) -> None:
    diagnosis = said(*evidence)
    memory = diagnosis.memory
    assert (memory.label, memory.known, memory.unclear) == ("flat", False, why)
    assert untested(diagnosis, ["leaking"]) == ("leaking",)
    assert diagnosis_words.UNCLEAR[memory.unclear] in untested_sentence(diagnosis)
    assert diagnosis_words.memory(memory).startswith("memory: unknown (it rises, and ")


def test_what_rises_by_more_than_a_full_store_takes_more_is_a_leak() -> None:
    memory = said(HEAVIER, heap(48_000)).memory
    assert memory.label == "leaking" and memory.bytes_per_step == pytest.approx(40_000, rel=0.01)


@pytest.mark.parametrize("taken", [
    9e5 + 3e5 * np.random.default_rng(0).random(len(COUNT)),  # episodes of random length
    9e5 + 8_000 * np.minimum(COUNT, 200),  # a curriculum that has ended
], ids=["random", "ended"])  # fmt: skip
def test_a_full_store_that_does_not_rise_to_the_end_is_none(taken: np.ndarray) -> None:
    memory = said({**HEAVIER, "bounded_most_bytes": taken}, {"heap_bytes": 1e8 + taken}).memory
    assert memory.label == "flat" and memory.known and not memory.unclear


def test_a_batch_that_grows_and_is_alive_at_the_end_of_the_step_is_none() -> None:
    memory = said(GROWS, heap(2_400)).memory  # 100 numbers of 8 bytes, three times
    assert memory.label == "flat" and memory.known


def test_objects_are_a_leak_beyond_those_in_a_store_or_in_what_is_noted() -> None:
    stored, noted = {"bounded_of/Transition": 7 + COUNT}, {"noted/Transition": 7 + COUNT}
    for evidence in ((WEIGHED, stored), (noted,)):
        assert said(*evidence, {"instances/Transition": 9 + COUNT}).memory.label == "flat"
        memory = said(*evidence, {"instances/Transition": 9 + 3 * COUNT}).memory
        assert memory.label == "leaking"
        memory = said(*evidence, {"instances/Node": 9 + COUNT}).memory
        assert memory.grows[0] == "instances/Node"


def test_tensors_are_a_leak_beyond_those_in_a_store() -> None:
    """Recorded: a store of tensors that was still filling was called a leak."""
    stored = {**WEIGHED, "bounded_tensors": 2 * COUNT}
    memory = said(stored, {"live_tensors": 9 + 2 * COUNT}).memory
    assert memory.label == "flat" and memory.known
    memory = said(stored, {"live_tensors": 9 + 3 * COUNT}).memory
    assert memory.label == "leaking" and memory.grows[0] == "live_tensors"
