"""Lands a glider on a short strip: first copies a pilot by rule, then learns from its returns."""

import argparse

import keras
import numpy as np
import tensorflow as tf


class Glider:
    """Height, distance, speed and sink rate, moved by pulling, holding or pushing the stick."""

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.state = np.array([self.rng.uniform(0.5, 1.5), self.rng.uniform(3, 6), 1.0, 0.1])
        return self.state.astype("float32")

    def step(self, action):
        height, distance, speed, sink = self.state
        pull = action - 1
        sink = np.clip(sink - 0.08 * pull + 0.02 * self.rng.normal(), -0.2, 0.6)
        speed = np.clip(speed + 0.1 * sink - 0.02 - 0.01 * pull, 0.3, 2.0)
        self.state = np.array([height - 0.1 * sink, distance - 0.1 * speed, speed, sink])
        down = self.state[0] <= 0
        reward = -abs(self.state[1]) - 2 * sink if down else -0.02
        return self.state.astype("float32"), float(reward), bool(down)


class Bounded:
    """Keeps the views of an environment within what the network was made for."""

    def __init__(self, env, low=-8.0, high=8.0):
        self.env = env
        self.low, self.high = low, high

    def reset(self):
        return np.clip(self.env.reset(), self.low, self.high)

    def step(self, action):
        view, reward, done = self.env.step(action)
        return np.clip(view, self.low, self.high), max(reward, self.low), done


class Pilot:
    def __init__(self, env, width, rate):
        self.env = env
        self.net = keras.Sequential(
            [keras.Input((4,)), keras.layers.Dense(width, "tanh"), keras.layers.Dense(3)]
        )
        cross = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.net.compile(keras.optimizers.Adam(rate), loss=cross)
        self.logits = tf.function(self.net, reduce_retracing=True)

    def choose(self, view, rng):
        logits = self.logits(view[None]).numpy()[0]
        return int(np.argmax(logits + rng.gumbel(size=3)))

    def fly(self, rng, limit):
        self.env = Bounded(self.env)
        view, views, actions, rewards = self.env.reset(), [], [], []
        for _ in range(limit):
            views.append(view)
            actions.append(self.choose(view, rng))
            view, reward, done = self.env.step(actions[-1])
            rewards.append(reward)
            if done:
                break
        return np.array(views), np.array(actions), sum(rewards)


def rule(views):
    wanted = np.clip(views[:, 0] / np.maximum(views[:, 1], 0.3), 0, 0.5)
    return np.where(views[:, 3] > wanted + 0.05, 2, np.where(views[:, 3] < wanted - 0.05, 0, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=200)
    parser.add_argument("--flights", type=int, default=420)
    parser.add_argument("--limit", type=int, default=48)
    parser.add_argument("--seed", type=int, default=53)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    pilot = Pilot(Glider(rng), 64, 2e-3)
    for _ in range(args.copies):
        views = rng.uniform([0, 0, 0.3, -0.2], [1.5, 6, 2, 0.6], size=(128, 4)).astype("float32")
        loss = pilot.net.train_on_batch(views, rule(views))
    print(f"copied the rule: loss {float(loss):.3f}")

    mean = 0.0
    for flight in range(args.flights):
        views, actions, total = pilot.fly(rng, args.limit)
        mean += (total - mean) / min(flight + 1, 30)
        short = args.limit - len(views)
        weight = np.pad(np.full(len(views), total - mean), (0, short)).astype("float32")
        views, actions = np.pad(views, ((0, short), (0, 0))), np.pad(actions, (0, short))
        pilot.net.train_on_batch(views, actions, sample_weight=0.1 * weight)
        if flight % 30 == 0:
            print(f"flight {flight:4d}  return {total:6.2f}  mean {mean:6.2f}", flush=True)
    print(f"mean return {mean:.2f}")


if __name__ == "__main__":
    main()
