"""The paging probes against the system's own count, and touched memory. Tier: make test."""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.cause import paged_memory
from labkit.cause.paged_memory import PAGEOUT, can_put_out, disk_faults, free_swap_bytes
from labkit.measure.machine.paging import FaultsProbe, PagingProbe
from tests.measure.watching import numbers_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux puts out pages")
BLOCK = 64 * 1024
PAGES = 500


@pytest.fixture
def on_disk() -> Iterator[mmap.mmap]:
    """A file on a disk, mapped: 4 MB of it."""
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(64):  # written at once they would be put out together or not at all
            file.write(os.urandom(BLOCK))
            file.flush()
        os.fsync(file.fileno())
        memory = mmap.mmap(file.fileno(), 0)
        if not can_put_out(memory, BLOCK):
            pytest.skip(f"{tempfile.gettempdir()} is not on a disk that takes pages back")
        yield memory
        memory.close()


def test_a_page_put_out_is_waited_for_once(on_disk: mmap.mmap) -> None:
    made = PagingProbe()
    on_disk[20 * BLOCK]
    on_disk.madvise(PAGEOUT, 20 * BLOCK, BLOCK)
    before = numbers_of(made)[0]
    on_disk[20 * BLOCK]
    fetched = numbers_of(made)[0]
    on_disk[20 * BLOCK]
    assert fetched - before == 1
    assert numbers_of(made)[0] == fetched


def test_the_count_is_the_systems_own() -> None:
    # The ninth field behind the name in brackets: majflt, see proc(5).
    own = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[9])
    assert disk_faults() == own


def test_work_in_memory_waits_for_no_page() -> None:
    data = bytearray(1 << 20)
    before = disk_faults()
    began = time.perf_counter()
    while time.perf_counter() - began < 0.02:
        data[:] = bytes(len(data))
    assert disk_faults() == before


def test_free_swap_space_is_what_psutil_reads() -> None:
    import psutil

    assert abs(free_swap_bytes() - psutil.swap_memory().free) <= 64 << 20  # others use it meanwhile


def test_memory_that_belongs_to_no_file_stays_where_there_is_no_swap() -> None:
    import psutil

    if psutil.swap_memory().total:
        pytest.skip("this machine has swap space")
    assert not can_put_out(mmap.mmap(-1, BLOCK, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), BLOCK)


def test_a_system_that_refuses_is_no_error(
    on_disk: mmap.mmap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paged_memory, "PAGEOUT", 9_999)
    assert not can_put_out(on_disk, BLOCK)


def test_each_page_touched_for_the_first_time_is_a_fault() -> None:
    probe = FaultsProbe()
    with mmap.mmap(-1, PAGES * mmap.PAGESIZE) as memory:
        memory.madvise(mmap.MADV_NOHUGEPAGE)  # one fault would bring 512 pages
        probe.begin()
        for page in range(PAGES):
            memory[page * mmap.PAGESIZE] = 1
        first = numbers_of(probe)[0]
        probe.begin()
        for page in range(PAGES):
            memory[page * mmap.PAGESIZE] = 2
        again = numbers_of(probe)[0]
    assert PAGES <= first < 1.5 * PAGES
    assert again < 0.1 * PAGES


def test_work_without_new_memory_is_quiet() -> None:
    probe = FaultsProbe()
    sum(range(200_000))
    probe.begin()
    sum(range(200_000))
    assert numbers_of(probe)[0] < 20
