"""Tensors from TensorFlow's own pool, by turns of one size and of sizes that grow.

For 25 steps all of one size, for 25 each larger than the one before, and so on. Nothing is computed
in them and nothing is traced: what a step takes is what the pool takes, and the call of an op.
"""

from labkit.cause import Cause, Expectation, Loop, Toggle
from labkit.record import Column

TENSORS = 50
TURN = 25
SHORTEST, LONGER = 250_000, 64  # in numbers of four bytes: from 1 MB on, in steps of 256 bytes
ONE_SIZE, GROWING = range(2)


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    steps = 0

    def step():
        nonlocal steps
        growing = steps // TURN % 2 == GROWING
        first = SHORTEST + LONGER * TENSORS * (steps % TURN)
        steps += 1
        for number in range(TENSORS):
            length = first + LONGER * number if growing else SHORTEST
            made = tf.raw_ops.Empty(shape=[length], dtype=tf.float32, init=False)
        return made

    return Loop(step, {"condition": lambda: (steps - 1) // TURN % 2})  # of the step that is done


CAUSE = Cause(
    slug="shapes_in_pool",
    title="Tensors of one size, and of sizes that grow",
    summary="By turns all tensors of one size, and each larger than the one before, in a pool.",
    make_step=make_step,
    toggles=(
        Toggle(
            "pool",
            "where tensors come from",
            default="one pool",
            choices=("one pool",),
            kind="launch",
            environment={"one pool": {"TF_CPU_ALLOCATOR_USE_BFC": "1"}},
        ),
    ),
    sizes=(),
    expectation=Expectation(shape="flat", steps=600, growth=0.0),
    notebook="",
    counters=(Column("condition", "0 of one size, 1 of sizes that grow", "", "counter"),),
)
