"""Watch Keras train: ``model.fit(..., callbacks=[w := lk.Watch()])``, then ``lk.diagnose(w)``.

``Watch`` is made when it is first asked for: its base class is Keras's, and Keras is loaded by
nobody who does not use it.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from labkit.lab.cell_end import close_after_cell
from labkit.lab.own_loop.watching import Watching
from labkit.measure.loops.batch_waiting import BatchWaiting
from labkit.measure.loops.fit_iterators import FitIterators
from labkit.record import LabkitError, Run


def __getattr__(name: str) -> Any:
    if name != "Watch":
        raise AttributeError(f"{__name__} has no {name!r}; it has: Watch")
    return _watch_class()


class BatchWatching:
    """All of `Watch` but its base class, which is Keras's."""

    model: Any  # set by Keras

    def __init__(self) -> None:
        super().__init__()
        self._watching: Watching | None = None
        self._waiting: BatchWaiting | None = None
        self._fits = 0

    def __getstate__(self) -> dict[str, Any]:
        # What is copied or saved is what was handed to fit, and not what hangs in TensorFlow.
        return {**self.__dict__, "_watching": None, "_waiting": None, "_fits": 0}

    @property
    def run(self) -> Run:
        """What was recorded, of the last training.

        Raises:
            LabkitError: If nothing was trained with it yet.
        """
        if self._watching is None:
            raise LabkitError(
                "Nothing was trained with this callback yet; hand it to model.fit(..., "
                "callbacks=[w]) first, then diagnose."
            )
        self._watching.close()
        # Once more: at its end a training still holds the last epoch's iterator, with its threads.
        self._watching.count_last()
        return self._watching.run()

    def _begin(self, title: str) -> Watching:
        if self._watching is None or not self._watching.open:
            self._watching = made = Watching(title)
            self._waiting = BatchWaiting(
                time.perf_counter, made.recorder.columns, begins_early=True
            )
            made.recorder.complete = self._waiting.complete
            # Closed with the others. It knows the waiting alone: of the watching nobody but this
            # callback may hold, which may be forgotten.
            made.probes.append(FitIterators(self._waiting.batch_goes_on))
            close_after_cell(made)
        return self._watching

    def _forget(self) -> None:
        """Forget the step that goes on: what comes now is none."""
        if self._watching is not None and self._waiting is not None:
            self._watching.forget()
            self._waiting.batches_over()

    def _training(self) -> str:
        """Return what is trained, and how many batches Keras runs between two of its calls."""
        batches = int(getattr(self.model, "steps_per_execution", 1))
        called = "model.fit" if batches == 1 else f"model.fit, {batches} batches per step"
        return f"{called}, the last of {self._fits} times" if self._fits > 1 else called

    def on_train_begin(self, logs: Any = None) -> None:
        if self._watching is not None:
            self._watching.close()  # of a training that raised
        self._fits += 1
        self._begin(self._training())

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._begin(self._training()).begin()

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        watching = self._begin("your loop")
        if not watching.recorder.begun():
            watching.begin()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        watching = self._begin("your loop")
        watching.end()
        watching.begin()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._forget()

    def on_test_begin(self, logs: Any = None) -> None:
        self._forget()

    def on_train_end(self, logs: Any = None) -> None:
        self._forget()
        if self._watching is not None:
            self._watching.close()
            self._watching.count_now()


@cache
def _watch_class() -> Any:
    try:
        import keras
    except ImportError as error:
        raise LabkitError(
            "Keras is not installed in this Python; run:  python -m pip install tensorflow"
        ) from error

    class Watch(BatchWatching, keras.callbacks.Callback):  # type: ignore[misc]
        """A Keras callback that records each training batch as a step.

        A step lasts from the end of one batch to the end of the next, so that waiting for data and
        other callbacks are part of it. What lies between two epochs, such as validation, is not.
        A model compiled with ``steps_per_execution=10`` runs ten batches in a step, and the run's
        title says so.

        A loop of one's own calls `on_train_batch_begin` and `on_train_batch_end` itself. Asking for
        `run` ends the watching, as `on_train_end` does: a training that raised never says so.
        """

    # As if it stood at the top of this file, for who prints, copies or documents it.
    Watch.__qualname__ = "Watch"
    return Watch
