"""The loop within Keras's fit: its epochs, and its batches, told as the loops of a file are.

Private names of Keras 3 are declared here; where one is missing, a fit has no turns.
"""

from __future__ import annotations

import linecache
import sys
import weakref
from collections.abc import Callable
from typing import Any

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timing import Timed, dressed
from labkit.measure.loops.fit_iterators import FitIterators
from labkit.measure.loops.turns import Turns
from labkit.measure.patches.group import PrivateName
from labkit.measure.patches.patch import Patch
from labkit.record.loop import LoopKind, SourceLoop

TRAINER_MODULE = "keras.src.backend.tensorflow.trainer"
FIT = PrivateName(TRAINER_MODULE, "TensorFlowTrainer", "fit")
CALLBACK_LIST = ("keras.src.callbacks.callback_list", "CallbackList")
EPOCH, BATCH = (
    PrivateName(*CALLBACK_LIST, f"on_{what}_begin") for what in ("epoch", "train_batch")
)
# After the last batch of an epoch comes one of these.
BATCHES_OVER = tuple(
    PrivateName(*CALLBACK_LIST, name) for name in ("on_test_begin", "on_epoch_end", "on_train_end")
)
KINDS: tuple[LoopKind, LoopKind] = ("epoch", "fit")


class _Fit:
    """A call of fit that goes on."""

    def __init__(self, epochs: int, batches: int) -> None:
        self.epochs, self.batches = epochs, batches
        self.in_epoch = False
        self.callbacks: Any = None


class Fitting:
    """Tells the turns of each fit.

    Args:
        turns: Is told them.
        number: Returns the number of a loop, a new one for each that it has not seen.

    To be made once Keras's trainer is imported. ``missing`` has the names that this Keras has not.

    Attributes:
        batch_begins: Is told from which iterator a batch is taken, before the turn is: by a weak
            reference, for a generator behind it ends with it; None where there is no such thing.
    """

    def __init__(self, turns: Turns, number: Callable[[SourceLoop], int]) -> None:
        self._turns, self._number = turns, number
        self._names = SourceNames()
        self._fits: list[_Fit] = []
        self.missing: list[str] = []
        self._patches: list[Patch] = []
        self.batch_begins: Callable[[weakref.ref[Any] | None], object] = lambda iterator: None
        self._iterator: weakref.ref[Any] | None = None
        self._wrap(FIT, self._fitting)
        self._iterators = FitIterators(self._note)
        self.missing += self._iterators.missing
        self._wrap(EPOCH, lambda original: _before(original, self._epoch))
        self._wrap(BATCH, lambda original: _before(original, self._batch))
        for name in BATCHES_OVER:
            self._wrap(name, lambda original: _before(original, self._batches_over))

    def _wrap(self, name: PrivateName, wrapped: Callable[[Timed], Timed]) -> None:
        owner = name.owner_or_note(self.missing)
        if owner is not None:
            made = wrapped(getattr(owner, name.attribute))
            self._patches.append(Patch(owner, name.attribute, made))

    def _fitting(self, original: Timed) -> Timed:
        def fit(*args: Any, **keywords: Any) -> Any:
            file, line = self._names.line(sys._getframe(1)) or ("", 0)
            place = file, line, linecache.getline(file, line).strip()
            numbers = (self._number(SourceLoop(kind, *place)) for kind in KINDS)
            made = _Fit(*numbers)
            self._fits.append(made)
            self._turns.fit_begins()
            self._turns.enter(made.epochs)
            try:
                return original(*args, **keywords)
            finally:
                self._fits.remove(made)
                self._turns.leave(made.epochs)

        return dressed(fit, original)

    def _note(self, iterator: weakref.ref[Any] | None) -> None:
        self._iterator = iterator

    def callbacks(self) -> list[object]:
        """Return those of the reader's own in the fit that goes on: Keras alone knows them."""
        given = self._fits[-1].callbacks if self._fits else None
        return list(getattr(given, "callbacks", ()))

    def _epoch(self, callbacks: Any) -> None:
        if self._fits:
            self._fits[-1].callbacks = callbacks
            self._turns.turn(self._fits[-1].epochs)

    def _batch(self, _: Any) -> None:
        if not self._fits:
            return
        fit = self._fits[-1]
        if not fit.in_epoch:
            fit.in_epoch = True
            self._turns.enter(fit.batches)
        iterator, self._iterator = self._iterator, None
        self.batch_begins(iterator)
        self._turns.turn(fit.batches)

    def _batches_over(self, _: Any) -> None:
        if self._fits and self._fits[-1].in_epoch:
            self._fits[-1].in_epoch = False
            self._turns.leave(self._fits[-1].batches)

    def close(self) -> None:
        """Put Keras's own functions back."""
        self._iterators.close()
        for patch in reversed(self._patches):
            patch.close()
        self._patches.clear()


def _before(original: Timed, tell: Callable[[Any], None]) -> Timed:
    def told(*args: Any, **keywords: Any) -> Any:
        tell(args[0])
        return original(*args, **keywords)

    return dressed(told, original)
