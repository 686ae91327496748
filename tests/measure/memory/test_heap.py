"""Free chunks of the C library against blocks freed on purpose. Tier: make test."""

from __future__ import annotations

import ctypes
from math import isnan

import pytest

from labkit.measure.memory import heap
from labkit.measure.memory.heap import HolesProbe
from tests.measure.watching import numbers_of

BLOCKS = 2_000
BYTES = 20_000  # too large for glibc's per-thread lists, too small for a mapping of its own


@pytest.fixture
def probe() -> HolesProbe:
    made = HolesProbe()
    if made.missing:
        pytest.skip("this C library does not count its free chunks")
    return made


def test_every_other_block_freed_is_a_hole_and_joins_its_neighbours_when_all_go(
    probe: HolesProbe,
) -> None:
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    blocks = [library.malloc(BYTES) for _ in range(BLOCKS)]
    before = numbers_of(probe)[0]
    for block in blocks[::2]:
        library.free(block)
    holed = numbers_of(probe)[0]
    for block in blocks[1::2]:
        library.free(block)
    closed = numbers_of(probe)[0]
    assert 0.7 * BLOCKS / 2 < holed - before < 1.3 * BLOCKS / 2
    assert closed - before < 0.1 * BLOCKS


def test_python_numbers_leave_no_holes(probe: HolesProbe) -> None:
    before = numbers_of(probe)[0]
    _ = [number * 0.5 for number in range(1_000)]
    assert abs(numbers_of(probe)[0] - before) < 100


def test_a_library_without_the_figure_is_reported_and_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heap, "FUNCTION", "mallinfo_of_no_library")
    probe = HolesProbe()
    assert probe.missing == ["mallinfo_of_no_library"]
    assert isnan(numbers_of(probe)[0])
