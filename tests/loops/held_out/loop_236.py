import io
import logging

import keras
import numpy as np


def train_one_round(model, x, y, stream):
    logger = logging.getLogger("training")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
    for batch in range(6):
        loss = model.train_on_batch(x, y)
        logger.info("batch %d loss %.4f", batch, loss)
    return loss


def make_step():
    keras.utils.set_random_seed(36)
    model = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    x = np.random.default_rng(36).normal(size=(16, 6)).astype("float32")
    y = x[:, :1]

    def step():
        return train_one_round(model, x, y, io.StringIO())

    return step
