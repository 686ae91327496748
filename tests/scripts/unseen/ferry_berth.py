"""Learns to berth a small ferry against wind and current, by Q-learning from memory."""
import argparse
import os
from dataclasses import dataclass

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

BOATS = 8
THRUST = np.array([-1.0, -0.3, 0.0, 0.3, 1.0], np.float32)


@dataclass
class Moment:
    state: np.ndarray
    action: int
    reward: float
    after: np.ndarray
    over: bool
    surprise: float


class Harbour:
    """Eight ferries at once: the way to the quay, the speed and the wind."""

    def __init__(self, rng):
        self.rng = rng
        self.state = np.stack([self.fresh() for _ in range(BOATS)])

    def fresh(self):
        return np.array([self.rng.uniform(4, 10), self.rng.uniform(-1, 0.2),
                         self.rng.normal(0, 0.15)], np.float32)

    def step(self, actions):
        way, speed, wind = self.state.T
        speed = 0.95 * speed + 0.2 * THRUST[actions] + 0.1 * wind
        way = way + 0.5 * speed
        wind = wind + self.rng.normal(0, 0.02, BOATS)
        over = (way <= 0) | (way > 14)
        reward = np.where(way <= 0, 2.0 - 6.0 * np.abs(speed), -0.02 * way)
        after = np.stack([way, speed, wind], axis=1).astype(np.float32)
        self.state = after.copy()
        for i in np.flatnonzero(over):
            self.state[i] = self.fresh()
        return reward.astype(np.float32), after, over


class Logbook:
    def __init__(self, rng, sharpness=1.4):
        self.rng = rng
        self.sharpness = sharpness
        self.moments = []

    def write(self, states, actions, rewards, after, over):
        for row in zip(states, actions, rewards, after, over):
            self.moments.append(Moment(*row, surprise=1.0))

    def draw(self, count):
        ranked = sorted(self.moments, key=lambda m: m.surprise, reverse=True)
        place = (self.rng.random(count) ** self.sharpness * len(ranked)).astype(int)
        return [ranked[i] for i in place]


def q_network():
    return keras.Sequential([keras.Input((3,)), layers.Dense(48, activation="relu"),
                             layers.Dense(48, activation="relu"), layers.Dense(len(THRUST))])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=3400)
    parser.add_argument("--batch", type=int, default=48)
    args = parser.parse_args()
    keras.utils.set_random_seed(31)
    rng = np.random.default_rng(31)
    harbour, logbook = Harbour(rng), Logbook(rng)
    online, target = q_network(), q_network()
    target.set_weights(online.get_weights())
    optimizer = keras.optimizers.Adam(5e-4)
    optimizer.build(online.trainable_variables)

    @tf.function
    def choose(states):
        return tf.argmax(online(states), axis=1)

    @tf.function
    def learn(states, actions, rewards, after, over):
        goal = rewards + 0.97 * (1 - over) * tf.reduce_max(target(after), axis=1)
        with tf.GradientTape() as tape:
            q = tf.gather(online(states), actions, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        grads = tape.gradient(loss, online.trainable_variables)
        optimizer.apply_gradients(zip(grads, online.trainable_variables))
        return tf.abs(goal - q)

    move, earned = 0, 0.0
    while move < args.moves:
        states = harbour.state.copy()
        actions = choose(states).numpy()
        stray = rng.random(BOATS) < max(0.05, 1 - move / 1000)
        actions[stray] = rng.integers(0, len(THRUST), stray.sum())
        rewards, after, over = harbour.step(actions)
        logbook.write(states, actions, rewards, after, over)
        earned = 0.99 * earned + 0.01 * rewards.mean()

        batch = logbook.draw(args.batch)
        columns = [np.stack([getattr(m, n) for m in batch]) for n in
                   ("state", "action", "reward", "after", "over")]
        errors = learn(*columns[:4], columns[4].astype(np.float32)).numpy()
        for moment, error in zip(batch, errors):
            moment.surprise = float(error)

        move += 1
        if move % 200 == 0:
            target.set_weights(online.get_weights())
            print(f"{move:5d}  reward a move {earned:+.3f}  error {errors.mean():.3f}")


if __name__ == "__main__":
    main()
