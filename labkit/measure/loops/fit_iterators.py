"""From which iterator Keras's fit takes each of its batches.

The private name of Keras 3 is declared here; where it is missing, nobody is told anything.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from labkit.measure.clock.timing import Timed, dressed
from labkit.measure.patches.group import PrivateName
from labkit.measure.patches.patch import Patch

# Just before each batch; what it returns ends with the iterator that the batch is taken from.
NEXT = PrivateName("keras.src.backend.tensorflow.trainer", "TFEpochIterator", "__next__")


class FitIterators:
    """Tells before each batch from which iterator it is taken.

    Args:
        tell: Hears of it, by a weak reference, for a generator behind it ends with it; None where
            there is no such thing.

    To be made once Keras's trainer is imported. ``missing`` has the name if this Keras has it not.
    """

    # It fills no place of a row, and may stand among the probes, which are closed together.
    columns = ()

    def __init__(self, tell: Callable[[weakref.ref[Any] | None], object]) -> None:
        self._tell = tell
        self.missing: list[str] = []
        self._patches: list[Patch] = []
        owner = NEXT.owner_or_note(self.missing)
        if owner is not None:
            made = self._telling(getattr(owner, NEXT.attribute))
            self._patches.append(Patch(owner, NEXT.attribute, made))

    def _telling(self, original: Timed) -> Timed:
        tell = self._tell

        def next_step(*args: Any, **keywords: Any) -> Any:
            step = original(*args, **keywords)
            try:
                iterator = weakref.ref(step[-1])
            except TypeError:  # a list of batches, for a fit that is not compiled
                iterator = None
            tell(iterator)
            return step

        return dressed(next_step, original)

    def read(self, row: object, place: int) -> None:
        """There is nothing to read."""

    def close(self) -> None:
        """Put Keras's own function back."""
        while self._patches:
            self._patches.pop().close()
