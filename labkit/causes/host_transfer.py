"""Host transfer: an array leaves TensorFlow and comes back at every step.

What goes wrong: ``tensor.numpy()`` copies the tensor, and ``tf.constant(array)`` copies the array.
A loop that takes its state out to do one thing in NumPy and puts it back pays for both at every
step. That costs in proportion to the bytes, but always the same: step 1,000 copies as much as
step 1. So it can make a loop expensive, and cannot make it slow down.

What to expect: a flat curve whose height follows ``block``, and a counter of bytes per step that
stays where it is. To keep the state on the device brings the bytes to zero. ``as_array`` reads the
same numbers through ``np.asarray``: on a CPU that looks at the tensor's own memory, and copies
nothing.

Only a GPU shows the rest: there each copy crosses the bus between two memories, and has to wait
until the device has finished, so ``np.asarray`` copies as well.

A GPU works on while Python goes on, and a processor does so too where TensorFlow is told to
(``asynchronous``). A clock that does not wait for it (``clock_waits``) stops when the work has been
handed over, and tells next to nothing of the work itself.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Size, Toggle

KILOBYTES = {"4 KB": 4, "256 KB": 256, "4 MB": 4_096, "64 MB": 65_536}


def make_step(toggles: SimpleNamespace, *, width: int = 128, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains a little, and carries a block of numbers out and in.

    Args:
        toggles: All live.
        width: The training multiplies ``width`` x ``width`` numbers.
        seed: Of the numbers.
    """
    import numpy as np
    import tensorflow as tf

    weights = tf.Variable(tf.random.stateless_normal([width, width], [seed, 0]))
    batch = tf.random.stateless_normal([width, width], [seed, 1])

    @tf.function
    def train() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - batch))
        weights.assign_sub(tape.gradient(loss, weights))
        return loss

    goes_on = False
    size: str = ""
    block: Any = None
    host: Any = None

    def step() -> object:
        nonlocal size, block, host, goes_on

        if toggles.asynchronous != goes_on:
            goes_on = toggles.asynchronous
            tf.config.experimental.set_synchronous_execution(not goes_on)

        if toggles.block != size:
            size = toggles.block
            numbers = KILOBYTES[size] * 256  # of four bytes
            block, host = tf.zeros(numbers), np.zeros(numbers, "float32")

        if not toggles.keep_on_device:
            if toggles.copy_in:
                block = tf.constant(host)
            if toggles.copy_out:
                host = np.asarray(block) if toggles.as_array else block.numpy()

        return train()

    return step


CAUSE = Cause(
    slug="host_transfer",
    title="Host transfer",
    summary="Each step copies an array from TensorFlow and back: expensive by its bytes, and flat.",
    make_step=make_step,
    toggles=(
        Toggle("copy_out", "copy out each step", default="on"),
        Toggle("copy_in", "copy in each step", default="on"),
        Toggle(
            "block", "size of the block", default="4 MB", choices=tuple(KILOBYTES), ordered=True
        ),
        Toggle("keep_on_device", "keep it on the device", role="fix"),
        Toggle("as_array", "read it by np.asarray", role="control"),
        Toggle("asynchronous", "asynchronous execution", role="control"),
        Toggle("clock_waits", "the clock waits for TensorFlow", default="on", role="control"),
    ),
    sizes=(Size("width", 128, 2, 4_096, "rows and columns of the weights trained"),),
    expectation=Expectation(
        shape="flat",
        steps=500,
        growth=0.0,
        holds={"bytes_out": 4_194_304, "bytes_in": 4_194_304},
    ),
    notebook="08_input.ipynb",
    lanes=("bytes_out", "bytes_in"),
    probes=("copies",),
    device_wait="clock_waits",
)
