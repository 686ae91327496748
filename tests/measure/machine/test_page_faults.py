"""Page faults against memory touched on purpose. Tier: make test."""

from __future__ import annotations

import mmap
import sys
from math import isnan

import pytest

from labkit.measure.clock.probe import StepProbe
from labkit.measure.machine.page_faults import FaultsProbe

PAGES = 500

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no getrusage there")


def counted(probe: FaultsProbe) -> float:
    row = [float("nan")]
    probe.read(row, 0)
    return row[0]


def test_each_page_touched_for_the_first_time_is_a_fault() -> None:
    probe = FaultsProbe()
    assert isinstance(probe, StepProbe)
    with mmap.mmap(-1, PAGES * mmap.PAGESIZE) as memory:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):  # one fault would bring 512 pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        probe.begin()
        for page in range(PAGES):
            memory[page * mmap.PAGESIZE] = 1
        first = counted(probe)
        probe.begin()
        for page in range(PAGES):
            memory[page * mmap.PAGESIZE] = 2
        again = counted(probe)
    assert PAGES <= first < 1.5 * PAGES
    assert again < 0.1 * PAGES


def test_work_without_new_memory_is_quiet() -> None:
    probe = FaultsProbe()
    sum(range(200_000))
    probe.begin()
    sum(range(200_000))
    assert counted(probe) < 20


def test_it_is_a_figure_of_the_machine_and_never_below_zero() -> None:
    probe = FaultsProbe()
    probe.begin()
    assert counted(probe) >= 0 and not isnan(counted(probe))
    assert [column.kind for column in probe.columns] == ["machine"]
