"""The faults that are put into healthy steps: each can be enlarged and acted out. Tier: make test.

What each costs is measured by the bench, and found by the mystery loops' tests in make test-full.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from labkit import faults
from labkit.faults import Fault, GraphGrowth, KeptObjects, OpenTape, Retracing

FAULTS = [getattr(faults, name) for name in faults.__all__ if name != "Fault"]


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """One of them sets aside all objects of the process, other tests' too."""
    yield
    gc.unfreeze()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_enlarged_and_acted_out_again_and_again(fault: type[Fault]) -> None:
    made = fault()
    try:
        made.act()
        made.enlarge(2)
        made.act()
    finally:
        if isinstance(made, OpenTape):  # it would record what other tests of this process do
            made._tape.__exit__(None, None, None)


def test_acting_out_enlarges_a_fault_by_its_own_units_and_no_more() -> None:
    growing, resting = GraphGrowth(), Retracing()
    for _ in range(3):
        growing.act()
        resting.act()
    assert len(growing._graph.get_operations()) == 2 + 3 * GraphGrowth.own
    assert resting._turns == 0 == Retracing.own


def test_what_is_kept_grows_by_enlarging_alone() -> None:
    kept = KeptObjects()
    kept.act()
    assert kept.kept == []
    kept.enlarge(3)
    assert len(kept.kept) == 3
