"""A loop that asks the graphics card for one product and reads it back.

The product is what shows a card that is too old for this TensorFlow: its memory can be written to,
and the first computation fails.
"""

from __future__ import annotations

from collections.abc import Callable

SIDE = 64


def make_step() -> Callable[[], object]:
    """Return a step that fails unless a card computes.

    Raises:
        RuntimeError: By the step, if the product is wrong.
    """
    import tensorflow as tf

    def step() -> float:
        with tf.device("/GPU:0"):
            ones = tf.ones([SIDE, SIDE])
            product = tf.reduce_sum(ones @ ones)
        found = float(product)
        if found != SIDE**3:
            raise RuntimeError(f"the card computed {found} where {SIDE**3} is right")
        return found

    return step
