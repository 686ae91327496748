import numpy as np
import tensorflow as tf


class Replay:
    def __init__(self, capacity, length, width):
        self.episodes = np.zeros((capacity, length, width), "float32")
        self.filled = 0
        self.random = np.random.default_rng(11)

    def store(self, episode):
        if self.filled < len(self.episodes):
            self.episodes[self.filled] = episode
            self.filled += 1

    def sample(self, count):
        stored = np.copy(self.episodes[: self.filled])
        rows = self.random.integers(0, self.filled, count)
        moments = self.random.integers(0, stored.shape[1], count)
        return stored[rows, moments]


def make_step():
    replay = Replay(600, 50, 128)
    critic = tf.Variable(tf.random.stateless_normal([128, 1], [5, 1]))
    episode = np.linspace(0, 1, 50 * 128, dtype="float32").reshape(50, 128)

    def step():
        replay.store(episode)
        batch = tf.convert_to_tensor(replay.sample(48))
        return tf.reduce_mean(batch @ critic)

    return step
