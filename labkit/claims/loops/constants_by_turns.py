"""Source 1's first two examples, in substance, by turns, so that the machine is the same for all.

For 25 steps the number 2.0 stands in the line that uses it, for 25 it is a constant that was made
before the loop, and so on; then both once more with an array of 4 MB.
"""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

TURN = 25
SIDE = 1024
SCALAR_INSIDE, SCALAR_BEFORE, ARRAY_INSIDE, ARRAY_BEFORE = range(4)


def make_step(toggles, *, seed=0):
    import numpy as np
    import tensorflow as tf

    numbers = np.ones([SIDE, SIDE], np.float32)
    scalar, array = tf.constant(2.0), tf.constant(numbers)
    x, state = tf.constant(1.0), tf.ones([SIDE, SIDE])
    steps = 0

    def step():
        nonlocal steps, x, state
        condition = steps // TURN % 4
        steps += 1
        if condition == SCALAR_INSIDE:
            x = x * 2.0
        elif condition == SCALAR_BEFORE:
            x = x * scalar
        elif condition == ARRAY_INSIDE:
            state = state * tf.constant(numbers)
        else:
            state = state * array
        return x, state

    return Loop(step, {"condition": lambda: (steps - 1) // TURN % 4})  # of the step that is done


CAUSE = Cause(
    slug="constants_by_turns",
    title="Constants made inside and before",
    summary="By turns a constant in the line that uses it, and one made before the loop.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=1_000, growth=0.0),
    notebook="",
    counters=(
        Column("condition", "0, 1 scalar inside, before; 2, 3 array inside, before", "", "counter"),
    ),
)
