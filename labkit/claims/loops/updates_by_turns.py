"""A variable that is replaced and one that is changed in place, by turns: a large one, a small one.

For 25 steps the large variable is replaced, for 25 changed in place, for 25 the small one is
replaced, and so on.
"""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

TURN = 25
LARGE, SMALL = 4_000_000, 1_000  # numbers of four bytes
LARGE_ANEW, LARGE_IN_PLACE, SMALL_ANEW, SMALL_IN_PLACE = range(4)


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    large, small = tf.Variable(tf.zeros([LARGE])), tf.Variable(tf.zeros([SMALL]))
    much, little = tf.ones([LARGE]), tf.ones([SMALL])
    steps = 0

    # Compiled, so that one op less in Python is not what is measured.
    updates = {
        LARGE_ANEW: tf.function(lambda: large.assign(large + much)),
        LARGE_IN_PLACE: tf.function(lambda: large.assign_add(much)),
        SMALL_ANEW: tf.function(lambda: small.assign(small + little)),
        SMALL_IN_PLACE: tf.function(lambda: small.assign_add(little)),
    }

    def step():
        nonlocal steps
        update = updates[steps // TURN % 4]
        steps += 1
        return update()

    return Loop(step, {"condition": lambda: (steps - 1) // TURN % 4})  # of the step that is done


CAUSE = Cause(
    slug="updates_by_turns",
    title="Variables replaced and changed in place",
    summary="By turns a variable gets a new tensor, and is changed where it is.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=1_000, growth=0.0),
    notebook="",
    counters=(
        Column("condition", "0, 1 large anew, in place; 2, 3 small anew, in place", "", "counter"),
    ),
)
