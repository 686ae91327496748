"""A step that saves a compiled Keras model whole: architecture, weights and optimizer."""

from labkit.cause import Cause, Expectation

WIDTH = 256


def make_step(toggles, *, seed=0):
    import tempfile

    import tensorflow as tf

    tf.keras.utils.set_random_seed(seed)
    layers = [tf.keras.layers.Dense(WIDTH, use_bias=False) for _ in range(2)]
    model = tf.keras.Sequential([tf.keras.Input((WIDTH,)), *layers])
    model.compile("adam", "mse", jit_compile=False)
    model.optimizer.build(model.trainable_variables)
    folder = tempfile.mkdtemp()

    def step():
        model.save(f"{folder}/model.keras")

    return step


CAUSE = Cause(
    slug="save_whole_keras",
    title="A whole Keras model, saved",
    summary="Each step saves all that a compiled Keras model is.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=30, growth=0.0),
    notebook="",
    probes=("files",),
)
