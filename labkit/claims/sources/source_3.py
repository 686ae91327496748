"""Source 3: "Why does TensorFlow training slow down significantly after 1500 iterations, with
high RAM usage?"
"""

from __future__ import annotations

from labkit.claims.claim import Claim, Play
from labkit.claims.sources import rulings_3 as rulings

# One iterator, kept for the whole loop, and a producer that waits as for a disk.
WAITS: dict[str, object] = {"source": "iterator", "producer": "waits"}
COMPUTES: dict[str, object] = {"source": "iterator", "producer": "computes", "cores": "one"}
NARROW: dict[str, object] = {"width": 256}
HEAVY: dict[str, object] = {"model": "weights"}
SMALL: dict[str, object] = {"batch": 1024}
FEW = 6  # of a step whose peak is the same each time, but for the first


def optimizer(name: str, steps: int = 60) -> Play:
    return Play("optimizer_memory", steps, {"optimizer": name, "batch": 256})


def pipeline(**settings: object) -> Play:
    return Play("input_pipeline", 40, settings, rounds=4)


def peak(**settings: object) -> Play:
    return Play("optimizer_memory", FEW, settings)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="3.1", title="The graph grows",
        says="The graph grows with each iteration, and takes more and more memory.",
        experiment="Ops counted in an eager loop, a compiled Keras model, and TensorFlow 1 style "
        "loops that build in the loop and before it.",
        plays={
            "eager": Play("train_step_eager", steps=150),
            "compiled": Play("healthy", steps=300),
            "tf1": Play("graph_growth", steps=150),
            "tf1_once": Play("graph_growth", 150, {"build_once": "on"}),
        },
        decide=rulings.graph_grows,
        fair="In TensorFlow 1 every op that was made in the loop stayed in the graph.",
    ),
    Claim(
        id="3.2", title="Full memory and the cliff",
        says="When memory is full, the system swaps to the disk, and training slows down suddenly.",
        experiment="Memory fills up with data of a file, with NumPy arrays, with tensors, and with "
        "memory that can be swapped.",
        plays={
            "file": Play("memory_limit", 1_200, {"every": 1}),
            "arrays": Play("memory_limit", 1_000, {"what": "numpy"}),
            "tensors": Play("memory_limit", 1_000, {"what": "tensors"}),
            "swap": Play("memory_limit", 1_200, {"what": "swap", "every": 1}),
        },
        decide=rulings.full_memory,
        fair="On a desktop with swap space it is what one sees; containers mostly have none.",
    ),
    Claim(
        id="3.3", title="Optimizer state",
        says="The state that optimizers keep piles up over the iterations.",
        experiment="The bytes of five optimizers' slots after each step, Adam's over 500 steps.",
        plays={
            "sgd": optimizer("sgd"),
            "momentum": optimizer("momentum"),
            "rmsprop": optimizer("rmsprop"),
            "adam": optimizer("adam", 500),
            "amsgrad": optimizer("amsgrad"),
        },
        decide=rulings.optimizer_state,
        fair="Slots do take memory, up to three copies of the weights, from the first step on.",
    ),
    Claim(
        id="3.4", title="Reading the data again",
        says="Reading the data set again at each step is a burden, and memory fills up with it.",
        experiment="A batch from one iterator; from an array, records and CSV that are read whole "
        "each time; and by skipping to it.",
        plays={
            "iterator": Play("input_pipeline", 200, {**NARROW, "source": "iterator"}),
            "array": Play("input_pipeline", 200, {**NARROW, "source": "reread"}, rounds=2),
            "records": Play("reread_records", 200, rounds=2),
            "csv": Play("reread_csv", 200, rounds=2),
            "skip": Play("input_pipeline", 120, NARROW),
        },
        decide=rulings.rereading,
        fair="It calls it an overhead, and that it is. Tried is whether it grows.",
    ),
    Claim(
        id="3.5", title="Prefetch and parallel map",
        says="Prefetching and a parallel map hide the time that input takes.",
        experiment="A producer that waits, with neither, with each, and with tf.data's own tuning; "
        "one that computes, on one core; four pairs of runs each.",
        plays={
            "plain": pipeline(**WAITS),
            "prefetch": pipeline(**WAITS, prefetch="on"),
            "parallel": pipeline(**WAITS, parallel_map="on"),
            "tuned": pipeline(**WAITS, tuning="on"),
            "one_core": pipeline(**COMPUTES),
            "one_core_prefetch": pipeline(**COMPUTES, prefetch="on"),
        },
        decide=rulings.hidden_input,
        fair="tf.data's own tuning prefetches unasked, so it is off in all runs but one.",
    ),
    Claim(
        id="3.6", title="Gradient accumulation",
        says="Adding up the gradients of small batches lowers the memory that a step needs.",
        experiment="One batch whole and in eight pieces, for two models; and the posted sum.",
        plays={
            "whole": peak(),
            "pieces": peak(accumulation="right"),
            "weights_whole": peak(**HEAVY),
            "weights_pieces": peak(**HEAVY, accumulation="right"),
            "posted": peak(accumulation="posted"),
        },
        decide=rulings.accumulation,
        fair="It says that this trades time for memory.",
    ),
    Claim(
        id="3.7", title="Mixed precision halves memory",
        says="16-bit numbers halve the memory that training needs.",
        experiment="The most memory in a step with 32 bits and with 16, for two models; float16 "
        "with fewer examples and steps, as a processor takes seconds for each.",
        plays={
            "float32": peak(),
            "bfloat16": peak(precision="mixed_bfloat16"),
            "weights_float32": peak(**HEAVY),
            "weights_bfloat16": peak(**HEAVY, precision="mixed_bfloat16"),
            "small_float32": Play("optimizer_memory", 3, SMALL),
            "small_float16": Play("optimizer_memory", 3, {**SMALL, "precision": "mixed_float16"}),
        },
        decide=rulings.half_memory,
        fair="It speaks of graphics cards that compute with 16 bits. A processor may convert to 32 "
        "bits on the way, so of a card this ruling says something only where one was used.",
    ),
    Claim(
        id="3.8", title="Mixed precision by itself",
        says="The mixed precision API keeps the numbers stable by itself.",
        experiment="Small gradients in float16: in a loop of one's own, with and without a scaled "
        "loss, and in a model that compile() prepares.",
        plays={
            "own_loop": Play("float16_own_loop", steps=20),
            "compiled": Play("float16_compiled", steps=20),
        },
        decide=rulings.handled_by_itself,
        fair="It asks for care with the precision, and compile() takes it where the policy is set "
        "for the whole program, as it is in the post.",
    ),
    Claim(
        id="3.9", title="map without loading all",
        says="map preprocesses the data without loading the whole data set into memory.",
        experiment="The posted pipeline over an array of 100 MB, and the same over a file.",
        plays={
            "array": Play("slices_of_array", steps=100),
            "file": Play("rows_of_file", steps=100),
        },
        decide=rulings.sliced_array,
        fair="map itself loads nothing: it is from_tensor_slices that copies the whole array.",
    ),
)  # fmt: skip
