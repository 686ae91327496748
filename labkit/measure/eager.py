"""Eager ops: how many ops and compiled functions Python ran, and the time it waited for them.

Every op that runs from Python, and every call of a traced tf.function, passes one of two functions
of TensorFlow 2.19-2.21 (``python/pywrap_tfe.py``). They are declared in `CHOKE_POINTS` and nowhere
else; one that is missing leaves its share unmeasured. The time is the op's whole stay in
TensorFlow: finding memory for its result, computing, and handing the result back. Some ops are
booked by their names, on places that other probes have too.
"""

from __future__ import annotations

from dataclasses import dataclass

from labkit.measure.choke import Hook, PrivateName
from labkit.measure.hooks import Hooks
from labkit.measure.op_timing import OpTiming
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.record import Column

PLACE = ("running_ops", "running ops")
# The fast way may give up and pass the op on to the slow one: then only the second returns, and
# only what returned is counted.
CHOKE_POINTS = (
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_FastPathExecute", *PLACE),
    PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_Execute", *PLACE),
)
# Which argument is the op's name.
POSITIONS = {"TFE_Py_FastPathExecute": 1, "TFE_Py_Execute": 2}


@dataclass(frozen=True)
class NamedOps:
    """Ops that are booked on a place of their own, wherever they are run.

    Args:
        place: The name of the place.
        title: What a learner reads.
        ops: Their names, public ones of ``tf.raw_ops``.
        only_here: Whether no other probe books on that place.
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


class EagerProbe(Tallied):
    """Counts the ops run from Python, and books their time where no other place is open.

    Args:
        places: The stopwatch. Only the thread that made it is timed and counted.

    An op that runs inside another place, such as a gradient or a checkpoint, is counted, and its
    time stays with that place; only those of `NAMED` are booked on their own everywhere.
    """

    columns = (Column("ops_run", "ops run in the step", "ops", "counter"),)
    anew = ("ops_run",)

    def __init__(self, places: Places) -> None:
        super().__init__(places.board)
        self._hooks: list[Hook] = []
        self.missing: list[str] = []
        place = places.add(*PLACE)
        timing = OpTiming(places, place, at=self.first, others=_numbers(places))
        for name in CHOKE_POINTS:
            try:
                owner = name.find()
                original = getattr(owner, name.attribute)
            except (ImportError, AttributeError):
                self.missing.append(str(name))
                continue
            made = timing.wrapper(original, POSITIONS[name.attribute])
            self._hooks.append(Hook(owner, name.attribute, made))
        if self._hooks:
            self.board.gathering.append(timing.gather)
        else:
            self.give_up("ops_run")
            for each in (PLACE, *((kind.place, kind.title) for kind in NAMED if kind.only_here)):
                places.give_up(places.add(*each))

    def close(self) -> None:
        for hook in reversed(self._hooks):
            hook.close()
        self._hooks.clear()


def _numbers(places: Places) -> dict[str | bytes, int]:
    """Return the number of its place for each op's name; TensorFlow passes text or bytes."""
    found: dict[str | bytes, int] = {}
    for kind in NAMED:
        number = places.add(kind.place, kind.title)
        for op in kind.ops:
            found[op] = found[op.encode()] = number
    return found


def probe(hooks: Hooks) -> EagerProbe:
    """Return the probe for a worker; costs about 0.4 us an op."""
    return EagerProbe(hooks.places)
