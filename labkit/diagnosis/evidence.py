"""The evidence of a run: which counters rise for ever, which functions take longer and longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.diagnosis.lines import SAMPLED, STACK, slower_lines
from labkit.diagnosis.monotone import climb, rises_in_ever_larger_stairs
from labkit.record import Run
from labkit.record.diagnosis import Climb
from labkit.record.source_line import LINE

MOST_READINGS = 80
KEPT, CALLS = "kept/", "calls/"
# What a container that is kept holds, beside its own name.
TENSORS, NUMBERS = "tensors/", "numbers/"
# What is kept and has a bound: it fills up, and then it is full.
BOUNDED = "bounded/"
# In all that have one together; those that cannot be weighed, and what the others take.
BOUNDED_ITEMS, BOUNDED_UNKNOWN, BOUNDED_LEAST, BOUNDED_MOST, BOUNDED_TENSORS = (
    "bounded_items", "bounded_unknown", "bounded_least_bytes", "bounded_most_bytes",
    "bounded_tensors",
)  # fmt: skip
# Items of a store that was filled with nothing at first: it is full, and rises all the same.
BOUNDED_BLANK = "bounded_blank"
# Objects of a class of the reader's in what has a bound, and in what holds numbers only.
BOUNDED_OF, NOTED_OF = "bounded_of/", "noted/"
# Objects alive of a class of the reader's own.
INSTANCES = "instances/"
RECURSION = "recursion/"
# So many numbers per step are 2 kB, as much as a healthy loop may leave on the heap.
MANY_NUMBERS = 60
COUNTED = "gc_objects"  # in every census
# A counter that is exact rests in a healthy loop; three units and more are no chance.
EXACT_RISE = 3.0
# These move a little in any loop: allocators keep reserves, caches fill.
NOISY_RISE: Mapping[str, float] = {
    "heap_bytes": 200_000,
    "resident_bytes": 4_000_000,
    # Threads' stacks and reserves, the pools of Python's own objects.
    "mapped_bytes": 32_000_000,
    "no_file_bytes": 4_000_000,
    "tensor_bytes": 200_000,
    "live_tensor_bytes": 4_000,
    "python_blocks": 1_000,
    "gc_objects": 500,
    "file_bytes": 4_000,
}
# Counted anew at each step, and the same in each step of a healthy loop: a rise of a hundredth
# that goes on to the end is no chance.
WORK = (
    "ops_run", "comparisons", "gradient_ops", "elements", "bytes_in", "bytes_out",
    "argument_elements", "argument_sizes", "function_elements", "python_calls", "trainings",
)  # fmt: skip
WORK_RISE = 0.01
# What traced functions are told by numbers. Many a loop hands over how many steps it has done.
NUMBERS_HANDED = "whole_numbers"
# What may take twice the room whenever it is full.
ROOM, ROOM_PER_STEP = ("heap_bytes", "mapped_bytes"), 2_000
# What a loop opens and may leave open.
HELD = ("open_tapes",)
# Counted like the loop's work, but none of it: a cause that works in Python calls ever more
# functions of its own, and one that traces compares types with those of all traces so far.
PYTHON_CALLS = "python_calls"
ECHOES = frozenset({PYTHON_CALLS, "comparisons"})


@dataclass(frozen=True)
class Evidence:
    """What the counters of a run say.

    Args:
        climbs: Counters that rise for ever, by name; what is kept is named ``kept/...``.
        work: Counters of the work of one step that grow, by name.
        functions: Functions whose time in one step grows: seconds per step more at the end than at
            the start, most first.
        closing: What was looked at once, at the end.
        collected: Whether Python's collector was at work to the end, so that what is garbage goes
            some time.
        unbooked_seconds: By how much a step grew beside its places, in the looks that tell of its
            functions.
        counts: How often all that lives was counted; None of a run in which nobody does.
        held: Counters of what is open that are above zero at the end of each step.
        blank: Whether a store with a bound still has places in which nothing was put.
        stairs: Whether memory rises in ever larger stairs, so far apart that there are few.
        numbers: The sum of the whole numbers that functions are handed, where it grows.
    """

    climbs: Mapping[str, Climb]
    work: Mapping[str, Climb]
    functions: tuple[tuple[str, float], ...]
    closing: Mapping[str, float]
    collected: bool = True
    unbooked_seconds: float = 0.0
    counts: int | None = None
    held: frozenset[str] = frozenset()
    blank: bool = False
    stairs: bool = False
    numbers: Climb | None = None

    def rising(self, names: Sequence[str]) -> Climb | None:
        """Return the first of some counters that rises."""
        return next((self.climbs[name] for name in names if name in self.climbs), None)

    def kept_memory(self) -> list[Climb]:
        """Return those of `kept` that fill the memory, lists of tensors and arrays first.

        A loop that notes its loss at each step keeps 32 bytes of it, and is healthy.
        """
        telling = [
            each
            for each in self.kept()
            if not self._only_numbers(each)
            if not self.is_bounded(each)
        ]
        return sorted(telling, key=lambda each: _beside(TENSORS, each) not in self.climbs)

    def is_bounded(self, kept: Climb) -> bool:
        """Tell whether what is kept has a bound, and is on its way to be full."""
        return _beside(BOUNDED, kept) in self.climbs

    def _only_numbers(self, kept: Climb) -> bool:
        numbers = self.climbs.get(_beside(NUMBERS, kept))
        return numbers is not None and numbers.per_step < MANY_NUMBERS

    def instances(self) -> list[Climb]:
        """Return those of the reader's own classes of which ever more objects are alive."""
        found = [each for name, each in self.climbs.items() if name.startswith(INSTANCES)]
        return sorted(found, key=lambda each: -each.per_step)

    def kept(self) -> list[Climb]:
        """Return what the loop's own lists and arrays keep, the fastest first."""
        found = [each for name, each in self.climbs.items() if name.startswith(KEPT)]
        return sorted(found, key=lambda each: -each.per_step)


def evidence(run: Run) -> Evidence:
    """Return what the counters of a run say.

    Args:
        run: With its sampled steps.
    """
    climbs: dict[str, Climb] = {}
    work: dict[str, Climb] = {}
    numbers, stairs = None, False
    for name, steps, values in _counters(run):
        if name in WORK:
            least = WORK_RISE * max(1.0, float(np.nanmedian(values)))
            if found := climb(name, steps, values, least_rise=least):
                work[name] = found
        elif name == NUMBERS_HANDED:
            numbers = climb(name, steps, values, least_rise=EXACT_RISE)
        elif found := climb(name, steps, values, least_rise=NOISY_RISE.get(name, EXACT_RISE)):
            climbs[name] = found
        elif name in ROOM:
            least = max(NOISY_RISE[name], ROOM_PER_STEP * steps[-1])
            stairs |= rises_in_ever_larger_stairs(steps, values, least_rise=least)
    held = frozenset(name for name in HELD if _is_held(run, name))
    closing = {name: pairs[-1][1] for name, pairs in run.evidence.items() if len(pairs) == 1}
    functions, unbooked_seconds = slower_lines(run)
    return Evidence(
        climbs,
        work,
        functions,
        closing,
        _collected(run),
        unbooked_seconds,
        len(run.evidence.get(COUNTED, ())) if SAMPLED in run.steps.names else None,
        held,
        any(count > 0 for _, count in run.evidence.get(BOUNDED_BLANK, ())),
        stairs,
        numbers,
    )


def _is_held(run: Run, name: str) -> bool:
    if name not in run.steps.names or not len(run.steps):
        return False
    later = np.asarray(run.steps.column(name))[len(run.steps) // 2 :]
    return bool((later > 0).all())


def _beside(what: str, kept: Climb) -> str:
    return what + kept.name.removeprefix(KEPT)


def _collected(run: Run) -> bool:
    """Tell whether there was a collection in the second half of the run."""
    if "gc_collections" not in run.steps.names or not len(run.steps):
        return True
    so_far = np.asarray(run.steps.column("gc_collections"))
    return bool(so_far[-1] > so_far[len(so_far) // 2])


def _counters(run: Run) -> Iterator[tuple[str, Sequence[int], Sequence[float]]]:
    count = len(run.steps)
    places = np.unique(np.linspace(0, count - 1, min(count, MOST_READINGS)).astype(int))
    for column in run.column_of_kind("counter"):
        values = np.asarray(run.steps.column(column.name))[places]
        if count and np.isfinite(values).any():
            yield column.name, [*places], [*values]
    for name, pairs in run.evidence.items():
        if len(pairs) > 1 and not name.startswith((CALLS, STACK, LINE, RECURSION)):
            yield name, [step for step, _ in pairs], [value for _, value in pairs]
