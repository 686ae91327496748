"""Source 4: "Why does TensorFlow training slow down after each epoch?" """

from __future__ import annotations

from labkit.claims.claim import Claim, Play
from labkit.claims.sources import rulings_4 as rulings

FOREIGN = 20_000


def _saving(what: str) -> Play:
    """Return a run that saves two layers of 256 x 256 weights, and what goes with them."""
    return Play("checkpoint_io", steps=20, settings={"what": what, "width": 256, "keep": "3"})


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="4.1", title="Files that pile up",
        says="Checkpoints and temporary files pile up, and make reading and writing slower.",
        experiment="A small model is saved at every step: all checkpoints are kept, and three.",
        plays={
            "all": Play("checkpoint_io"),
            "three": Play("checkpoint_io", settings={"keep": "3"}),
        },
        decide=rulings.files_pile_up,
        fair="It names the piling up, though not the index file behind it.",
    ),
    Claim(
        id="4.2", title="Tensors of a step that stay",
        says="What the forward pass makes is not given back, so memory fills up.",
        experiment="A training step of 24 layers, eager and compiled, with every tensor counted.",
        plays={
            "eager": Play("train_deep", steps=150),
            "compiled": Play("train_deep", steps=150, settings={"compiled": "on"}),
        },
        decide=rulings.tensors_stay,
        fair="It says so of loops that are careless; one that keeps what it makes does fill up.",
    ),
    Claim(
        id="4.3", title="Traffic between workers",
        says="Workers exchange more and more data as the epochs go by.",
        experiment="Two workers that exchange gradients at every step, and one alone.",
        plays={
            "two": Play("two_workers", steps=200, settings={"size": 256}),
            "one": Play("two_workers", steps=100, settings={"size": 256, "workers": "1"}),
        },
        decide=rulings.worker_traffic,
        fair="That the exchange may be the bottleneck is right: it is expensive from step 1 on.",
    ),
    Claim(
        id="4.4", title="Small updates near the end",
        says="Near convergence updates get small, and training seems to slow down.",
        experiment="A step that converges until its updates are too small for a float32.",
        plays={"training": Play("train_to_the_end", steps=3_000, rounds=2)},
        decide=rulings.small_updates,
        fair="It speaks of progress rather than of seconds, and calls it a minor matter.",
    ),
    Claim(
        id="4.5", title="Saving less often",
        says="Saving every few epochs instead of every one costs less.",
        experiment="A save at every step and at every tenth; the callback's period= as posted.",
        plays={
            "each": Play("checkpoint_io", steps=200, settings={"keep": "3"}),
            "tenth": Play("checkpoint_io", steps=200, settings={"keep": "3", "every": "10"}),
            "posted": Play("checkpoint_io", steps=2, settings={"period": "on"}),
        },
        decide=rulings.saving_less_often,
        fair="The option it uses was there in Keras 2; save_freq= took its place.",
    ),
    Claim(
        id="4.6", title="Only the weights",
        says="Saving the weights only makes checkpoints smaller.",
        experiment="Bytes of a save, with and without the rest: Keras and tf.train.Checkpoint.",
        plays={
            "keras_weights": _saving("keras_compiled"),
            "keras_whole": Play("save_whole_keras", steps=20),
            "keras_uncompiled": _saving("keras"),
            "weights": _saving("weights"),
            "optimizer": _saving("optimizer"),
        },
        decide=rulings.weights_only,
        fair="In Keras 2 it did, for weights in HDF5 files.",
    ),
    Claim(
        id="4.7", title="Clearing up",
        says="TensorFlow leaves many temporary files; removing them, and a quieter log, speed up "
        "training.",
        experiment="A training step by turns as it is, beside many files and with a quiet log; a "
        "save into a folder of its own, and into one with many files.",
        plays={
            "turns": Play("train_by_turns", steps=900, rounds=4),
            "own": Play("checkpoint_io", steps=60, settings={"keep": "3"}),
            "shared": Play(
                "checkpoint_io", steps=60,
                settings={"keep": "3", "foreign": "on", "foreign_files": FOREIGN},
            ),
        },
        decide=rulings.clearing_up,
        fair="It warns that one may remove what is still needed.",
    ),
    Claim(
        id="4.8", title="tf.function against memory bloat",
        says="tf.function cuts the memory that a training step takes.",
        experiment="The most memory in use within a training step, eager and as a tf.function.",
        plays={
            "eager": Play("train_deep", steps=60),
            "compiled": Play("train_deep", steps=60, settings={"compiled": "on"}),
        },
        decide=rulings.compiled_memory,
        fair="It also says that a compiled step has less overhead; the times speak to that.",
    ),
    Claim(
        id="4.9", title="A graph that grows each epoch",
        says="The graph grows with every epoch.",
        experiment="Sixty epochs of Keras's fit, and of a loop with one tf.function; ops counted.",
        plays={
            "fit": Play("fit_an_epoch", steps=60),
            "function": Play("loop_over_an_epoch", steps=60),
        },
        decide=rulings.graph_each_epoch,
        fair="A loop that builds its ops anew does grow its graph: claim 1.1.",
    ),
)  # fmt: skip
