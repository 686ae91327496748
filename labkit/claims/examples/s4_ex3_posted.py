"""Source 4's third example, in substance: after a training, what it left behind is removed."""

import shutil
import tempfile
from pathlib import Path

import tensorflow as tf


def make_step():
    model = tf.keras.Sequential([tf.keras.Input([20]), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse", jit_compile=False)
    inputs, targets = tf.random.normal([64, 20]), tf.random.normal([64, 1])
    temporary = Path(tempfile.gettempdir())
    leftovers = temporary / "training_leftovers"

    def training():
        model.train_on_batch(inputs, targets)
        print(f"{len(list(temporary.iterdir()))} files were left behind")
        if leftovers.exists():
            shutil.rmtree(leftovers)
        tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)

    return training
