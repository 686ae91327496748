"""The picture of a pool: exact shares, the largest free block, and words for those who do not see.

Tier: make test.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from array import array

import pytest

from labkit.lab.memory_map import memory_map
from labkit.record import Event, LabkitError, Run, State, Steps
from labkit.record.memory_map import KIND, MemoryMap
from labkit.show.charts.pool import draw_memory_map, sentence, shares

KB = 1024
COMB = MemoryMap.of_blocks([[(16 * KB, bool(n % 2)) for n in range(40)], [(64 * KB, False)]])


def event(pool: MemoryMap, step: int = 3) -> Event:
    return Event(step, KIND, "a map", pool.detail())


def run_with(*events: Event) -> Run:
    steps = Steps({"start_seconds": array("d"), "seconds": array("d")})
    return Run("fragmentation", "Fragmentation", State("done"), (), steps, events=events)


def test_a_map_becomes_a_png_an_svg_and_an_alt_text() -> None:
    picture = draw_memory_map(event(COMB))
    assert picture.png.startswith(b"\x89PNG")
    written = " ".join(ElementTree.fromstring(picture.svg).itertext())
    assert "largest free block" in written and "in use" in written
    assert "at step 3" in picture.alt
    assert (
        "328 kB of 721 kB in use; 393 kB free in 21 blocks, the largest of 65.5 kB" in picture.alt
    )


def test_each_cell_shows_exactly_its_share_in_use() -> None:
    pool = MemoryMap.of_blocks([[(4 * KB, True), (4 * KB, False)], [(8 * KB, True)]])
    assert list(shares(pool, 0, 16 * KB, 4)) == [1.0, 0.0, 1.0, 1.0]
    assert list(shares(pool, 0, 16 * KB, 2)) == [0.5, 1.0]
    assert list(shares(pool, 2 * KB, 6 * KB, 1)) == [0.5]


def test_pools_without_blocks_all_free_or_full_are_drawn_without_a_warning() -> None:
    for blocks in ([], [(KB, False)], [(KB, True)]):
        pool = MemoryMap.of_blocks([blocks])
        assert draw_memory_map(event(pool)).png
        assert "largest" not in sentence(pool) or pool.free_bytes


def test_a_run_shows_its_last_map_or_the_one_asked_for() -> None:
    run = run_with(event(COMB, 5), Event(6, "gc", "a pause"), event(COMB, 9))
    assert "step 9" in memory_map(run).alt
    assert "step 5" in memory_map(run, 0).alt


def test_a_run_without_a_map_says_how_to_get_one() -> None:
    with pytest.raises(LabkitError, match="memory_limit='128 MB'"):
        memory_map(run_with(Event(6, "gc", "a pause")))


@pytest.mark.parametrize("number", [1, -2])
def test_a_number_out_of_range_names_the_range(number: int) -> None:
    with pytest.raises(LabkitError, match="this run has 1 memory map,"):
        memory_map(run_with(event(COMB)), number)
