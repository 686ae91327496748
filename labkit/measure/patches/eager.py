"""Eager ops: how many ops and compiled functions Python ran, and the time it waited for them.

Every op that runs from Python, and every call of a traced tf.function, passes one of two functions
of TensorFlow 2.19-2.21 (``python/pywrap_tfe.py``). They are declared in `PATCHED` and nowhere
else; one that is missing leaves its share unmeasured. The time is the op's whole stay in
TensorFlow: finding memory for its result, computing, and handing the result back. Some ops are
recorded by their names, on places that other probes have too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from labkit.measure.clock.timers import NONE, Timers
from labkit.measure.clock.timing import Timed, dressed
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group, PrivateName
from labkit.record import Column

PLACE = ("running_ops", "running ops")
# With the position of the op's name among the arguments. The fast way may give up and pass the op
# on to the slow one: then only the second returns, and only what returned is counted.
PATCHED = {
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_FastPathExecute"): 1,
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_Execute"): 2,
}


@dataclass(frozen=True)
class NamedOps:
    """Ops that are recorded on a place of their own, wherever they are run.

    Args:
        place: The name of the place.
        title: What a learner reads.
        ops: Their names, public ones of ``tf.raw_ops``.
        only_here: Whether no other probe records on that place.
    """

    place: str
    title: str
    ops: tuple[str, ...]
    only_here: bool = True


NAMED = (
    NamedOps("summary_write", "summary write", (
        "WriteSummary", "WriteScalarSummary", "WriteHistogramSummary", "WriteImageSummary",
        "WriteAudioSummary", "WriteGraphSummary", "WriteRawProtoSummary", "FlushSummaryWriter",
        "CreateSummaryFileWriter", "CloseSummaryWriter",
    ), only_here=False),
    NamedOps("checkpoint_write", "checkpoint write", ("SaveV2", "MergeV2Checkpoints", "Save"),
             only_here=False),
    # The op waits for the Python function, so that one's own time is in it.
    NamedOps("python_function", "tf.py_function", ("EagerPyFunc", "PyFunc", "PyFuncStateless")),
    # Apart, because a global seed gives each call a kernel of its own, and TensorFlow keeps it.
    NamedOps("random_ops", "random ops", (
        "RandomUniform", "RandomStandardNormal", "RandomUniformInt", "TruncatedNormal",
        "ParameterizedTruncatedNormal", "RandomShuffle", "RandomGamma", "RandomPoissonV2",
        "Multinomial",
    )),
    NamedOps("printing", "printing", ("PrintV2", "Print"), only_here=False),
)  # fmt: skip
# Runs a converted model, and no op of TensorFlow's.
LITE = Group(("running_converted_model", "running a converted model"), {
    "tensorflow.lite.python.interpreter:Interpreter": ("invoke",),
    "tensorflow.lite.python.interpreter:SignatureRunner": ("__call__",),
}, deferred=True)  # fmt: skip
# Waits for a device and computes nothing: labkit's own clock does so at the end of a step.
NOT_COUNTED = ("SyncDevice", b"SyncDevice")


class EagerProbe(CountingProbe):
    """Counts the ops run from Python, and records their time where no other place is open.

    An op that runs inside another place, such as a gradient or a checkpoint, is counted, and its
    time stays with that place; only those of `NAMED` are recorded on their own everywhere.
    """

    counters = (Column("ops_run", "ops run in the step", "ops", "counter"),)
    anew = ("ops_run",)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        wrapper, gather = op_timing(
            self.timers, self.timers.add(*PLACE), at=self.first, others=_numbers(self.timers)
        )
        replaced = [
            self.patches.replace(name, partial(wrapper, position))
            for name, position in PATCHED.items()
        ]
        self.patches.patch(LITE)
        if any(replaced):
            self.timers.gathering.append(gather)
        else:
            self.give_up("ops_run")
            for place in (PLACE, *((ops.place, ops.title) for ops in NAMED if ops.only_here)):
                self.timers.give_up(self.timers.add(*place))


def _numbers(timers: Timers) -> dict[str | bytes, int]:
    """Return the number of its place for each op's name; TensorFlow passes text or bytes."""
    numbers: dict[str | bytes, int] = dict.fromkeys(NOT_COUNTED, timers.add(*PLACE))
    for named in NAMED:
        number = timers.add(named.place, named.title)
        for op in named.ops:
            numbers[op] = numbers[op.encode()] = number
    return numbers


def op_timing(
    timers: Timers, place: int, *, at: int, others: Mapping[str | bytes, int]
) -> tuple[Callable[[int, Timed], Timed], Callable[[], None]]:
    """Return what times functions that run ops.

    Args:
        timers: The timers.
        place: Where ops are recorded, if no other place is open but those that surround all work.
        at: Where among the timers' values the ops that returned on the timed thread are counted.
        others: For each name that is told apart, the number of its place, wherever it runs. Those
            of `NOT_COUNTED` are among them.

    Returns:
        What makes the function to put in another's stead, of the position of the op's name among
        its arguments, which are positional only, and of that function; and what records and counts
        what has come together.
    """
    clock, thread, ident = timers.clock, timers.thread, threading.get_ident
    hand, around, seconds, values = timers.hand, timers.around, timers.seconds, timers.values
    # Variables of this call rather than elements of a list: half the price.
    gathered = 0.0
    count = 0

    def wrapper(position: int, original: Timed) -> Timed:
        timers.watch(original, place)

        def run(*args: Any) -> Any:
            nonlocal gathered, count
            if hand.place != NONE or args[position] in others or ident() != thread:
                return within(args)
            hand.place = place
            hand.since = clock()
            try:
                result = original(*args)
            except BaseException:
                gathered += clock() - hand.since
                hand.place = NONE
                raise
            gathered += clock() - hand.since
            hand.place = NONE
            count += 1
            return result

        def within(args: tuple[Any, ...]) -> Any:
            """Run an op inside another place, of a place of its own, or of another thread."""
            nonlocal count
            if ident() != thread:
                return original(*args)
            chosen = others.get(args[position], place)
            if chosen == place and hand.place != NONE and not around[hand.place]:
                result = original(*args)
            else:
                timers.enter(chosen)
                try:
                    result = original(*args)
                finally:
                    timers.leave()
            count += args[position] not in NOT_COUNTED
            return result

        return dressed(run, original)

    def gather() -> None:
        nonlocal gathered, count
        seconds[place] += gathered
        values[at] += count
        gathered, count = 0.0, 0

    return wrapper, gather
