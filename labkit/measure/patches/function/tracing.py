"""Tracing: how often tf.function traced, how long it looked for a trace, and what running took.

A call of a tf.function first looks for a trace that fits its arguments, then traces if there is
none, then runs what it has. The three pass private names of TensorFlow 2.19-2.21
(in ``python/eager/polymorphic_function`` and ``core/function/polymorphism``). They are declared
here and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

from typing import Any

from labkit.measure.clock.timing import counted
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.function.trace_reason import reason_of_trace
from labkit.measure.patches.group import Group, PrivateName
from labkit.record import Column

FUNCTIONS = "tensorflow.python.eager.polymorphic_function"
DISPATCH = "tensorflow.core.function.polymorphism"
CACHE = f"{DISPATCH}.function_cache:FunctionCache"
DISPATCHING = ("dispatch", "function dispatch")

TIMED = (
    # Outermost of all: what is left of it once the others have taken theirs is the reading of the
    # arguments and the giving back of traces that were dropped.
    Group(("function_call", "function call"),
          {f"{FUNCTIONS}.polymorphic_function:Function": ("__call__",)}),
    Group(DISPATCHING, {CACHE: ("lookup", "generalize")}),
    Group(("tracing", "tracing"),
          {f"{FUNCTIONS}.tracing_compilation": ("_create_concrete_function",)}),
    Group(("function_run", "function run"),
          {f"{FUNCTIONS}.concrete_function:ConcreteFunction": ("_call_flat",)}),
)  # fmt: skip
# Each trace that is kept passes here, when it is done.
KEPT = Group(DISPATCHING, {CACHE: ("add",)})
COMPARISONS = (
    PrivateName(f"{DISPATCH}.function_type", "FunctionType", "__eq__"),
    PrivateName(f"{DISPATCH}.function_type", "FunctionType", "is_supertype_of"),
)


class TracingProbe(CountingProbe):
    """Counts the traces of every tf.function, and the comparisons made to find one.

    A trace is counted when it is done; one that raised is none. For one tf.function the count is
    that of its ``experimental_get_tracing_count()``. What TensorFlow traces for its own use, e.g.
    for ``Dataset.map``, is not counted.
    """

    counters = (
        Column("traces", "traces of all tf.functions", "traces", "counter"),
        Column("comparisons", "comparisons of argument types in the step", "comparisons",
               "counter"),
    )  # fmt: skip
    anew = ("comparisons",)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self.patches.patch(*TIMED)
        if not self.patches.patch(KEPT, after=self._traced):
            self.give_up("traces")
        at = self.at("comparisons")
        replaced = [
            self.patches.replace(name, lambda original: counted(original, self.timers, at))
            for name in COMPARISONS
        ]
        if not all(replaced):
            self.give_up("comparisons")

    def _traced(self, arguments: tuple[Any, ...], result: Any) -> None:
        self.count(arguments, result)
        name = getattr(arguments[1], "name", b"")
        name = name.decode() if isinstance(name, bytes) else str(name)
        # TensorFlow names it __inference_train_step_42.
        name = name.removeprefix("__inference_").rpartition("_")[0] or "a function"
        new = reason_of_trace(arguments[0])
        self.events.add(
            "trace", f"traced {name}, trace {int(self.values[self.first]):,}", function=name,
            reason=new.reason, argument=new.argument, was=new.was, now=new.now,
        )  # fmt: skip
