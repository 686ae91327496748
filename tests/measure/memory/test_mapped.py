"""Memory that is mapped beside the heap is told from the heap's, and from what is only reserved.

Tier: make quick.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from labkit.measure.memory import mapped
from labkit.measure.memory.heap import Heap
from labkit.measure.memory.mapped import MAPPED, USED, mapped_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says")
SIZE, NEAR = 64_000_000, 4_000_000


def settled() -> dict[str, float]:
    """Return what there is, once what somebody has let go of is given back.

    Recorded: what is written was made in a hole of the heap that tests before this one had left,
    and stayed resident there.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return mapped_memory(Heap())


def grown(before: dict[str, float], *wanted: float) -> tuple[float, float]:
    """Return by how much both have grown: what is mapped beside the heap, and what is used.

    Seen once on a busy machine: Linux had not yet counted what was resident already.
    """
    deadline = time.monotonic() + 5.0
    while True:
        now = settled()
        found = now[MAPPED] - before[MAPPED], now[USED] - before[USED]
        near = all(abs(one - other) < NEAR for one, other in zip(found, wanted, strict=False))
        if near or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


@pytest.mark.parametrize("flags", [mmap.MAP_SHARED, mmap.MAP_PRIVATE])
def test_what_is_mapped_and_written_counts_in_both(flags: int) -> None:
    before = settled()
    made = mmap.mmap(-1, SIZE, flags=flags | mmap.MAP_ANONYMOUS)
    made.write(b"x" * SIZE)
    assert grown(before, SIZE, SIZE) == pytest.approx((SIZE, SIZE), abs=NEAR)
    made.close()
    assert grown(before, 0, 0) == pytest.approx((0, 0), abs=NEAR)


def test_an_array_on_the_heap_is_not_mapped_beside_it() -> None:
    before = settled()
    made = np.ones(SIZE // 8)
    assert grown(before, 0, SIZE) == pytest.approx((0, SIZE), abs=NEAR)
    del made


def test_what_is_only_reserved_is_not_used() -> None:
    before = settled()
    made = mmap.mmap(-1, SIZE)
    assert grown(before, SIZE, 0) == pytest.approx((SIZE, 0), abs=NEAR)
    made.write(b"x" * SIZE)  # and what is used of it later is not mapped then
    assert grown(before, SIZE, SIZE) == pytest.approx((SIZE, SIZE), abs=NEAR)
    made.close()


def test_a_file_that_is_read_through_a_mapping_is_not_used(tmp_path: Path) -> None:
    np.ones(SIZE // 8).tofile(tmp_path / "data")
    before = settled()
    data = np.memmap(tmp_path / "data", dtype=float, mode="r")
    assert data.sum() == SIZE // 8
    assert grown(before)[1] == pytest.approx(0, abs=NEAR)


def test_nothing_is_said_where_the_system_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "STATUS", Path("/nowhere"))
    assert mapped_memory(Heap()) == {}
