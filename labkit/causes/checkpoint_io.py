"""Checkpoint I/O: what saving costs a training loop, and what makes it cost more each time.

What goes wrong: a save takes many times as long as a small step, so a loop that saves now and then
has a comb for a curve. Saving every tenth step instead of every step makes nine of ten teeth go
away; it does not make any tooth shorter. What does grow is the cost of keeping all checkpoints.
Next to them lies a small text file, named ``checkpoint``, that lists every one of them, and
TensorFlow writes the whole of it anew, twice, at every save. TensorFlow also looks through all
names in the folder at each save, so a folder full of other files makes each save expensive.

What to expect: with every checkpoint kept and a save in each step, the step time rises with the
size of the index file. Keep three, and it is flat. Fifty thousand foreign files in the folder make
a save more than ten times as expensive, but flat. Writing in the background moves the cost, it does
not remove it. A Keras model's "weights only" file holds the optimizer, too, once it is compiled.
What Keras does at the end of an epoch makes a comb as well, and no tooth is higher than the last.
On a small disk the loop that keeps all ends when it is full, and the one that keeps three goes on.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Explanation, Loop, Mechanism, Size, Toggle
from labkit.cause.small_disk import small_disk

EPOCH = 20  # steps
EVERY = ("1", "2", "5", "10", "20", "50", "100")  # steps
WHAT = ("weights", "optimizer", "keras", "keras_compiled")
EPOCH_ENDS = ("off", "nothing", "validation", "checkpoint", "early_stopping", "all")


def make_step(
    toggles: SimpleNamespace, *, width: int = 32, foreign_files: int = 50_000, disk: int = 0,
    seed: int = 0,
) -> Loop:  # fmt: skip
    """Return a loop that trains a small model and saves it.

    Args:
        toggles: What to save, how often, and in which way; all read at every step.
        width: The model has two layers of ``width`` x ``width`` weights.
        foreign_files: How many files that are not checkpoints lie in the folder.
        disk: How many MB the disk has on which the folder lies; 0 for the system's own.
        seed: Of the data and the weights.
    """
    import tensorflow as tf

    small = small_disk(disk << 20) if disk else None
    folder = tempfile.mkdtemp(prefix="checkpoints-", dir=small)
    writer = tf.summary.create_file_writer(tempfile.mkdtemp(prefix="summaries-"))
    train, weights, optimizer = training(width, seed)
    models = {"keras": keras_model(width), "keras_compiled": keras_model(width, compiled=True)}
    checkpoints = {
        "weights": tf.train.Checkpoint(weights=weights),
        "optimizer": tf.train.Checkpoint(weights=weights, optimizer=optimizer),
        **{name: tf.train.Checkpoint(model=model) for name, model in models.items()},
    }
    train_with_keras = keras_training(models["keras_compiled"], width, folder)
    manager: Any = None
    managed: object = None
    steps, littered = 0, False

    def save() -> None:
        nonlocal manager, managed
        if toggles.what in models and not toggles.background:
            models[toggles.what].save_weights(f"{folder}/model.weights.h5")
            return
        if managed != (toggles.what, toggles.keep, toggles.background):
            managed = (toggles.what, toggles.keep, toggles.background)
            if manager is not None:
                manager.checkpoint.sync()  # a save in the background comes to its end first
            manager = tf.train.CheckpointManager(
                checkpoints[toggles.what],
                folder,
                max_to_keep=None if toggles.keep == "all" else int(toggles.keep),
                checkpoint_name=toggles.what,
            )
        options = tf.train.CheckpointOptions(
            experimental_enable_async_checkpoint=toggles.background
        )
        path = manager.save(options=options)
        if toggles.sync and not toggles.background:
            sync_to_disk(path)

    def step() -> object:
        nonlocal steps, littered
        if toggles.epoch_end != "off":
            return train_with_keras(toggles.epoch_end)
        loss = train()
        steps += 1

        if toggles.foreign != littered:
            littered = toggles.foreign
            litter(folder, foreign_files, remove=not littered)

        if toggles.period:
            tf.keras.callbacks.ModelCheckpoint(f"{folder}/model.weights.h5", period=10)

        if toggles.summaries != "off":
            with writer.as_default(step=steps):
                write = tf.summary.scalar if toggles.summaries == "scalar" else tf.summary.write
                write("loss", loss)

        if steps % int(toggles.every) == 0:
            save()
        return loss

    return Loop(step)


def training(width: int, seed: int) -> tuple[Callable[[], object], list[Any], Any]:
    """Return one step of training for a small model, the model's weights and its optimizer."""
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    data = tf.constant(random.normal(size=(32, width)), tf.float32)
    weights = [
        tf.Variable(random.normal(size=(width, width)) / width**0.5, dtype=tf.float32)
        for _ in range(2)
    ]
    optimizer = tf.keras.optimizers.Adam()
    optimizer.build(weights)

    @tf.function
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            output = tf.matmul(tf.nn.relu(tf.matmul(data, weights[0])), weights[1])
            loss = tf.reduce_mean(tf.square(output - data))
        optimizer.apply(tape.gradient(loss, weights), weights)
        return loss

    return train, weights, optimizer


def keras_model(width: int, *, compiled: bool = False) -> Any:
    """Return a Keras model with as many weights as the loop's own."""
    import tensorflow as tf

    layers = [tf.keras.layers.Dense(width, use_bias=False) for _ in range(2)]
    model = tf.keras.Sequential([tf.keras.Input((width,)), *layers])
    if compiled:
        model.compile("adam", "mse", jit_compile=False)
        model.optimizer.build(model.trainable_variables)
    return model


def keras_training(model: Any, width: int, folder: str) -> Callable[[str], object]:
    """Return a step of Keras that takes what is done at the end of an epoch, as ``fit`` does it."""
    import tensorflow as tf

    batch, held_out = (tf.random.stateless_normal([rows, width], [0, 0]) for rows in (32, 2048))
    callbacks = {
        "checkpoint": tf.keras.callbacks.ModelCheckpoint(f"{folder}/newest.keras"),
        "early_stopping": tf.keras.callbacks.EarlyStopping("loss", patience=10**6),  # ends no run
    }
    for callback in callbacks.values():
        callback.set_model(model)
        callback.on_train_begin()
    steps = 0

    def step(epoch_end: str) -> object:
        nonlocal steps
        steps += 1
        logs = {"loss": model.train_on_batch(batch, batch)}
        if steps % EPOCH == 0:
            if epoch_end in ("validation", "all"):
                logs["val_loss"] = model.evaluate(held_out, held_out, verbose=0)
            for name, callback in callbacks.items():
                if epoch_end in (name, "all"):
                    callback.on_epoch_end(steps // EPOCH, logs)
        return logs["loss"]

    return step


def sync_to_disk(path: str) -> None:
    """Wait until the disk has a checkpoint; without this the system writes it when it likes."""
    for end in (".index", ".data-00000-of-00001"):
        file = os.open(path + end, os.O_RDONLY)
        os.fsync(file)
        os.close(file)


def litter(folder: str, files: int, *, remove: bool) -> None:
    """Put empty files into a folder that are no checkpoints, or take them away again."""
    for number in range(files):
        name = f"{folder}/other-{number}.txt"
        os.remove(name) if remove else open(name, "w").close()


CAUSE = Cause(
    slug="checkpoint_io",
    title="Checkpoint I/O",
    summary="A manager that keeps every checkpoint writes a longer index file at each save.",
    make_step=make_step,
    toggles=(
        Toggle("keep", "keep checkpoints", default="all", choices=("3", "all")),
        Toggle("every", "save every", default="1", choices=EVERY, ordered=True),
        Toggle("what", "save what", default="weights", choices=WHAT),
        Toggle("foreign", "foreign files"),
        Toggle("background", "in background", role="fix"),
        Toggle("sync", "sync to disk", role="control"),
        Toggle("summaries", "summaries", choices=("off", "scalar", "write"), role="control"),
        Toggle("period", "period=10"),
        Toggle("epoch_end", "epoch end", choices=EPOCH_ENDS),
    ),
    sizes=(
        Size("width", 32, 2, 1024, "rows and columns of each layer's weights"),
        Size("foreign_files", 50_000, 1, 200_000, "files that are not checkpoints", small=10_000),
        Size("disk", 0, 0, 256, "MB of a small disk for the folder; 0 for the system's own"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=600,
        growth=0.5,
        per_step={"checkpoint_saves": 1, "folder_files": 2},
        places=("checkpoint index",),
    ),
    notebook="06_checkpoint_io.ipynb",
    lanes=("index_bytes", "folder_files", "checkpoint_bytes"),
    functions={"sync_to_disk": "sync to disk", "litter": "making foreign files"},
    probes=("files", "training"),
    mechanism=Mechanism("index_bytes", "A save writes the whole index anew.",
                        ("checkpoint_index_seconds",), done="written anew"),
    explanations=(
        Explanation(
            "ValueError",
            "tf.function only supports singleton tf.Variables",
            "This is a fault between TensorFlow and Keras 3: the second save in the background of "
            "Keras variables with one Checkpoint fails. Weights that are plain tf.Variables can be "
            "saved in the background, and everything can be saved without it.",
        ),
        Explanation(
            "TypeError",
            "'period'",
            "Keras 3 no longer has period=; give ModelCheckpoint save_freq=, in batches, or "
            "'epoch'. The every toggle still works.",
        ),
        Explanation(
            "TBNotInstalledError",
            "",
            "tf.summary.scalar needs the package tensorboard:  python -m pip install tensorboard. "
            "Without it tf.summary.write works (choose write), and so does everything else here.",
        ),
    ),
)  # fmt: skip
