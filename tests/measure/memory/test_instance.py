"""What an object has, asked without running any code of its own. Tier: make test."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest

from labkit.measure.memory.instance import attributes, objects_of, other_threads_waiting

tf: ModuleType = pytest.importorskip("tensorflow")


class Slots:
    __slots__ = ("empty", "full")

    def __init__(self) -> None:
        self.full = 1


class Both(Slots):
    def __init__(self) -> None:
        super().__init__()
        self.own = 2

    @property
    def computed(self) -> int:
        raise AssertionError("a property was asked")


def test_attributes_are_those_of_the_dictionary_and_of_the_slots() -> None:
    assert attributes(Both()) == {"full": 1, "own": 2}


def test_a_dictionary_within_a_model_is_a_proxy_that_has_no_attributes_of_its_own() -> None:
    """Recorded: a diagnosis ended every loop with such a model, and the loop was blamed."""
    model = tf.Module()
    model.parts = {"seen": 0}
    assert type(model.parts) is not dict
    assert "seen" not in attributes(model.parts)
    assert "parts" in "".join(attributes(model))


def test_two_threads_that_count_at_once_leave_the_others_their_turns() -> None:
    before, begins = sys.getswitchinterval(), threading.Barrier(2)

    def count() -> int:
        begins.wait()
        return sum(objects_of({id(ModuleType)})[1] > 0 for _ in range(5))

    with ThreadPoolExecutor(2) as threads:
        assert [each.result() for each in [threads.submit(count) for _ in range(2)]] == [5, 5]
    assert sys.getswitchinterval() == before


def test_who_lets_threads_wait_for_hours_is_not_held_up_for_as_long() -> None:
    """Recorded: a script that had set 1,000 s came to no end, and after 10 s nothing was saved."""
    before, ticks = sys.getswitchinterval(), itertools.count()
    sys.setswitchinterval(1000)
    try:
        with other_threads_waiting(clock=lambda: 0.05 * next(ticks)):
            assert next(ticks) < 10
        assert sys.getswitchinterval() == 1000
    finally:
        sys.setswitchinterval(before)


def test_a_clock_that_stands_still_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a test that freezes the time."""
    monkeypatch.setattr(time, "perf_counter", lambda: 5.0)
    found, count = objects_of({id(dict)})
    assert found and count >= len(found)
