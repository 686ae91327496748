import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(3)
    policy = keras.mixed_precision.DTypePolicy("mixed_bfloat16")
    model = keras.Sequential(
        [
            keras.Input([48]),
            keras.layers.Dense(96, activation="relu", dtype=policy),
            keras.layers.Dense(96, activation="relu", dtype=policy),
            keras.layers.Dense(5, dtype="float32"),
        ]
    )
    optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.AdamW(1e-3))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=optimizer, loss=loss)
    random = np.random.default_rng(3)
    x = random.normal(size=(128, 48)).astype("float32")
    y = random.integers(0, 5, 128)

    def step():
        return model.train_on_batch(x, y)

    return step
