"""Vent control of a greenhouse by Q-learning with a replay memory and a slow second network."""

import argparse
from collections import deque

import numpy as np
import tensorflow as tf

ACTIONS = 3


class House:
    def __init__(self, rng):
        self.rng = rng
        self.reset()

    def reset(self):
        self.hour = 0
        self.temp = self.rng.normal(22, 3)
        self.damp = self.rng.uniform(0.5, 0.9)
        return self.state()

    def state(self):
        angle = 2 * np.pi * self.hour / 24
        return np.array(
            [(self.temp - 22) / 5, 3 * (self.damp - 0.7), np.sin(angle), np.cos(angle)], np.float32
        )

    def act(self, vent):
        sun = max(0.0, -np.cos(2 * np.pi * self.hour / 24))
        self.temp += 1.5 * sun - vent * 0.08 * (self.temp - 14) + self.rng.normal(0, 0.3)
        self.damp = np.clip(self.damp + 0.03 - 0.04 * vent + self.rng.normal(0, 0.01), 0, 1)
        self.hour += 1
        reward = -abs(self.temp - 23) / 5 - 2 * abs(self.damp - 0.7)
        return self.state(), np.float32(reward), self.hour >= 48


class QNet(tf.Module):
    def __init__(self, width=48):
        super().__init__()
        init = tf.initializers.HeNormal(seed=2)
        self.w1, self.b1 = tf.Variable(init([4, width])), tf.Variable(tf.zeros([width]))
        self.w2, self.b2 = tf.Variable(init([width, ACTIONS])), tf.Variable(tf.zeros([ACTIONS]))

    def __call__(self, s):
        return tf.nn.relu(s @ self.w1 + self.b1) @ self.w2 + self.b2


class Agent:
    def __init__(self, rng, capacity=2000):
        self.rng = rng
        self.net, self.slow = QNet(), QNet()
        self.memory = deque(maxlen=capacity)
        self.rewards = deque(maxlen=96)

    @tf.function
    def values(self, s):
        return self.net(s)

    @tf.function
    def learn(self, s, a, r, s2, over):
        best = tf.reduce_max(self.slow(s2), axis=1)
        target = r + 0.95 * (1.0 - over) * best
        with tf.GradientTape() as tape:
            q = tf.gather(self.net(s), a, axis=1, batch_dims=1)
            loss = tf.reduce_mean(tf.square(q - target))
        variables = self.net.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(0.01 * tf.clip_by_value(g, -1.0, 1.0))
        for fast, slow in zip(variables, self.slow.trainable_variables):
            slow.assign_add(0.01 * (fast - slow))
        return loss

    def choose(self, s, explore):
        if self.rng.random() < explore:
            return int(self.rng.integers(ACTIONS))
        return int(np.argmax(self.values(s[None]).numpy()[0]))

    def sample(self, size):
        picks = [self.memory[i] for i in self.rng.integers(0, len(self.memory), size)]
        s, a, r, s2, over = zip(*picks)
        return np.stack(s), np.array(a, np.int32), np.array(r), np.stack(s2), np.float32(over)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()

    rng = np.random.default_rng(40)
    house, agent = House(rng), Agent(rng)
    s = house.reset()
    for step in range(args.steps):
        a = agent.choose(s, explore=max(0.05, 1 - step / 200))
        s2, r, over = house.act(a)
        agent.memory.append((s, a, r, s2, over))
        agent.rewards.append(r)
        s = house.reset() if over else s2
        loss = agent.learn(*agent.sample(args.batch))
        if step % 500 == 499:
            print(f"{step + 1:5d}  reward {np.mean(agent.rewards):.3f}  loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
