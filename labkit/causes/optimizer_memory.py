"""Optimizer memory: what training really holds, and which popular cures make it less.

What is said: optimizer state piles up as training goes on; gradient accumulation and mixed
precision save memory. What happens: an optimizer makes its slots once, at the first step, and they
never grow: none for SGD, one copy of the weights for momentum and RMSprop, two for Adam, three for
amsgrad. Accumulation runs the batch in pieces and adds up their gradients. It saves where the
activations of a batch outweigh the weights, and costs where they do not, because the sum is a copy
of the weights more. Mixed precision keeps the weights in float32 and adds a copy of half the size,
so it halves activations only.

What to expect: a flat curve, and bytes that are settled after the first step. Two repairs do not
work as they are often posted, and neither says a word. A sum that is set to zero for every piece
holds the last piece alone. float16 without loss scaling can round every gradient to zero. What
float16 saves depends on the processor: on one it saved nothing, on another about a quarter, and a
step took several hundred times as long. That it is converted to float32 inside the multiplication
is assumed; it was not measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Size, Toggle
from labkit.record import Column

MODELS = {"activations": (128, 8, 1), "weights": (1024, 3, 32)}  # width, layers, share of batch


def make_step(
    toggles: SimpleNamespace, *, batch: int = 4096, pieces: int = 8, seed: int = 0
) -> Loop:
    """Return a step that trains on one batch, whole or in pieces.

    Args:
        toggles: ``optimizer``, ``accumulation``, ``precision``, ``loss_scaling`` and ``model``.
        batch: Examples in a step; the model heavy with weights takes a 32nd of them.
        pieces: Into how many pieces accumulation cuts the batch.
        seed: Of weights and examples.
    """
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(seed)
    width, layers, share = MODELS[toggles.model]
    batch //= share
    model = new_model(width, layers, toggles.precision)
    weights = model.trainable_variables
    examples = tf.random.normal([batch, width])
    # The model is nearly right, as late in training, so its gradients are small.
    wanted = tf.cast(model(examples), tf.float32) + tf.random.normal([batch, width], stddev=1e-3)
    optimizer = new_optimizer(toggles.optimizer, scaled=toggles.loss_scaling)

    @tf.function
    def gradients_of(data: Any, target: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.cast(model(data), tf.float32) - target))
            if toggles.loss_scaling:
                loss = optimizer.scale_loss(loss)
        # The number of examples goes along: it is added up, and forgotten, as the gradients are.
        return [*tape.gradient(loss, weights), tf.cast(len(data), tf.float32)]

    @tf.function
    def apply(gradients: Any) -> Any:
        optimizer.apply_gradients(zip(gradients, weights, strict=True))
        return tf.add_n([tf.cast(tf.reduce_all(each == 0), tf.int32) for each in gradients])

    seen = zero_gradients = peak_bytes = 0
    device = "GPU:0" if tf.config.list_logical_devices("GPU") else "CPU:0"

    def step() -> None:
        nonlocal seen, zero_gradients, peak_bytes
        tf.config.experimental.reset_memory_stats(device)
        if toggles.accumulation == "none":
            *gradients, examples_in = gradients_of(examples, wanted)
        else:
            sums = None
            for start in range(0, batch, batch // pieces):
                part = slice(start, start + batch // pieces)
                new = gradients_of(examples[part], wanted[part])
                if sums is None or toggles.accumulation == "posted":
                    sums = [tf.zeros_like(each) for each in new]
                sums = [total + each for total, each in zip(sums, new, strict=True)]
            *sums, examples_in = sums or []
            gradients = [total / pieces for total in sums]
        zero = apply(gradients)
        peak_bytes = tf.config.experimental.get_memory_info(device)["peak"]
        seen, zero_gradients = int(examples_in), int(zero)

    return Loop(
        step,
        {
            "slot_bytes": lambda: bytes_of(each for each in optimizer.variables if len(each.shape)),
            "weight_bytes": lambda: bytes_of(weights),
            "peak_bytes": lambda: peak_bytes,
            "examples_in_update": lambda: seen,
            "zero_gradients": lambda: zero_gradients,
        },
    )


def new_model(width: int, layers: int, precision: str) -> Any:
    import keras

    model = keras.Sequential([keras.Input([width])])
    for layer in range(layers):
        activation = "relu" if layer < layers - 1 else None
        dense = keras.layers.Dense(
            width, activation, kernel_initializer="he_normal", dtype=precision
        )
        model.add(dense)
    return model


def new_optimizer(name: str, *, scaled: bool) -> Any:
    import keras

    made = {
        "sgd": lambda: keras.optimizers.SGD(1e-3),
        "momentum": lambda: keras.optimizers.SGD(1e-3, momentum=0.9),
        "rmsprop": lambda: keras.optimizers.RMSprop(1e-3),
        "adam": lambda: keras.optimizers.Adam(1e-3),
        "amsgrad": lambda: keras.optimizers.Adam(1e-3, amsgrad=True),
    }[name]()
    return keras.optimizers.LossScaleOptimizer(made) if scaled else made


def bytes_of(variables: Iterable[Any]) -> int:
    return sum(each.value.dtype.size * math.prod(each.shape) for each in variables)


# TensorFlow's own allocator, so that every byte of a tensor is counted on a CPU, too.
COUNTED = {"TF_CPU_ALLOCATOR_USE_BFC": "1"}

CAUSE = Cause(
    slug="optimizer_memory",
    title="Optimizer memory",
    summary="What an optimizer holds, and what accumulation and mixed precision really save.",
    make_step=make_step,
    toggles=(
        Toggle(
            "optimizer",
            "optimizer",
            default="adam",
            kind="launch",
            choices=("sgd", "momentum", "rmsprop", "adam", "amsgrad"),
        ),
        Toggle(
            "accumulation",
            "accumulation of gradients",
            default="none",
            kind="launch",
            role="fix",
            choices=("none", "right", "posted"),
        ),
        Toggle(
            "precision",
            "precision",
            default="float32",
            kind="launch",
            role="fix",
            choices=("float32", "mixed_bfloat16", "mixed_float16"),
        ),
        Toggle("loss_scaling", "scale the loss", kind="launch", role="fix"),
        Toggle(
            "model",
            "model heavy with",
            default="activations",
            kind="launch",
            role="control",
            choices=("activations", "weights"),
            environment={"activations": COUNTED, "weights": COUNTED},
        ),
    ),
    sizes=(
        Size("batch", 4096, 256, 32_768, "examples in a step, a 32nd of it if heavy with weights"),
        Size("pieces", 8, 1, 8, "pieces that accumulation cuts the batch into"),
    ),
    expectation=Expectation(
        shape="flat",
        steps=60,
        growth=0,
        per_step={"slot_bytes": 0, "weight_bytes": 0, "zero_gradients": 0},
    ),
    notebook="10_full_memory.ipynb",
    lanes=("peak_bytes", "slot_bytes", "zero_gradients"),
    counters=(
        Column("slot_bytes", "optimizer slots", "bytes", "counter"),
        Column("weight_bytes", "weights", "bytes", "counter"),
        Column("peak_bytes", "most tensor memory in the step", "bytes", "counter"),
        Column("examples_in_update", "examples in the update", "examples", "counter"),
        Column("zero_gradients", "gradients that are all zero", "gradients", "counter"),
    ),
    probes=("allocator",),
)
