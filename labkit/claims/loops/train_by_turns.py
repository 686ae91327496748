"""A training step under three conditions by turns, so that the machine is the same for all.

For 25 steps as it is, for 25 with 20,000 files in the folder for temporary files, for 25 with
TensorFlow's log turned down to errors, and so on.
"""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

SIZE = 192
FILES = 20_000
TURN = 25
AS_IT_IS, BESIDE_FILES, QUIET = range(3)


def make_step(toggles, *, seed=0):
    import os
    import tempfile

    import tensorflow as tf

    log = tf.compat.v1.logging
    usual_verbosity = log.get_verbosity()
    empty, full = tempfile.mkdtemp(), tempfile.mkdtemp()
    for number in range(FILES):
        open(f"{full}/leftover-{number}.tmp", "w").close()
    leftovers = len(os.listdir(full))

    batch = tf.random.stateless_normal([SIZE, SIZE], [seed, 0])
    weights = tf.Variable(tf.random.stateless_normal([SIZE, SIZE], [seed, 1]) / SIZE)
    steps = 0

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal steps
        condition = steps // TURN % 3
        # Here TensorFlow and Python look for the folder whenever they want a temporary file.
        os.environ["TMPDIR"] = tempfile.tempdir = full if condition == BESIDE_FILES else empty
        log.set_verbosity(log.ERROR if condition == QUIET else usual_verbosity)
        steps += 1
        return train()

    counters = {
        "condition": lambda: (steps - 1) // TURN % 3,  # of the step that is done
        "left_files": lambda: len(os.listdir(empty)),
        "leftovers": lambda: leftovers,
    }
    return Loop(step, counters)


CAUSE = Cause(
    slug="train_by_turns",
    title="A training step under three conditions",
    summary="By turns as it is, beside many temporary files, and with a quiet log.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=2_700, growth=0.0),
    notebook="",
    counters=(
        Column("condition", "0 as it is, 1 beside files, 2 quiet", "", "counter"),
        Column("left_files", "temporary files that TensorFlow left", "files", "counter"),
        Column("leftovers", "files put into the other folder", "files", "counter"),
    ),
)
