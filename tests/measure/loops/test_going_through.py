"""What a loop goes through is told of, and is otherwise as without. Tier: make test."""

from __future__ import annotations

import copy
import pickle
import sys
import traceback
import warnings
import weakref
from collections.abc import Iterable, Iterator

import pytest

from labkit.measure.loops.going_through import Telling, going_through


class Followed:
    """Notes what it is told."""

    def __init__(self, turns: int = 1_000) -> None:
        self.heard: list[str] = []
        self.owed: list[BaseException] = []
        self._turns = turns

    def begins(self) -> bool:
        self.heard.append("begins")
        self._turns -= 1
        return self._turns >= 0

    def has_begun(self) -> None:
        self.heard.append("has begun")

    def ends(self) -> None:
        self.heard.append("ends")

    def owes(self, error: BaseException) -> None:
        self.owed.append(error)


def test_each_item_is_told_before_it_is_asked_for_and_when_it_came() -> None:
    followed = Followed()

    def source() -> Iterator[int]:
        for number in range(2):
            followed.heard.append(f"makes {number}")
            yield number
        followed.heard.append("has no more")

    for item in going_through(source(), followed):
        followed.heard.append(f"body {item}")
    assert followed.heard == [
        "begins", "makes 0", "has begun", "body 0",
        "begins", "makes 1", "has begun", "body 1",
        "begins", "has no more", "ends",
    ]  # fmt: skip


@pytest.mark.parametrize("left_by", ["break", "an error", "never begun"])
def test_a_loop_that_is_left_has_ended_at_once_and_once(left_by: str) -> None:
    followed = Followed()
    try:
        for number in going_through(range(5), followed) if left_by != "never begun" else ():
            if number == 1:
                assert left_by == "break", "an error"
                break
    except AssertionError:
        pass
    heard = 0 if left_by == "never begun" else 1
    assert followed.heard.count("ends") == heard


class Ends:
    def __iter__(self) -> Iterator[int]:
        raise StopIteration("as if there were nothing")


def test_an_iter_that_raises_stop_iteration_is_an_error_of_the_loop() -> None:
    """Found: it ended the loop in silence, and the script went on as if all had been trained."""
    with pytest.raises(StopIteration):
        for _ in Ends():
            pass
    with pytest.raises(RuntimeError, match="__iter__ of what the loop goes through raised"):
        for _ in going_through(Ends(), Followed()):
            pass


@pytest.mark.parametrize("items", [(), [], {}, iter(()), range(0), ""])
def test_what_has_no_items_ends_at_once(items: Iterable[object]) -> None:
    followed = Followed()
    assert list(going_through(items, followed)) == []
    assert followed.heard == ["begins", "ends"]


def test_what_a_handler_of_signals_raises_while_a_loop_is_let_go_is_not_lost() -> None:
    """Python drops what is raised there; a timeout that is told once would never come."""
    followed = Followed()

    class TimeIsUp(Exception): ...

    def ends() -> None:
        raise TimeIsUp

    followed.ends = ends  # type: ignore[method-assign]
    for _ in going_through(range(5), followed):
        break
    assert [type(error) for error in followed.owed] == [TimeIsUp]


def test_who_wants_to_hear_no_more_hears_no_more_and_all_items_come() -> None:
    followed = Followed(turns=3)
    assert list(going_through(range(10), followed)) == list(range(10))
    assert followed.heard.count("begins") == 4 and followed.heard.count("has begun") == 3


def test_items_and_what_they_come_from_are_let_go_of_as_without() -> None:
    class Item: ...

    class Loader:
        def __iter__(self) -> Iterator[Item]:
            return iter([])

        def __del__(self) -> None:
            freed.append(True)

    alive, freed = [], []

    def source() -> Iterator[Item]:
        last = None
        for _ in range(4):
            alive.append(last is not None and last() is not None)
            item = Item()
            last = weakref.ref(item)
            yield item
            del item

    for item in going_through(source(), Followed()):
        del item
    assert not any(alive)
    iterator = going_through(Loader(), Followed())
    assert not freed
    assert next(iterator, None) is None and freed


def test_what_is_gone_through_is_asked_for_its_iterator_once() -> None:
    class Loader:
        """As many are: each epoch begins with a call of this."""

        epochs = 0

        def __iter__(self) -> Loader:
            self.epochs += 1
            self.left = 3
            return self

        def __next__(self) -> int:
            if not self.left:
                raise StopIteration
            self.left -= 1
            return self.left

    class Odd:
        """Its iterator is no iterable itself."""

        def __iter__(self) -> object:
            return type("Next", (), {"__next__": lambda self: next(numbers)})()

    loader, numbers = Loader(), iter(range(3))
    assert list(going_through(loader, Followed())) == [2, 1, 0] and loader.epochs == 1
    assert list(going_through(Odd(), Followed())) == [0, 1, 2]  # type: ignore[arg-type]


def test_the_reader_s_iterator_is_called_from_the_reader_s_loop() -> None:
    seen = []

    class Loader:
        def __iter__(self) -> Iterator[int]:
            seen.append(sys._getframe(1).f_code)
            return self.made()

        def made(self) -> Iterator[int]:
            seen.append(sys._getframe(1).f_code)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                warnings.warn("made", stacklevel=2)
            seen.append(caught[0].filename)
            yield 1
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more") as raised:
        for _ in going_through(Loader(), Followed()):
            pass
    here = sys._getframe().f_code
    assert seen == [here, here, __file__]
    assert [each.name for each in traceback.extract_tb(raised.tb)] == [here.co_name, "made"]


def test_what_cannot_be_gone_through_is_told_as_python_tells_it() -> None:
    with pytest.raises(TypeError, match="'int' object is not iterable") as raised:
        for _ in going_through(5, Followed()):  # type: ignore[arg-type]
            pass
    assert len(traceback.extract_tb(raised.tb)) == 1


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_a_map_is_pickled_and_copied_as_with_python(taken: int) -> None:
    """Seen: it was pickled with labkit in it, which cannot be."""
    made = map(abs, going_through(iter([-1, -2, -3]), Followed()))
    for _ in range(taken):
        next(made)
    rest = [1, 2, 3][taken:]
    pickled = pickle.dumps(made)
    assert b"labkit" not in pickled
    assert list(pickle.loads(pickled)) == list(copy.deepcopy(made)) == rest
    assert list(made) == rest and next(made, None) is None
    assert list(pickle.loads(pickle.dumps(made))) == []


def test_a_map_that_python_does_not_pickle_is_not_pickled_either() -> None:
    made = map(abs, going_through((each for each in range(3)), Followed()))
    with pytest.raises(TypeError, match="generator"):
        pickle.dumps(made)


def test_one_that_an_alarm_kept_from_being_made_is_let_go_in_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen: Python printed "Exception ignored in Telling.__del__" among a script's own words."""
    heard: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    made = Telling.__new__(Telling)
    del made
    assert heard == []
