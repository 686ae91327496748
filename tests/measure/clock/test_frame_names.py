"""The names of a running function are read, and the function notices nothing. Tier: make test."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from types import FrameType

import pytest

from labkit.measure.clock import frame_names
from labkit.measure.clock.frame_names import frame_reader, is_of_function


class Model:
    pass


def caller() -> FrameType:
    return sys._getframe(1)


def test_parameters_names_cells_and_what_is_enclosed_are_read() -> None:
    enclosed = [1]

    def function(first: int, /, *rest: int, key: str = "k", **more: int) -> dict[str, object]:
        shared, deleted, gone = 7, 8, [9]

        def later() -> object:
            return shared, gone

        del deleted
        gone = None
        found = frame_reader()(caller_of())
        return {**found, "enclosed too": enclosed, "later": later}

    def caller_of() -> FrameType:
        return sys._getframe(1)

    found = function(1, 2, 3, other=4)
    assert found["first"] == 1 and found["rest"] == (2, 3) and found["key"] == "k"
    assert found["more"] == {"other": 4} and found["shared"] == 7
    assert found["enclosed"] is enclosed and "caller_of" in found
    assert found["gone"] is None and "deleted" not in found and "found" not in found


def test_a_generators_names_are_read_while_it_waits() -> None:
    def counted() -> Iterator[int]:
        for number in range(3):
            held = [number]
            yield held[0]

    generator = counted()
    next(generator)
    next(generator)
    frame: FrameType = generator.gi_frame  # type: ignore[attr-defined]
    assert frame_reader()(frame) == {"number": 1, "held": [1]}


def test_what_a_name_let_go_of_is_gone_and_locals_stay_as_they_were_handed_out() -> None:
    read = frame_reader()

    def function() -> tuple[object, list[str]]:
        handed = locals()
        model = Model()
        watch = weakref.ref(model)
        assert read(caller())["model"] is model
        del model
        return watch(), sorted(handed)

    assert function() == (None, ["read"])  # as they were when they were asked for


def test_a_module_is_no_function() -> None:
    frames: dict[str, object] = {"caller": caller}
    exec("frame = caller()", frames)
    assert not is_of_function(frames["frame"])  # type: ignore[arg-type]
    assert is_of_function(caller())


def test_where_the_values_lie_elsewhere_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.version_info[:2] != (3, 11):
        pytest.skip("only Python 3.11 is read in place")
    monkeypatch.setattr(frame_names, "_PLAIN_OBJECT", 0)  # as in a debug build
    asked_anew = frame_names._can_read_in_place.__wrapped__
    monkeypatch.setattr(frame_names, "_can_read_in_place", asked_anew)
    kept = 1
    assert frame_reader()(caller()) == {} and kept
