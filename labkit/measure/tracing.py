"""Tracing: how often tf.function traced, how long it looked for a trace, and what running took.

A call of a tf.function first looks for a trace that fits its arguments, then traces if there is
none, then runs what it has. The three pass private names of TensorFlow 2.19-2.21
(in ``python/eager/polymorphic_function`` and ``core/function/polymorphism``). They are declared
here and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

from typing import Any

from labkit.measure.choke import ChokePoints, Hook, PrivateName
from labkit.measure.events import Events
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.measure.timing import counted
from labkit.record import Column

_FUNCTIONS = "tensorflow.python.eager.polymorphic_function"
_DISPATCH = "tensorflow.core.function.polymorphism"

CHOKE_POINTS = (
    # Outermost of all: what is left of it once the others have taken theirs is the reading of the
    # arguments and the giving back of traces that were dropped.
    PrivateName(f"{_FUNCTIONS}.polymorphic_function", "Function", "__call__",
                "function_call", "function call"),
    PrivateName(f"{_DISPATCH}.function_cache", "FunctionCache", "lookup",
                "dispatch", "function dispatch"),
    PrivateName(f"{_DISPATCH}.function_cache", "FunctionCache", "generalize",
                "dispatch", "function dispatch"),
    PrivateName(f"{_FUNCTIONS}.tracing_compilation", "", "_create_concrete_function",
                "tracing", "tracing"),
    PrivateName(f"{_FUNCTIONS}.concrete_function", "ConcreteFunction", "_call_flat",
                "function_run", "function run"),
)  # fmt: skip
# Each trace that is kept passes here, when it is done.
KEPT = PrivateName(f"{_DISPATCH}.function_cache", "FunctionCache", "add",
                   "dispatch", "function dispatch")  # fmt: skip
COMPARISONS = (
    PrivateName(f"{_DISPATCH}.function_type", "FunctionType", "__eq__"),
    PrivateName(f"{_DISPATCH}.function_type", "FunctionType", "is_supertype_of"),
)


class TracingProbe(Tallied):
    """Counts the traces of every tf.function, and the comparisons made to find one.

    Args:
        places: The stopwatch; only the thread that made it is timed and counted.
        events: Takes each trace, with the name of the function.
        compared: Whether comparisons are counted: each call of a tf.function makes four, which is
            nearly half of what it costs to watch it.

    A trace is counted when it is done; one that raised is none. For one tf.function the count is
    that of its ``experimental_get_tracing_count()``. What TensorFlow traces for its own use, e.g.
    for ``Dataset.map``, is not counted.
    """

    columns = (
        Column("traces", "traces of all tf.functions", "traces", "counter"),
        Column("comparisons", "comparisons of argument types in the step", "comparisons",
               "counter"),
    )  # fmt: skip
    anew = ("comparisons",)

    def __init__(self, places: Places, events: Events, *, compared: bool = True) -> None:
        super().__init__(places.board)
        self._events = events
        self._hooks: list[Hook] = []
        self._points = ChokePoints(places)
        self._points.hook(CHOKE_POINTS)
        known = len(self.missing)
        self._points.hook([KEPT], after=self._traced)
        if compared:
            self._count_comparisons(places)
        else:
            self.give_up("comparisons")
        uncounted = {*self.missing[known:]}
        if str(KEPT) in uncounted:
            self.give_up("traces")
        if not uncounted.isdisjoint(map(str, COMPARISONS)):
            self.give_up("comparisons")

    @property
    def missing(self) -> list[str]:
        """The private names this TensorFlow does not have."""
        return self._points.missing

    def _traced(self, arguments: tuple[Any, ...], _result: Any) -> None:
        self.values[self.first] += 1
        name = getattr(arguments[1], "name", b"")
        name = name.decode() if isinstance(name, bytes) else str(name)
        # TensorFlow names it __inference_train_step_42.
        name = name.removeprefix("__inference_").rpartition("_")[0] or "a function"
        self._events.add(
            "trace", f"traced {name}, trace {int(self.values[self.first]):,}", function=name
        )

    def _count_comparisons(self, places: Places) -> None:
        for name in COMPARISONS:
            try:
                owner = name.find()
            except (ImportError, AttributeError):
                self._points.missing.append(str(name))
                continue
            wrapper = counted(getattr(owner, name.attribute), places, self.at("comparisons"))
            self._hooks.append(Hook(owner, name.attribute, wrapper))

    def close(self) -> None:
        for hook in reversed(self._hooks):
            hook.close()
        self._hooks.clear()
        self._points.close()


def probe(hooks: Hooks) -> TracingProbe:
    """Return the probe for a worker; costs about 5 us a call of a tf.function."""
    return TracingProbe(hooks.places, hooks.events, compared=not hooks.sparing)
