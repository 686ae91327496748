"""The functions whose calls are timed, and at most counted: a table of names.

Names of TensorFlow 2.19-2.21, Keras 3, matplotlib 3 and Python's standard library, each declared
here and nowhere else; most are private. One that is missing leaves its place unmeasured. What needs
code of its own, such as tracing, has a file beside this one.
"""

from __future__ import annotations

from dataclasses import dataclass

from labkit.measure.patches.group import Group
from labkit.record import Column


@dataclass(frozen=True)
class PatchTable:
    """What one probe patches.

    Args:
        groups: The functions.
        counter: What is counted of those that are; None if none is.
        per_step: Whether it counts from the beginning of each step.
    """

    groups: tuple[Group, ...]
    counter: Column | None = None
    per_step: bool = False


def _counter(name: str, title: str, unit: str) -> Column:
    return Column(name, title, unit, "counter")


SESSION = "tensorflow.python.client.session:BaseSession"
CLOSING = ("session_closing", "closing a session")
# What a session runs is timed by the graph probe.
SESSIONS = PatchTable(
    (
        Group(("session_opening", "opening a session"), {SESSION: ("__init__",)}, counted=True),
        # The copy of the graph inside TensorFlow goes only when the Python object goes.
        Group(CLOSING, {SESSION: ("close", "__del__")}),
    ),
    _counter("sessions", "sessions opened", "sessions"),
)

# What is left of a call once the graph probe's places have taken theirs. A run within another
# place, such as the one that saves a checkpoint, is that place's own work.
SESSION_CALLS = PatchTable(
    (
        Group(("session_feeding", "feeding and fetching"), {SESSION: ("run", "partial_run")},
              counted=True, alone=True, around=True),
    ),
    _counter("session_runs", "session runs in the step", "runs"),
    per_step=True,
)  # fmt: skip

MODELS = ("model_building", "building models and optimizers")
BUILDING = PatchTable(
    (
        Group(("making_variables", "making variables"), {
            "tensorflow.python.ops.resource_variable_ops:ResourceVariable": ("_init_from_args",),
            "tensorflow.python.ops.ref_variable:RefVariable": ("_init_from_args",),
        }, counted=True),
        # What a save or a callback builds is the work of that.
        Group(MODELS, {
            "keras.src.layers.layer:Layer": ("_maybe_build", "add_weight", "__new__"),
            "keras.src.ops.operation:Operation": ("symbolic_call",),
            "keras.src.models.sequential:Sequential": ("add", "_maybe_rebuild"),
            "keras.src.models.model:Model": ("__new__",),
            "keras.src.optimizers.base_optimizer:BaseOptimizer": (
                "build", "add_variable", "add_variable_from_reference"),
        }, alone=True, deferred=True),
    ),
    _counter("variables_made", "variables made", "variables"),
)  # fmt: skip

FRAMEWORK = "tensorflow.python.framework"
SAVER = "tensorflow.python.training.saver"
WRITING = ("graph_writing", "writing out the graph")
# Work that goes through all ops of a graph, so that it takes longer as one grows.
WHOLE_GRAPH = PatchTable(
    (
        # What a trace builds is tracing's.
        Group(("graph_building", "graph building"), {
            f"{SAVER}:BaseSaverBuilder": ("_build_internal",),
            f"{FRAMEWORK}.tensor_util": ("make_tensor_proto",),
            f"{FRAMEWORK}.importer": ("_import_graph_def_internal",),
        }, alone=True),
        Group(WRITING, {
            f"{SAVER}:Saver": ("export_meta_graph",),
            f"{FRAMEWORK}.meta_graph": ("export_scoped_meta_graph",),
            "tensorflow.python.summary.writer.writer:FileWriter": ("add_graph",),
        }),
        Group(WRITING, {f"{FRAMEWORK}.ops:Graph": ("_as_graph_def",)}, counted=True),
    ),
    _counter("graphs_written", "graphs written out", "graphs"),
)  # fmt: skip

TRAINER = "keras.src.backend.tensorflow.trainer"
CALLBACK_LIST = "keras.src.callbacks.callback_list:CallbackList"
CALLBACKS = ("keras_callbacks", "Keras callbacks")
COMPILING = ("keras_compiling", "Keras compile and its functions")
# Keras asks for a batch within the compiled step, so waiting for it is timed with running that
# function; of a script it is taken from there afterwards (`loops.batch_waiting`).
TRAINING = PatchTable(
    (
        Group(("keras_fitting", "the rest of Keras fit, evaluate and predict"), {
            f"{TRAINER}:TensorFlowTrainer": (
                "fit", "evaluate", "predict", "train_on_batch", "test_on_batch",
                "predict_on_batch"),
        }, counted=True, around=True, deferred=True),
        Group(CALLBACKS, {CALLBACK_LIST: ("__init__", *(
            f"on_{what}_{when}"
            for what in ("train", "test", "predict", "epoch", "train_batch", "test_batch",
                         "predict_batch")
            for when in ("begin", "end")
        ))}, deferred=True),
        Group(COMPILING, {
            f"{TRAINER}:TensorFlowTrainer": ("make_test_function", "make_predict_function"),
            "keras.src.trainers.trainer:Trainer": ("compile",),
        }, deferred=True),
        # It chooses the adapter for the reader's arrays and makes a dataset of them.
        Group(("input_building", "building the input"), {
            f"{TRAINER}:TFEpochIterator": ("__init__",)}, deferred=True),
    ),
    _counter("keras_trainings", "calls of fit, evaluate and predict", "calls"),
)  # fmt: skip

DRAWING = ("drawing", "drawing figures")
# Watching the loop, as its author does it. Not seen is a `print` that got another name before it
# was patched.
OBSERVERS = PatchTable(
    (
        Group(("number_checks", "checking all numbers"), {
            "tensorflow.python.debug.lib.check_numerics_callback:CheckNumericsCallback": (
                "callback",),
            "tensorflow.python.debug.lib.dumping_callback:_DumpingCallback": ("callback",),
        }),
        # Where the public name lies: it holds the function itself, so a patch further in is never
        # passed.
        Group(("profiler", "the profiler"), {
            "tensorflow._api.v2.profiler.experimental": ("start", "stop")}),
        # Makes the words of what it prints as well.
        Group(("printing", "printing"), {"builtins": ("print",)}),
        Group(DRAWING, {"matplotlib.figure:Figure": ("draw",)}, counted=True, deferred=True),
        Group(DRAWING, {
            "matplotlib.figure:Figure": (
                "savefig", "add_subplot", "add_axes", "subplots", "clear", "tight_layout"),
            "matplotlib.backends.backend_agg:FigureCanvasAgg": ("draw",),
            "matplotlib.backend_bases:FigureCanvasBase": ("print_figure",),
            "matplotlib.axes:Axes": (
                "plot", "scatter", "bar", "hist", "imshow", "legend", "clear"),
            "matplotlib.pyplot": ("figure", "subplots", "close", "pause", "show"),
        }, deferred=True),
    ),
    _counter("drawings", "figures drawn in the step", "drawings"),
    per_step=True,
)  # fmt: skip

THREADS = ("thread_waiting", "waiting for another thread")
# The step's own thread sleeps, or waits for another thread of the loop: a loader of the reader's
# own hands its batches over in a queue; a loop that is kept to a rate sleeps. What a save waits for
# is the save's. Not seen is what holds a function by a name of its own, as after ``from time import
# sleep`` in a file that was imported before.
WAITING = PatchTable(
    (
        Group(("sleeping", "sleeping"), {"time": ("sleep",)}, alone=True),
        Group(THREADS, {"threading:Thread": ("join",), "threading:Event": ("wait",)}, alone=True),
        Group(THREADS, {
            "queue:Queue": ("get", "put", "join"),
            "multiprocessing.queues:Queue": ("get",),
            "multiprocessing.connection:_ConnectionBase": ("recv",),
            "concurrent.futures._base:Future": ("result",),
        }, alone=True, deferred=True),
    ),
)  # fmt: skip
