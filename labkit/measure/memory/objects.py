"""Objects that stay: functions TensorFlow has registered, names Keras has given, tensors alive.

The counters are private names of TensorFlow 2.19-2.21 (``python/ops/script_ops.py``,
``python/eager/context.py``, ``python/framework/ops.py``) and of Keras 3
(``src/backend/common/global_state.py``). They are declared in `COUNTED` and nowhere else; one that
is missing leaves its column unmeasured.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Container
from typing import Any

from labkit.measure.clock.probe import Row
from labkit.measure.memory.instance import objects_of
from labkit.measure.memory.tensors import is_up
from labkit.measure.patches.group import PrivateName
from labkit.record import Column

COUNTED = {
    "python_functions": PrivateName("tensorflow.python.ops.script_ops", "_py_funcs", "size"),
    "runtime_functions": PrivateName("tensorflow.python.eager.context", "", "context"),
    "keras_names": PrivateName("keras.src.backend.common.global_state", "", "get_global_attribute"),
    "live_tensors": PrivateName("tensorflow.python.framework.ops", "", "EagerTensor"),
}
# Counting live tensors means going through all of Python's objects, 10 to 50 ms.
LIVE_SHARE = 0.03


class ObjectsProbe:
    """Counts what stays alive between steps.

    Args:
        clock: Returns seconds.
        objects: Returns all objects that Python's garbage collector knows.

    ``python_functions`` are those that ``tf.py_function`` has registered; ``runtime_functions`` all
    that TensorFlow's runtime holds, such as those of a traced tf.function; ``keras_names`` how many
    names Keras has made up; ``live_tensors`` the eager tensors alive. The last is counted rarely
    enough to take 3 % of the time, and stands still in between.
    """

    columns = (
        Column("python_functions", "registered Python functions", "functions", "counter"),
        Column("runtime_functions", "functions in the runtime", "functions", "counter"),
        Column("keras_names", "names given by Keras", "names", "counter"),
        Column("live_tensors", "tensors alive", "tensors", "counter"),
    )

    def __init__(
        self,
        clock: Callable[[], float],
        objects: Callable[[Container[int]], tuple[Collection[object], int]] = objects_of,
    ) -> None:
        self._clock = clock
        self._objects = objects
        self._live = math.nan
        self._next_count = -math.inf
        self.missing: list[str] = []
        self._registry = COUNTED["python_functions"].owner_or_note(self.missing)
        self._context = COUNTED["runtime_functions"].owner_or_note(self.missing)
        self._tensor_type = COUNTED["live_tensors"].value_or_note(self.missing)
        self._keras: Any = None

    def read(self, row: Row, place: int) -> None:
        row[place] = math.nan if self._registry is None else float(self._registry.size())
        row[place + 1] = self._runtime_functions()
        row[place + 2] = self._keras_names()
        row[place + 3] = self._live_tensors()

    def _runtime_functions(self) -> float:
        if self._context is None:
            return math.nan
        context = self._context.context()
        # Asking before the first op would set TensorFlow's runtime up, and too early.
        return float(len(context.list_function_names())) if is_up(context) else 0.0

    def _keras_names(self) -> float:
        # Importing Keras takes seconds; a loop without it has no names.
        if "keras" not in sys.modules:
            return 0.0
        if self._keras is None and str(COUNTED["keras_names"]) not in self.missing:
            self._keras = COUNTED["keras_names"].owner_or_note(self.missing)
        if self._keras is None:
            return math.nan
        return float(sum((self._keras.get_global_attribute("object_name_uids") or {}).values()))

    def _live_tensors(self) -> float:
        began = self._clock()
        if self._tensor_type is not None and began >= self._next_count:
            self._live = float(len(self._objects({id(self._tensor_type)})[0]))
            ended = self._clock()
            self._next_count = ended + (ended - began) / LIVE_SHARE
        return self._live
