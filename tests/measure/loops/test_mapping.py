"""What a map goes through is gone through as with Python's own, whoever asks and how often.

Tier: make quick.
"""

from __future__ import annotations

import builtins
import copy
import pickle
import random
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from labkit.measure.loops.mapping import MapItems
from labkit.measure.loops.turns import Turns


class Told:
    """Notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def begins(self) -> bool:
        self.heard.append("begins")
        return True

    def has_begun(self) -> None:
        self.heard.append("has begun")

    def owes(self, error: BaseException) -> None:
        raise AssertionError(error)

    def ends(self) -> None:
        self.heard.append("ends")


def told_map(function: Any, items: Any, *more: Any) -> Any:
    return map(function, MapItems(items, Told()), *more)


def test_each_item_is_told_and_the_end_when_the_map_is_let_go_of() -> None:
    told = Told()
    made = map(abs, MapItems([-1, -2], told))
    assert told.heard == []
    assert list(made) == [1, 2]
    assert told.heard == ["begins", "has begun", "begins", "has begun", "begins"]
    del made
    assert told.heard[-1] == "ends"


def test_a_map_that_nobody_asks_for_is_told_now_and_then() -> None:
    class Quiet(Told):
        def begins(self) -> bool:
            super().begins()
            return False

    told = Quiet()
    assert sum(map(abs, MapItems(range(5_000), told))) == sum(range(5_000))
    assert told.heard == ["begins"] * 3 + ["ends"]


class Endless:
    """An iterator that several threads share; the last items take long."""

    def __init__(self, last: int) -> None:
        self.left, self.lock = last, threading.Lock()

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> int:
        with self.lock:
            if not self.left:
                raise StopIteration
            self.left -= 1
            left = self.left
        time.sleep(0.05 if left < 5 else 0.001)
        return left


def test_threads_that_share_a_map_get_every_item_once() -> None:
    """Seen: items were lost, and a number of the script's own was called like a function."""
    for _ in range(3):
        made, out, errors = told_map(lambda each: 2 * each, Endless(20)), [], []

        def take(made: Any = made, out: list[int] = out, errors: list[str] = errors) -> None:
            try:
                out.extend(made)
                assert [(each,) for each in range(20_000)]
            except BaseException as error:
                errors.append(repr(error))

        threads = [threading.Thread(target=take) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == [] and sorted(out) == list(range(0, 40, 2))


def test_a_map_goes_on_where_what_it_goes_through_does() -> None:
    """Seen: of thirty epochs over a buffer that is filled anew one was trained."""

    class Buffer:
        def __init__(self) -> None:
            self.items: list[int] = []

        def __iter__(self) -> Buffer:
            return self

        def __next__(self) -> int:
            if not self.items:
                raise StopIteration
            return self.items.pop(0)

    buffer = Buffer()
    made = told_map(abs, buffer)
    for _ in range(3):
        buffer.items.extend([1, 2])
        assert list(made) == [1, 2]


def test_a_map_ends_with_what_a_generator_returns() -> None:
    def made() -> Iterator[int]:
        yield 1
        return "result"

    def passed_on() -> Iterator[int]:
        result = yield from told_map(abs, made())
        assert result == "result"

    assert list(passed_on()) == [1]


def test_the_iterator_is_asked_for_after_all_arguments() -> None:
    dice = random.Random(0)

    class Shuffled:
        def __iter__(self) -> Iterator[int]:
            return iter(dice.sample(range(5), 5))

    def pairs(make: Any) -> list[tuple[int, int]]:
        dice.seed(0)
        return list(make(lambda *both: both, Shuffled(), [dice.randrange(100) for _ in range(5)]))

    assert pairs(told_map) == pairs(map)


def test_what_is_gone_through_lives_as_long_as_the_map() -> None:
    class Source:
        def __iter__(self) -> Source:
            return self

        def __next__(self) -> int:
            raise StopIteration

    source = Source()
    seen = weakref.ref(source)
    made = told_map(abs, source)
    del source
    assert list(made) == [] and seen() is not None
    del made
    assert seen() is None


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_it_is_pickled_and_copied_as_with_python(taken: int) -> None:
    made = told_map(abs, iter([-1, -2, -3]))
    for _ in range(taken):
        next(made)
    rest = [1, 2, 3][taken:]
    pickled = pickle.dumps(made)
    assert b"labkit" not in pickled
    assert list(pickle.loads(pickled)) == list(copy.deepcopy(made)) == rest == list(made)


def test_what_cannot_be_gone_through_is_told_as_python_tells_it() -> None:
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        told_map(abs, 5)


def test_a_map_of_the_programs_own_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: a program that puts a map of its own in the place of Python's filled the memory."""
    turns, data, own = Turns(time.perf_counter), [1, 2, 3], map
    monkeypatch.setattr(builtins, "map", lambda function, *items: list(own(function, *items)))
    assert turns.go_through_map(1, map, data) is data
    assert list(turns.go_through_map(2, None, data)) == data
    assert list(turns.go_through(3, data)) == data
