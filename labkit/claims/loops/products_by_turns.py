"""Small matrices multiplied, by turns those that lie side by side and those among 10,000 holes.

Both lie in TensorFlow's own pool, and are multiplied for 25 steps each, again and again.
"""

from labkit.cause import Cause, Expectation, Loop, Toggle
from labkit.record import Column

TURN = 25
BLOCKS, USED, SIDE = 10_000, 50, 64
SIDE_BY_SIDE, SCATTERED = range(2)


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    together = [tf.fill([SIDE, SIDE], 1.0) for _ in range(USED)]
    blocks, apart = [], []
    for _ in range(BLOCKS):
        blocks.append(tf.fill([SIDE, SIDE], 1.0))
        apart.append(tf.fill([SIDE], 1.0))  # stays, so that two holes never become one
    scattered = blocks[:: BLOCKS // USED]
    blocks.clear()  # all other blocks are holes from now on
    steps = 0

    def step():
        nonlocal steps
        assert len(apart) == BLOCKS  # as long as the step can look, they stay
        matrices = scattered if steps // TURN % 2 == SCATTERED else together
        steps += 1
        for matrix in matrices:
            product = tf.matmul(matrix, matrix)
        return product

    return Loop(step, {"condition": lambda: (steps - 1) // TURN % 2})  # of the step that is done


CAUSE = Cause(
    slug="products_by_turns",
    title="Matrices side by side and scattered",
    summary="By turns matrices are multiplied that lie side by side, and among 10,000 holes.",
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
    expectation=Expectation(shape="flat", steps=400, growth=0.0),
    notebook="",
    counters=(Column("condition", "0 side by side, 1 scattered", "", "counter"),),
)
