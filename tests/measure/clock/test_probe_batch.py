"""What stands side by side is read as one, and reads like each alone. Tier: make test."""

from __future__ import annotations

import math
from itertools import count

import pytest

from labkit.measure.clock.counter_buffer import BufferedProbe, CounterBuffer
from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import Probe, Row
from labkit.measure.clock.probe_batch import ProbeBatch, joined
from labkit.record import Column


def column(name: str) -> Column:
    return Column(name, name, "", "counter")


class Standing(BufferedProbe):
    columns = (column("standing"),)


class Pair(BufferedProbe):
    columns = (column("whole"), column("each"))
    anew = ("each",)


class Own(BufferedProbe):
    """Writes more than what stands on the board."""

    columns = (column("own"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = 42.0


class Elsewhere:
    columns = (column("elsewhere"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = 7.0

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def board() -> CounterBuffer:
    return CounterBuffer()


def names(probes: list[Probe]) -> list[list[str]]:
    return [[column.name for column in probe.columns] for probe in joined(probes)]


def test_neighbours_are_read_as_one_and_keep_the_order_of_their_columns(
    board: CounterBuffer,
) -> None:
    probes: list[Probe] = [Elsewhere(), Standing(board), Pair(board), Elsewhere()]
    assert names(probes) == [["elsewhere"], ["standing", "whole", "each"], ["elsewhere"]]


def test_those_that_are_no_neighbours_are_read_apart(board: CounterBuffer) -> None:
    first, second = Standing(board), Pair(board)
    assert names([second, first]) == [["whole", "each"], ["standing"]]
    assert names([first, Elsewhere(), second]) == [["standing"], ["elsewhere"], ["whole", "each"]]
    assert names([first, Standing(CounterBuffer())]) == [["standing"], ["standing"]]


def test_one_that_reads_in_its_own_way_is_asked_for_it(board: CounterBuffer) -> None:
    probes: list[Probe] = [Standing(board), Own(board), Standing(board)]
    assert names(probes) == [["standing"], ["own"], ["standing"]]
    assert not any(isinstance(probe, ProbeBatch) for probe in joined(probes))


def test_alone_and_together_the_same_is_recorded(board: CounterBuffer) -> None:
    """The slow twin: each probe asked by itself."""
    probes = [Standing(board), Pair(board), Standing(board)]
    together = OpenRecorder(count().__next__, probes)
    slow: list[list[float]] = []
    for step in range(5):
        for probe in probes:
            probe.begin()
        together.begin()
        for at in range(len(board.values)):
            board.values[at] += step + at
        together.end()
        row = [0.0] * 4
        for probe, place in zip(probes, (0, 1, 3), strict=True):
            probe.read(row, place)
        slow.append(row)
    assert [list(together.rows[at + 2 : at + 6]) for at in range(0, 30, 6)] == slow
    assert slow[-1] == [10, 15, 6, 25], "only the one that counts anew forgets"


def test_what_is_counted_nowhere_stays_so_through_counts_and_steps(board: CounterBuffer) -> None:
    pair = Pair(board)
    pair.give_up("each")
    pair.values[pair.at("each")] += 1
    pair.begin()
    row = [0.0, 0.0]
    pair.read(row, 0)
    assert row[0] == 0 and math.isnan(row[1])
