"""A memory map as a plain value: exact in its numbers, short as a string. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.record import Event, RunFileError
from labkit.record.memory_map import KIND, MOST_PIECES, MemoryMap

KB = 1024


def there_and_back(made: MemoryMap) -> MemoryMap:
    return MemoryMap.of_event(Event(3, KIND, "a map", made.detail()))


def test_numbers_are_those_of_the_blocks() -> None:
    made = MemoryMap.of_blocks(
        [[(4 * KB, True), (8 * KB, False), (4 * KB, True)], [(16 * KB, False), (32 * KB, True)]]
    )
    assert made.pool_bytes == 64 * KB
    assert made.in_use_bytes == 40 * KB
    assert made.largest_free_bytes == 16 * KB
    assert made.free_chunks == 2
    assert made.fragmentation == pytest.approx((24 - 16) / 24)


def test_a_map_comes_back_from_its_event_as_it_went_in() -> None:
    made = MemoryMap.of_blocks([[(4 * KB, True), (8 * KB, False)], [(256, True), (9 * KB, False)]])
    assert made.detail()["map"] == "g#w./1#10."
    assert there_and_back(made) == made


def test_neighbours_of_one_kind_are_one_piece() -> None:
    made = MemoryMap.of_blocks([[(KB, True), (KB, True), (KB, False), (KB, False)]])
    assert made.regions == (((2 * KB, 2 * KB), (2 * KB, 0)),)
    assert made.free_chunks == 2, "the allocator's own count stays"


def test_a_pool_of_very_many_holes_stays_short_and_keeps_its_bytes() -> None:
    made = MemoryMap.of_blocks([[(256, bool(n % 3)) for n in range(60_000)] + [(KB * KB, False)]])
    back = there_and_back(made)
    assert len(back.regions[0]) <= MOST_PIECES
    assert len(str(made.detail()["map"])) < 5 * MOST_PIECES
    assert sum(size for size, _ in back.regions[0]) == made.pool_bytes == back.pool_bytes
    assert back.regions[0][-1] == (KB * KB, 0), "a large block is never mixed in"
    mixed = back.regions[0][10]
    assert 0.5 < mixed[1] / mixed[0] < 0.8


def test_as_many_pieces_as_are_allowed_are_kept_apart() -> None:
    made = MemoryMap.of_blocks([[(KB, bool(n % 2)) for n in range(MOST_PIECES)]])
    assert {used for _, used in there_and_back(made).regions[0]} == {0, KB}


@pytest.mark.parametrize("blocks", [[], [(KB, True)], [(KB, False)]])
def test_empty_full_and_free_pools_have_no_fragmentation(blocks: list[tuple[int, bool]]) -> None:
    made = MemoryMap.of_blocks([blocks])
    assert made.fragmentation == 0
    assert there_and_back(made) == made


@pytest.mark.parametrize("text", ["4!", "#", "4#5", "4#&2."])
def test_a_map_that_cannot_be_read_is_refused_in_one_sentence(text: str) -> None:
    detail = {**MemoryMap.of_blocks([[(KB, True)]]).detail(), "map": text}
    with pytest.raises(RunFileError, match="holds no map that can be read"):
        MemoryMap.of_event(Event(3, KIND, "", detail))


def test_an_event_without_a_map_is_refused() -> None:
    with pytest.raises(RunFileError, match="step 7"):
        MemoryMap.of_event(Event(7, "gc", ""))
