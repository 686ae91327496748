"""How long each batch of Keras's fit waited for its data, as TensorFlow itself has noted it.

Keras asks for a batch within its compiled step, so that Python sees one call and no more. But the
model by which tf.data tunes an iterator notes the time between two requests (``gap_times`` in
``core/framework/model.proto``): what a batch's row has beside that, it has waited. To read it costs
a tenth of a millisecond, so it is read now and then for all batches since; until then their rows
are held back.

Private names of TensorFlow 2.19-2.21 are declared here; where one is missing, or an iterator is not
tuned, waiting stays with the run of the function, and nothing is held back.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from labkit.measure.clock.probe import Row
from labkit.measure.patches.group import PrivateName
from labkit.record import Column

# Not by the op's own function: callbacks of the reader's for ops would hear of it.
RUN_OP = PrivateName("tensorflow.python.eager.execute", "", "quick_execute")
CONTEXT = PrivateName("tensorflow.python.eager.context", "", "context")
READ_MODEL = b"IteratorGetModelProto"
PARSE = PrivateName("tensorflow.core.framework.model_pb2", "ModelProto", "FromString")
RESOURCE = "_iterator_resource"
# Of the time since the last one a reading takes no more.
SHARE_OF_TIME = 0.01
# As many of the latest gaps are noted.
MOST_HELD_BACK = 100

Iterator: TypeAlias = "weakref.ref[Any] | None"


class BatchWaiting:
    """Books waiting for data in the rows of a fit's batches.

    Args:
        clock: Returns seconds.
        columns: What stands where in a row.
        begins_early: Whether a row begins where the one before has ended, so that nobody knows yet
            from which iterator its batch comes.

    ``missing`` has the names that this TensorFlow has not.
    """

    def __init__(
        self, clock: Callable[[], float], columns: Sequence[Column], *, begins_early: bool = False
    ) -> None:
        names = [column.name for column in columns]
        self._start, self._seconds = names.index("start_seconds"), names.index("seconds")
        self._waiting = names.index("data_waiting_seconds")
        self._running = names.index("function_run_seconds")
        self._clock = clock
        self._begins_early = begins_early
        self.missing: list[str] = []
        self._run_op = RUN_OP.value_or_note(self.missing)
        self._context = CONTEXT.value_or_note(self.missing)
        self._parse = PARSE.value_or_note(self.missing)
        # Of the batch whose row goes on. Weak: what makes its data ends with it.
        self._iterator: Iterator = None
        self._next: Iterator = None
        self._held: list[tuple[Row, int, float]] = []  # where, and when its batch was asked for
        self._asked: float | None = None
        self._unread = 0  # rows since its model was read
        self._elements = 0  # that it knew of then
        self._readable = not self.missing
        self._due = -math.inf

    def batch_begins(self, iterator: Iterator) -> None:
        """Hear that the row which begins next is that of a batch, taken from an iterator."""
        self._next = iterator

    def batch_goes_on(self, iterator: Iterator) -> None:
        """Hear from which iterator the batch of the row that goes on is taken."""
        if iterator is not self._iterator:
            self.batches_over()
            self._take_from(iterator)
        self._asked = self._clock()

    def batches_over(self) -> None:
        """Hear that the row that goes on is forgotten: book now what was held back."""
        if self._held and self._iterator is not None:
            self._book(self._iterator, True)
        self._held.clear()
        self._iterator = self._next = None

    def complete(self, rows: Row, at: int, count: int) -> int:
        """Hear that a row is over; return how many of all have their waiting booked.

        Args:
            rows: Where it stands.
            at: Where in there it begins.
            count: How many there are.
        """
        iterator = self._iterator
        following, self._next = iterator if self._begins_early else self._next, None
        over = following is not iterator
        if iterator is not None and self._readable:
            asked = rows[at + self._start]
            if self._asked is not None:  # in the row's own time
                asked += rows[at + self._seconds] - (self._clock() - self._asked)
            self._held.append((rows, at, asked))
            self._unread += 1
            if over or self._clock() >= self._due or len(self._held) == MOST_HELD_BACK:
                self._readable = self._book(iterator, over)
            if over or not self._readable:
                self._held.clear()
        if over:
            self._take_from(following)
        return count - len(self._held)

    def _take_from(self, iterator: Iterator) -> None:
        self._iterator = iterator
        if iterator is not None:
            self._unread, self._readable = 0, not self.missing
            # None before its first element: there is no model yet.
            model = self._model(iterator) if self._readable else None
            self._elements = 0 if model is None else _elements(model)

    def _book(self, iterator: Iterator, over: bool) -> bool:
        """Book the waiting of the rows that are held back; return whether that can be done."""
        began = self._clock()
        model = self._model(iterator)
        ended = self._clock()
        self._due = ended + (ended - began) / SHARE_OF_TIME
        if model is None:
            return False
        taken = _elements(model) - self._elements
        self._elements += taken
        unread, self._unread = self._unread, 0
        # Several batches may go into one step of Keras's; where there was none left, it took none.
        if taken not in (unread, unread - over):
            return False
        # The newest gap is that before the newest batch.
        for gap, one, following in zip(
            reversed(model.gap_times), self._held[-2::-1], self._held[:0:-1], strict=False
        ):
            self._book_row(*one, following[2] - 1e-6 * gap)
        del self._held[:-1]
        return True

    def _model(self, iterator: Iterator) -> Any:
        """Return what tf.data knows of an iterator; None where it knows nothing."""
        try:
            resource = getattr(iterator and iterator(), RESOURCE)
            (model,) = self._run_op(READ_MODEL, 1, [resource], None, self._context())
            return self._parse(model.numpy())
        except Exception:  # gone, not tuned, of another TensorFlow, on a device without such an op
            return None

    def _book_row(self, rows: Row, at: int, asked: float, ended: float) -> None:
        """Book what lies between two moments, as far as the row's function ran so long."""
        running = rows[at + self._running]
        waited = min(max(0.0, ended - asked), running)
        if waited == waited:  # either place may not be measured
            rows[at + self._waiting] += waited
            rows[at + self._running] = running - waited


def _elements(model: Any) -> int:
    """Return how many elements were taken from an iterator."""
    return int(model.nodes[model.output].num_elements)
