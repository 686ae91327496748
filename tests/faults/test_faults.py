"""The faults that are put into healthy steps: each can be enlarged and acted out. Tier: make test.

What each costs is measured by the bench, and found by the mystery loops' tests in make test-full.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labkit import faults
from labkit.faults import (
    CheckpointWriting,
    ExpensiveData,
    Fault,
    Garbage,
    GraphGrowth,
    History,
    KeptObjects,
    OpenTape,
    Rereading,
    Retracing,
    WorkGrowth,
)

DATA = ".data-00000-of-00001"  # of a checkpoint that has one part

# What is there of a fault, and how much of it a unit is.
AMOUNTS: dict[type[Fault], tuple[Callable[[Any], int], int]] = {
    GraphGrowth: (lambda fault: len(fault._graph.get_operations()), 1),
    Retracing: (lambda fault: fault._turns, 1),
    OpenTape: (lambda fault: multiplications_walked_back(fault), 2),
    CheckpointWriting: (lambda fault: Path(f"{fault._path}{DATA}").stat().st_size, 1024),
    ExpensiveData: (lambda fault: int(fault._turns), 1),
    Rereading: (lambda fault: fault._done, 1),
    WorkGrowth: (lambda fault: fault._rows, 1),
    History: (lambda fault: len(fault.losses), 1),
    Garbage: (lambda fault: len(fault.records), 1),
    KeptObjects: (lambda fault: len(fault.kept), 1),
}  # fmt: skip


def multiplications_walked_back(fault: OpenTape) -> int:
    """Count the gradients of multiplications that TensorFlow asks for as the fault is acted out."""
    asked: list[str] = []
    sys.setprofile(lambda frame, event, _: event == "call" and asked.append(frame.f_code.co_name))
    try:
        fault.act()
    finally:
        sys.setprofile(None)
    return asked.count("_MulGrad")


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """One of them sets aside all objects of the process, other tests' too."""
    yield
    gc.unfreeze()


def test_of_every_fault_it_is_known_what_a_unit_of_it_is() -> None:
    assert {each.__name__ for each in AMOUNTS} == {*faults.__all__} - {"Fault"}


@pytest.mark.parametrize("fault", AMOUNTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_enlarged_by_so_many_units_and_acted_out_again(fault: type[Fault]) -> None:
    amount, unit = AMOUNTS[fault]
    made = fault()
    try:
        made.act()
        before = amount(made)
        made.enlarge(3)
        made.act()
        assert amount(made) - before == (3 + fault.own) * unit
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
