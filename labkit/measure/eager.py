"""Eager ops: how many ops and compiled functions Python ran, and the time it waited for them.

Every op that runs from Python, and every call of a traced tf.function, passes one of two functions
of TensorFlow 2.19-2.21 (``python/pywrap_tfe.py``). They are declared in `CHOKE_POINTS` and nowhere
else; one that is missing leaves its share unmeasured. The time is the op's whole stay in
TensorFlow: finding memory for its result, computing, and handing the result back.
"""

from __future__ import annotations

import threading
from typing import Any

from labkit.measure.choke import ChokePoints, PrivateName
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.measure.probe import Row
from labkit.record import Column

CHOKE_POINTS = (
    # The fast way may give up and pass the op on to the slow one: then only the second returns,
    # and only what returned is counted.
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_FastPathExecute",
                "running_ops", "running ops"),
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_Execute",
                "running_ops", "running ops"),
)  # fmt: skip


class EagerProbe:
    """Counts the ops run from Python, and books their time where no other place is open.

    Args:
        places: The stopwatch. Only the thread that made it is timed and counted.

    An op that runs inside another place, such as a gradient or a checkpoint, is counted, and its
    time stays with that place.
    """

    columns = (Column("ops_run", "ops run in the step", "ops", "counter"),)

    def __init__(self, places: Places) -> None:
        self._thread = threading.get_ident()
        self._count = 0
        self._points = ChokePoints(places)
        self._points.hook(CHOKE_POINTS, after=self._see, alone=True)

    @property
    def missing(self) -> list[str]:
        """The private names this TensorFlow does not have."""
        return self._points.missing

    def _see(self, _arguments: tuple[Any, ...], _result: Any) -> None:
        if threading.get_ident() == self._thread:
            self._count += 1

    def begin(self) -> None:
        self._count = 0

    def read(self, row: Row, place: int) -> None:
        row[place] = float(self._count)

    def close(self) -> None:
        self._points.close()


def probe(hooks: Hooks) -> EagerProbe:
    """Return the probe for a worker; costs about 0.5 us an op."""
    return EagerProbe(hooks.places)
