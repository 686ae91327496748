"""Sound windows from the hives, as a tf.data pipeline."""

import numpy as np
import tensorflow as tf

RATE = 256
STATES = ("queenright", "queenless", "swarming")


def record(n, seed):
    rng = np.random.default_rng(seed)
    state = rng.integers(0, len(STATES), n)
    pitch = np.array([22.0, 31.0, 45.0])[state] + rng.normal(0, 2.5, n)
    t = np.arange(RATE) / RATE
    phase = rng.uniform(0, 2 * np.pi, (n, 1))
    hum = np.sin(2 * np.pi * pitch[:, None] * t + phase)
    hum += 0.5 * np.sin(4 * np.pi * pitch[:, None] * t + phase)
    hum += rng.normal(0, 0.8, hum.shape)
    return hum.astype(np.float32), state.astype(np.int32)


def spectrum(wave, state):
    power = tf.abs(tf.signal.rfft(wave * tf.signal.hann_window(RATE)))
    return tf.math.log1p(power), state


def windows(sound, state, batch):
    ds = tf.data.Dataset.from_tensor_slices((sound, state))
    ds = ds.shuffle(512, seed=8, reshuffle_each_iteration=False)
    return ds.map(spectrum).batch(batch).repeat()


class Feed:
    """Hands out batches by their number, so that a run can be taken up again where it stopped."""

    def __init__(self, dataset, start=0):
        self.dataset = dataset
        self.cursor = start

    def draw(self):
        part = self.dataset.skip(self.cursor).take(1)
        self.cursor += 1
        x, y = next(iter(part))
        return x, y
