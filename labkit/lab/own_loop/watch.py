"""Watch a loop of the reader's own in this kernel: ``for batch in (w := lk.watch(dataset))``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Generic, TypeVar

from labkit.lab.cell_end import close_after_cell
from labkit.lab.own_loop.watching import Watching
from labkit.measure.clock.timing import timed
from labkit.record import LabkitError, Run, quantity

Item = TypeVar("Item")
OVER: Any = object()  # what no loop goes through


class Watched(Generic[Item]):
    """A dataset that is watched while it is gone through: one step for each item.

    Args:
        items: What the loop goes through.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self._watching: Watching | None = None
        self._times = 0

    def __iter__(self) -> Iterator[Item]:
        self._times += 1
        # One report is of one time: who goes through it once an epoch must not think otherwise.
        last = f", the last of {self._times} times" if self._times > 1 else ""
        watching = self._watching = Watching(f"your loop{last}")
        # A name for its iterator, in a function that raises, would keep it half gone through.
        close_after_cell(watching)
        try:
            source = iter(self._items)
            wait = timed(partial(next, source, OVER), watching.timers, watching.waiting)
            begin, end = watching.begin, watching.end
            handed: list[Item] = []
            while True:
                begin()
                handed.append(wait())
                if handed[0] is OVER:
                    return
                # By no name: a batch that the loop lets go of would live on until the next one.
                yield handed.pop()
                end()
        finally:
            # However the loop is left, nothing of TensorFlow and Python stays patched.
            watching.close()
            watching.count_last()

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[arg-type]  # as without: TypeError of a generator

    def __bool__(self) -> bool:
        return bool(self._items)

    @property
    def run(self) -> Run:
        """What was recorded, of the last time it was gone through.

        Raises:
            LabkitError: If nobody went through it yet.
        """
        if self._watching is None:
            raise LabkitError(
                "This was not gone through yet; write  for batch in w: ...  first, then diagnose."
            )
        return self._watching.run()

    def __repr__(self) -> str:
        steps = self._watching.steps if self._watching else 0
        return f"Watched({quantity.steps(steps)} so far)"


def watch(items: Iterable[Item]) -> Watched[Item]:
    """Return the items of a loop so that each turn of it is a watched step.

    Args:
        items: A dataset, a list, a generator: whatever the loop goes through.

    Returns:
        What to loop over in its place, and to hand to `labkit.diagnose` afterwards::

            for batch in (w := lk.watch(dataset)):
                train_step(batch)
            lk.diagnose(w)
    """
    return Watched(items)
