"""What is expected of every loop: what a diagnosis of it may say, and what it must, in one table.

Counters go by the names that a run's evidence and columns have. A loop that keeps something is
``leaking`` however few bytes it is; one whose counters rest and whose steps take the same time all
along needs no finding, whatever it was once known for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labkit.record.verdict import Label

Labels = tuple[Label, ...]

FOLDER = Path(__file__).parent
NOTHING = "nothing"


@dataclass(frozen=True)
class Expectation:
    """What is right for one loop.

    Args:
        file: The loop's file, from this folder on.
        labels: The verdicts on the time that are right, the plainest first.
        first: The causes of which one must stand first; empty where no finding is needed.
        leaking: Whether something is kept step after step; ``either`` where both words are true.
        keeps: Counters of which one must be told to grow, where something is kept. ``kept/`` means
            any place of that kind.
        tolerated: Causes that may stand first although none is needed, or beside `first`.
        cost_allowed: Whether a finding of kind cost may be there although none is needed.
    """

    file: str
    labels: Labels
    first: tuple[str, ...] = ()
    leaking: Literal["yes", "no", "either"] = "no"
    keeps: tuple[str, ...] = ()
    tolerated: tuple[str, ...] = ()
    cost_allowed: bool = False

    @property
    def path(self) -> Path:
        """Where the loop is."""
        return FOLDER / self.file

    @property
    def truth(self) -> str:
        """What the loop is, in one word: the slug of its cause, or ``nothing``."""
        return self.first[0] if self.first else NOTHING

    @property
    def held_out(self) -> bool:
        """Whether the loop is kept apart, for the last judgement of the rules."""
        return "/" in self.file

    @property
    def healthy(self) -> bool:
        """Whether there is nothing to be found, and nothing that may be found but a cost."""
        return not self.first and not self.tolerated and self.leaking == "no"

    @property
    def slower(self) -> bool:
        """Whether the steps do get slower."""
        return bool({"slowdown", "shift"} & set(self.labels))


SLOWER: Labels = ("slowdown", "shift")
# The first steps of nearly every loop are slow ones; who says so is right as well.
STEADY: Labels = ("flat", "warmup")
WARM: Labels = ("warmup", "flat")
# Something comes every so many steps, or the machine's own collections show in short steps.
COMBED: Labels = ("spikes", "flat", "warmup")
STEADY_OR_COMBED: Labels = ("flat", "warmup", "spikes")
# Of growth that shows after thousands of steps only, either word is true.
SLOW_TO_SHOW: Labels = (*STEADY_OR_COMBED, *SLOWER)

GRAPH = ("graph_ops", "gc_objects", "python_blocks", "heap_bytes")
TRACES = ("traces", "concrete_functions", "func_graphs", "function_names", "runtime_functions")
TENSORS = ("live_tensors", "live_tensor_bytes", "tensor_bytes")
FILES = ("files_written", "file_bytes", "folder_files", "checkpoint_bytes", "index_bytes")
CACHE = ("kernel_cache_bytes",)
FUNCTIONS = ("py_functions", "python_functions")
OWN = ("kept/",)

LOOPS = (
    Expectation("loop_02.py", SLOWER, ("graph_growth",), "yes", GRAPH),
    Expectation("loop_05.py", SLOWER, ("graph_growth",), "yes", (*GRAPH, *FILES)),
    Expectation("loop_08.py", SLOWER, ("graph_growth",), "yes", GRAPH),
    Expectation("loop_11.py", SLOWER, ("graph_growth",), "yes", GRAPH),
    Expectation("loop_14.py", SLOWER, ("graph_growth",), "yes", GRAPH),
    Expectation("loop_21.py", SLOWER, ("retracing",), "yes", TRACES),
    Expectation("loop_24.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_27.py", STEADY_OR_COMBED, tolerated=("retracing",), cost_allowed=True),
    Expectation("loop_28.py", STEADY_OR_COMBED, ("retracing",), "yes",
                ("compilations", "heap_bytes", "resident_bytes")),
    Expectation("loop_31.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_36.py", STEADY_OR_COMBED, ("kept_objects",), "yes", CACHE),
    Expectation("loop_39.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_40.py", STEADY_OR_COMBED, ("kept_objects",), "yes", (*FUNCTIONS, *CACHE)),
    Expectation("loop_46.py", STEADY_OR_COMBED, ("kept_objects",), "yes", CACHE),
    Expectation("loop_50.py", STEADY_OR_COMBED, ("kept_objects",), "yes", (*FUNCTIONS, *CACHE)),
    Expectation("loop_54.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_55.py", STEADY_OR_COMBED, ("kept_objects",), "yes", (*OWN, *TENSORS)),
    Expectation("loop_59.py", STEADY_OR_COMBED, ("kept_objects",), "yes", CACHE),
    Expectation("loop_62.py", SLOWER, ("history",), "yes", OWN),
    Expectation("loop_65.py", SLOWER, ("history",), "either", OWN),  # until the store is full
    Expectation("loop_66.py", STEADY_OR_COMBED, ("kept_objects",), "yes", TENSORS,
                tolerated=("open_tape",)),
    Expectation("loop_69.py", SLOWER, ("garbage",), "yes", (*OWN, "gc_objects")),
    Expectation("loop_70.py", SLOWER, ("input_pipeline",)),
    Expectation("loop_72.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_73.py", STEADY_OR_COMBED),
    Expectation("loop_74.py", STEADY_OR_COMBED, cost_allowed=True),
    Expectation("loop_75.py", SLOWER, ("checkpoint_io",), "yes", FILES),
    # Its numbers keep their size: for small ones the axis gets a power of ten, and drawing takes
    # 7 % longer.
    Expectation("loop_79.py", STEADY_OR_COMBED, ("kept_objects",), "yes", ("figures",)),
    Expectation("loop_81.py", STEADY),
    Expectation("loop_84.py", STEADY_OR_COMBED),
    Expectation("loop_87.py", STEADY_OR_COMBED),
    Expectation("loop_91.py", STEADY_OR_COMBED),
    Expectation("loop_92.py", WARM),
    # It begins anew with every epoch: a rise within one, no trend over several.
    Expectation("loop_96.py", ("flat", "spikes", "unsteady", "warmup"), tolerated=("work_growth",)),
)  # fmt: skip

HELD_OUT = (
    Expectation("held_out/loop_201.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_202.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_203.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_204.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_205.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_206.py", COMBED),
    Expectation("held_out/loop_207.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_208.py", STEADY),
    Expectation("held_out/loop_209.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_210.py", COMBED),
    Expectation("held_out/loop_211.py", STEADY_OR_COMBED),
    Expectation("held_out/loop_212.py", STEADY_OR_COMBED),
    # Everybody keeps a number a step; it is kept, and it is no trouble.
    Expectation("held_out/loop_213.py", STEADY_OR_COMBED, leaking="either", keeps=OWN,
                tolerated=("kept_objects",)),
    Expectation("held_out/loop_214.py", WARM),
    Expectation("held_out/loop_215.py", ("speedup",)),
    Expectation("held_out/loop_221.py", SLOWER, ("history",), "yes",
                (*OWN, *TENSORS, *CACHE, "function_names", "runtime_functions")),
    Expectation("held_out/loop_222.py", SLOWER, ("history",), "yes", (*OWN, *TENSORS)),
    Expectation("held_out/loop_223.py", STEADY_OR_COMBED, ("kept_objects",), "yes",
                (*OWN, *TENSORS)),
    Expectation("held_out/loop_224.py", SLOWER, ("open_tape",), "yes", TENSORS),
    Expectation("held_out/loop_225.py", SLOWER, ("session_churn",), "yes", GRAPH,
                tolerated=("graph_growth",)),
    Expectation("held_out/loop_226.py", STEADY_OR_COMBED, ("session_churn",)),
    Expectation("held_out/loop_227.py", SLOWER, ("retracing",), "yes", TRACES),
    Expectation("held_out/loop_228.py", SLOWER, ("retracing",), "yes", TRACES),
    Expectation("held_out/loop_229.py", ("spikes",), ("garbage",)),
    Expectation("held_out/loop_230.py", SLOWER, ("input_pipeline",)),
    Expectation("held_out/loop_231.py", STEADY_OR_COMBED, ("checkpoint_io",), "yes",
                (*FILES, "open_files", "threads"), tolerated=("observer",)),
    Expectation("held_out/loop_232.py", SLOWER, ("observer",), "yes",
                ("gc_objects", "python_blocks", "heap_bytes", *OWN)),
    Expectation("held_out/loop_233.py", STEADY_OR_COMBED, ("checkpoint_io",), "yes", FILES),
    Expectation("held_out/loop_234.py", SLOWER, ("work_growth",)),
    Expectation("held_out/loop_235.py", SLOWER, ("work_growth",), "either", (*OWN, *TENSORS),
                tolerated=("history",)),
    Expectation("held_out/loop_236.py", SLOWER, ("observer",), "yes", ("log_handlers",),
                tolerated=("kept_objects",)),
    Expectation("held_out/loop_237.py", STEADY_OR_COMBED, ("kept_objects",), "yes", OWN),
    Expectation("held_out/loop_238.py", SLOWER, ("history", "kept_objects"), "yes", OWN),
    Expectation("held_out/loop_239.py", STEADY_OR_COMBED, ("kept_objects", "retracing"), "yes",
                (*CACHE, "keras_state", "keras_names", *TRACES)),
    # Each clear_session collects, and goes through 4,100 objects more: 0.19 s of processor time a
    # step after 10 steps, 0.50 s after 140.
    Expectation("held_out/loop_240.py", SLOWER, ("garbage", "kept_objects", "retracing"), "yes",
                (*CACHE, *TRACES)),
    Expectation("held_out/loop_241.py", STEADY_OR_COMBED, ("host_transfer",)),
    Expectation("held_out/loop_242.py", STEADY_OR_COMBED, ("observer",)),
    # Its threads wait for ever: a step takes 2 % longer when there are a thousand of them, 9 % with
    # three thousand, 22 % with four, and without them nothing. So both labels are true.
    Expectation("held_out/loop_243.py", SLOW_TO_SHOW, ("kept_objects", "history"), "yes",
                ("threads", *TENSORS)),
    Expectation("held_out/loop_244.py", STEADY_OR_COMBED, ("kept_objects",), "yes",
                (*OWN, *TENSORS)),
    Expectation("held_out/loop_245.py", SLOWER, ("history",), "yes", OWN),
    Expectation("held_out/loop_246.py", STEADY_OR_COMBED, ("input_pipeline", "kept_objects"),
                "yes", FUNCTIONS),
    Expectation("held_out/loop_247.py", SLOWER, ("history", "observer", "checkpoint_io"), "yes",
                (*OWN, *FILES)),
    Expectation("held_out/loop_248.py", STEADY_OR_COMBED, ("garbage",), "yes",
                ("collectable_bytes", "gc_objects", "heap_bytes", "resident_bytes")),
    Expectation("held_out/loop_249.py", STEADY_OR_COMBED, ("kept_objects",), "yes",
                ("open_files", *OWN)),
    Expectation("held_out/loop_250.py", SLOWER, ("graph_growth",), "yes", GRAPH),
    Expectation("held_out/loop_251.py", SLOWER, ("retracing",), "yes", (*TRACES, *OWN),
                tolerated=("history", "work_growth")),
    Expectation("held_out/loop_252.py", ("shift", "slowdown"), ("work_growth",)),
)  # fmt: skip

EVERY = (*LOOPS, *HELD_OUT)
