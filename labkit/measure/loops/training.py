"""Training: which calls change the weights of a model, so that a validation is told from it.

A gradient that is computed, an optimizer's op that is run: by either a call is known to train. What
a compiled function does is read from its graph, once for each function, and what a session runs
from the ops that it must pass. Private names of TensorFlow 2.19-2.21 are declared here; where one
is missing, a loop is known by its other calls or by its place in the program.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from labkit.measure.clock.timing import Timed, dressed, timed
from labkit.measure.loops.changing import called_by, changes_what_it_reads
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group, PrivateName
from labkit.record.loop import TRAININGS

FUNCTIONS = "tensorflow.python.eager.polymorphic_function"
CALL = Group(None, {f"{FUNCTIONS}.concrete_function:ConcreteFunction": ("_call_flat",)})
TAPE = Group(None, {"tensorflow.python.eager.backprop:GradientTape": ("gradient",)})
SESSION = "tensorflow.python.client.session"
SESSION_RUN = Group(None, {f"{SESSION}:BaseSession": ("_do_run",)})
# What it returns passes no `_do_run`, but where it is fed: that calls `run`.
MAKE_CALLABLE = PrivateName(SESSION, "BaseSession", "make_callable")
NESTED = PrivateName("tensorflow.python.framework.ops", "Graph", "_get_function")
DISTRIBUTION = "tensorflow.python.distribute."  # where the class of a replica's thread is made
# tf.GradientTape and tf.compat.v1.gradients put what they make under these names, wherever they are
# asked for.
GRADIENT_NAME = re.compile(r"(^|/)gradient(_tape|s(_\d+)?)/")
# Ops of optimizers; metrics add to what they have, and so do counters of steps.
UPDATES = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply", "AssignSub")
# Ops that call functions; the last two are a loop over a dataset, and one with a break.
CALLS = (
    "PartitionedCall", "StatefulPartitionedCall", "While", "StatelessWhile", "If", "StatelessIf",
    "Case", "StatelessCase", "ReduceDataset", "ScanDataset",
)  # fmt: skip


class TrainingProbe(CountingProbe):
    """Counts the calls in which weights are changed, or gradients for that are computed.

    Args:
        context: What it counts in.
        outside: Tells, of a training, whether it is in no row.
        clock: Returns seconds.
        worked: Returns the processor time of the process.
        between: Tells whether nothing is in a row now, and changes nothing by that.

    Attributes:
        unseen: How many of these calls were in no row, in whatever thread.
        unseen_changes: How many calls in no row changed weights in another way, as by a moving
            average: in a row they are no trainings, for a validation may do so.
        callable_runs: How many calls of sessions' callables there were on the thread of the rows:
            where nothing else is run, TensorFlow works all the same.
        unseen_seconds: How long both took together, with what was worked between two of a thread
            while nothing else trained.
    """

    counters = (TRAININGS,)
    anew = (TRAININGS.name,)

    def __init__(
        self,
        context: ProbeContext,
        outside: Callable[[], bool],
        clock: Callable[[], float] = time.perf_counter,
        worked: Callable[[], float] = time.process_time,
        between: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(context)
        self.unseen = self.unseen_changes = self.callable_runs = 0
        self.unseen_seconds = 0.0
        self._clock = clock
        self._worked = worked
        # Of each thread when its call that is in no row began; and when the one before that ended,
        # with what had been worked by then, while nothing else trains: what a tape takes up is
        # worked before the gradient is asked for, in threads of TensorFlow's.
        self._since: dict[int, float] = {}
        self._until: dict[int, tuple[float, float]] = {}
        self._outside, self._between = outside, between
        self._functions: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self._ops: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
        found = [
            self.patches.patch(CALL, before=self._called, after=self._is_over),
            self.patches.patch(TAPE, before=self._trained, after=self._is_over),
            self.patches.patch(SESSION_RUN, before=self._run, after=self._is_over),
            self.patches.replace(MAKE_CALLABLE, self._told_of_callables),
        ]
        if not any(found):
            self.give_up("trainings")

    def _trained(self, arguments: tuple[Any, ...]) -> None:
        # What another thread trains is in no row, though this one may have one open.
        if self._elsewhere() or self._outside():
            self.unseen += 1
            self._since[threading.get_ident()] = self._clock()
        else:
            self.values[self.first] += 1
            if self._until:  # what is worked meanwhile is not theirs alone
                self._until.clear()

    def _changed(self, arguments: tuple[Any, ...]) -> None:
        if self._elsewhere() or self._between():
            self.unseen_changes += 1
            self._since[threading.get_ident()] = self._clock()

    def _elsewhere(self) -> bool:
        other = threading.get_ident() != self.timers.thread
        return other and not _is_replica(threading.current_thread())

    def _is_over(self, arguments: tuple[Any, ...], result: object) -> None:
        # Nearly always there is none, and a step passes here.
        if not self._since:
            return
        thread = threading.get_ident()
        if (began := self._since.pop(thread, None)) is not None:
            now, worked = self._clock(), self._worked()
            ended, before = self._until.get(thread, (began, worked))
            self._until[thread] = now, worked
            # A thread that only waits for its next turn works little.
            self.unseen_seconds += max(now - began, min(now - ended, worked - before))

    def _called(self, arguments: tuple[Any, ...]) -> None:
        function = arguments[0]
        try:
            told = self._functions[function]
        except KeyError:
            told = self._functions[function] = self._of_graph(function)
        if told is not None:
            told(arguments)

    def _of_graph(self, function: Any) -> Callable[[tuple[Any, ...]], None] | None:
        """Return what is to hear of a function's calls; None where nothing is."""
        try:
            if _graph_trains(function.graph):
                return self._trained
            return self._changed if changes_what_it_reads(function.graph) else None
        except (AttributeError, KeyError, ValueError):  # of another TensorFlow
            return None

    def _told_of_callables(self, original: Timed) -> Timed:
        """Return a `make_callable` that makes those that train tell of their calls."""

        def make_callable(
            session: Any, fetches: Any, feed_list: Any = None, *args: Any, **more: Any
        ) -> Any:
            made = original(session, fetches, feed_list, *args, **more)
            if feed_list:
                return made
            trains = self._reach_update(session.graph, _ops_of(session, fetches))
            before = self._callable_trained if trains else self._callable_ran
            return timed(made, self.timers, None, before=before, after=self._is_over)

        return dressed(make_callable, original)

    def _callable_ran(self, arguments: tuple[Any, ...]) -> None:
        self.callable_runs += not self._elsewhere()

    def _callable_trained(self, arguments: tuple[Any, ...]) -> None:
        self._callable_ran(arguments)
        self._trained(arguments)

    def _run(self, arguments: tuple[Any, ...]) -> None:
        session, _, targets, fetched = arguments[:4]
        ops = [*targets, *(getattr(each, "op", each) for each in fetched)]
        if self._reach_update(session.graph, ops):
            self._trained(arguments)

    def _reach_update(self, graph: Any, ops: Iterable[Any]) -> bool:
        """Tell whether an optimizer's op or a gradient must be run for some ops.

        Those that need none are remembered by their names: in a graph that grows only what is new
        is gone through.
        """
        harmless = self._ops.setdefault(graph, set())
        seen: set[str] = set()
        waiting = list(ops)
        while waiting:
            op = waiting.pop()
            if op.name in harmless or op.name in seen:
                continue
            if _is_update(op.name, op.type):
                return True
            seen.add(op.name)
            waiting += [each.op for each in op.inputs]
            waiting += op.control_inputs
        harmless |= seen
        return False


def _ops_of(session: Any, fetches: Any) -> list[Any]:
    """Return the ops of what a session is asked for: operations, tensors, names, nested."""
    import tensorflow as tf

    ops = []
    for each in tf.nest.flatten(fetches, expand_composites=True):
        try:
            element = session.graph.as_graph_element(each)
        except (TypeError, ValueError, KeyError):
            continue  # what somebody has taught sessions to fetch
        ops.append(getattr(element, "op", element))
    return ops


def _is_replica(thread: threading.Thread) -> bool:
    """Tell whether a thread is one of `tf.distribute`'s, for which the one that trains waits."""
    return type(thread).__module__.startswith(DISTRIBUTION)


def _graph_trains(graph: Any) -> bool:
    ops = graph.get_operations()
    if any(_is_update(op.name, op.type) for op in ops):
        return True
    seen: set[str] = set()
    waiting = [op.node_def for op in ops if op.type in CALLS]
    while waiting:
        node = waiting.pop()
        for name in called_by(node):
            if name in seen:
                continue
            seen.add(name)
            inner = graph._get_function(name)
            if inner is None:
                continue
            nodes = getattr(inner, "definition", inner).node_def
            if any(_is_update(each.name, each.op) for each in nodes):
                return True
            waiting += [each for each in nodes if each.op in CALLS]
    return False


def _is_update(name: str, kind: str) -> bool:
    return bool(GRADIENT_NAME.search(name)) or kind.startswith(UPDATES)
