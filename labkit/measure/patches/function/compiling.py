"""Compiling: how often XLA had to compile a function, and the time that took.

TensorFlow counts its compilations, and lets nobody read the count from Python. But XLA compiles for
exact shapes: the first run of a function made with ``jit_compile=True``, or of one that calls such
a function, on shapes it has not met before is the run that compiles. The patched functions are
private names of TensorFlow 2.19-2.21 (``python/eager/polymorphic_function/atomic_function.py``),
declared here and nowhere else; one that is missing leaves the place unmeasured.

Not seen: shapes that are known only within TensorFlow, such as those of batches that a Keras fit
asks an iterator for.

Keras may choose itself whether a model's train step is compiled: with ``jit_compile="auto"``, the
default of ``Model.compile``, it takes XLA for most models where TensorFlow lists a graphics card,
hidden from the loop or not, and not elsewhere (Keras 3, ``Trainer._resolve_auto_jit_compile``). So
the same loop may be another one on another machine.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from labkit.measure.clock.timing import Timed, dressed
from labkit.measure.memory.tensors import sizes
from labkit.measure.patches import timed_functions
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.patch import Patch
from labkit.record import Column

ATOMIC = "tensorflow.python.eager.polymorphic_function.atomic_function"
PLACE = ("xla_compiling", "compiling for XLA")
MADE = Group(None, {ATOMIC: ("from_func_graph",)})
RUN = PrivateName(ATOMIC, "AtomicFunction", "call_flat")
ATTRIBUTE = "_XlaMustCompile"
TRAIN_STEP = Group(
    timed_functions.COMPILING,
    {f"{timed_functions.TRAINER}:TensorFlowTrainer": ("make_train_function",)},
    deferred=True,
)
KERAS_KIND = "keras_function"


class CompilingProbe(CountingProbe):
    """Counts compilations and times them, the first run included, apart from running functions."""

    counters = (Column("compilations", "compilations by XLA", "compilations", "counter"),)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._eager = context.tensorflow.executing_eagerly
        # The functions for XLA, and the shapes each has met.
        self._met: weakref.WeakKeyDictionary[Any, set[tuple[Any, ...]]]
        self._met = weakref.WeakKeyDictionary()
        self._run: Patch | None = None
        self._open = True
        self._lock = threading.Lock()
        self._owner = self.patches.find(RUN)
        if self._owner is None:
            self.give_up("compilations")
            return
        if not self.patches.patch(MADE, after=self._made):
            self.give_up("compilations")
        self._place = self.timers.add(*PLACE)

    def _made(self, arguments: tuple[Any, ...], function: Any) -> None:
        attributes = arguments[2] if len(arguments) > 2 else None
        attribute = attributes.get(ATTRIBUTE) if attributes else None
        compiles = bool(getattr(attribute, "b", attribute))
        if compiles or any(child in self._met for child in function.children):
            self._met[function] = set()
            self._watch_runs()

    def _watch_runs(self) -> None:
        """Patch what runs functions: a loop without XLA must not pay for it at every call."""
        # Closed, this may still be called by what was hooked in over it; and two threads may trace.
        with self._lock:
            if self._open and self._run is None:
                watched = self._watched(getattr(self._owner, RUN.attribute))
                self._run = Patch(self._owner, RUN.attribute, watched)

    def _watched(self, original: Timed) -> Timed:
        def call_flat(function: Any, *inputs: Any) -> Any:
            if not self._new(function, inputs):
                return original(function, *inputs)
            self._note(function)
            self.timers.enter(self._place)
            try:
                return original(function, *inputs)
            finally:
                self.timers.leave()

        return dressed(call_flat, original)

    def _new(self, function: Any, inputs: tuple[Any, ...]) -> bool:
        """Return whether these shapes are compiled now, on the timed thread."""
        met = self._met.get(function)
        if met is None or not self.timers.here:
            return False
        # Otherwise the function is only being traced into another.
        if not self._eager():
            return False
        shapes = tuple(map(sizes, inputs))
        if None in shapes or shapes in met:
            return False
        met.add(shapes)
        return True

    def _note(self, function: Any) -> None:
        self.values[self.first] += 1
        count = int(self.values[self.first])
        name = function.name.decode().removeprefix("__inference_").rpartition("_")[0]
        self.events.add("compile", f"XLA compiled {name}, compilation {count:,}", function=name)

    def close(self) -> None:
        with self._lock:
            self._open = False
            if self._run is not None:
                self._run.close()
        super().close()


class KerasFunctionsProbe(CountingProbe):
    """Times the making of train functions, and tells of each whether XLA compiles it."""

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        # Keras asks for the function at each fit, and mostly has it.
        self._told: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        self.patches.patch(TRAIN_STEP, after=self._made)

    def _made(self, arguments: tuple[Any, ...], _result: object) -> None:
        model = arguments[0]
        by_xla = bool(getattr(model, "jit_compile", False))
        if self._told.get(model) is by_xla:
            return
        self._told[model] = by_xla
        how = "is compiled by XLA" if by_xla else "is not compiled by XLA"
        name = getattr(model, "name", "a model")
        self.events.add(KERAS_KIND, f"Keras: the train step of {name} {how}", xla=by_xla)
