"""A recorder of somebody else's calls knows which step goes on. Tier: make test."""

from __future__ import annotations

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import Row
from labkit.record import Column
from tests.measure.owned_clock import OwnedClock


def test_the_number_of_the_step_is_right_before_within_and_after_it() -> None:
    seen = []

    class Asking:
        columns = (Column("calls", "calls", "calls", "counter"),)

        def begin(self) -> None:
            seen.append(recorder.step())

        def read(self, row: Row, place: int) -> None:
            row[place] = 1.0
            seen.append(recorder.step())

        def close(self) -> None:
            pass

    recorder = OpenRecorder(OwnedClock(), [Asking()])
    for _ in range(2):
        assert not recorder.begun()
        recorder.begin()
        seen.append(recorder.step())
        assert recorder.begun()
        recorder.end()
    assert seen == [0, 0, 0, 1, 1, 1] and recorder.step() == 2


def test_after_the_most_steps_nothing_is_recorded_and_that_is_told_once() -> None:
    told: list[int] = []
    recorder = OpenRecorder(OwnedClock(), [], 3, lambda: told.append(recorder.step()))
    for _ in range(5):
        recorder.begin()
        recorder.end()
    assert len(recorder.rows) == 3 * len(recorder.columns) and told == [3]
    assert recorder.step() == 3 and not recorder.begun()
