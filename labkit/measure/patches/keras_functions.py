"""What Keras makes of a model's train step: whether it is compiled by XLA, which Keras may choose.

With ``jit_compile="auto"``, the default of ``Model.compile``, Keras takes XLA for most models where
TensorFlow lists a graphics card, hidden from the loop or not, and not elsewhere (Keras 3,
``Trainer._resolve_auto_jit_compile``). So the same loop may be another one on another machine.
"""

from __future__ import annotations

import weakref
from typing import Any

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.measure.patches.timed_functions import COMPILING, TRAINER

MADE = Group(COMPILING, {f"{TRAINER}:TensorFlowTrainer": ("make_train_function",)}, deferred=True)
KIND = "keras_function"


class KerasFunctionsProbe(CountingProbe):
    """Times the making of train functions, and tells of each whether XLA compiles it."""

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        # Keras asks for the function at each fit, and mostly has it.
        self._told: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        self.patches.patch(MADE, after=self._made)

    def _made(self, arguments: tuple[Any, ...], _result: object) -> None:
        model = arguments[0]
        by_xla = bool(getattr(model, "jit_compile", False))
        if self._told.get(model) is by_xla:
            return
        self._told[model] = by_xla
        how = "is compiled by XLA" if by_xla else "is not compiled by XLA"
        name = getattr(model, "name", "a model")
        self.events.add(KIND, f"Keras: the train step of {name} {how}", xla=by_xla)
