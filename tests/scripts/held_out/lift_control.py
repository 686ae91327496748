"""Sends the lifts of a tower to the waiting people, by double Q-learning with a replay memory."""

import argparse
import collections
import random

import keras
import numpy as np
import tensorflow as tf

FLOORS = 12
ACTIONS = 3


class Tower:
    """One lift; people come to the floors and wait until it opens its doors there."""

    def __init__(self, rng):
        self.rng = rng
        self.floor = 0
        self.waiting = np.zeros(FLOORS)

    def view(self):
        here = np.eye(FLOORS)[self.floor]
        return np.concatenate([here, np.minimum(self.waiting, 5) / 5]).astype("float32")

    def step(self, action):
        self.waiting[self.rng.integers(FLOORS)] += self.rng.random() < 0.3
        if action == 0:
            served, self.waiting[self.floor] = self.waiting[self.floor], 0
        else:
            served = 0
            self.floor = int(np.clip(self.floor + (1 if action == 1 else -1), 0, FLOORS - 1))
        self.waiting = np.minimum(self.waiting, 9)
        return self.view(), float(served - 0.05 * self.waiting.sum())


def q_network(width):
    return keras.Sequential(
        [
            keras.Input((2 * FLOORS,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(ACTIONS),
        ]
    )


class Agent:
    def __init__(self, width, memory, rate):
        self.net, self.frozen = q_network(width), q_network(width)
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(self.net.trainable_variables)
        self.memory = collections.deque(maxlen=memory)

    @tf.function
    def values(self, view):
        return self.net(view[None])[0]

    @tf.function
    def learn(self, before, action, reward, after, discount):
        best = tf.one_hot(tf.argmax(self.net(after), axis=1), ACTIONS)
        target = reward + discount * tf.reduce_sum(best * self.frozen(after), axis=1)
        with tf.GradientTape() as tape:
            chosen = tf.reduce_sum(self.net(before) * tf.one_hot(action, ACTIONS), axis=1)
            loss = tf.reduce_mean(keras.losses.huber(target[:, None], chosen[:, None]))
        variables = self.net.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    def replay(self, batch):
        rows = random.sample(self.memory, batch)
        before, action, reward, after = (np.array(part) for part in zip(*rows, strict=True))
        reward = reward.astype("float32")
        return self.learn(before, action, reward, after, tf.constant(0.97))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--memory", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=71)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    tower, agent = Tower(rng), Agent(96, args.memory, 5e-4)
    for _ in range(args.batch):
        before, action = tower.view(), int(rng.integers(ACTIONS))
        after, reward = tower.step(action)
        agent.memory.append((before, action, reward, after))

    step, rewards, view = 0, [], tower.view()
    while step < args.steps:
        if rng.random() < max(0.05, 1 - step / 400):
            action = int(rng.integers(ACTIONS))
        else:
            action = int(agent.values(view).numpy().argmax())
        following, reward = tower.step(action)
        agent.memory.append((view, action, reward, following))
        loss = agent.replay(args.batch)
        rewards.append(reward)
        if step % 500 == 0:
            agent.frozen.set_weights(agent.net.get_weights())
            mean = sum(rewards[-500:]) / len(rewards[-500:])
            print(f"step {step:5d}  loss {loss.numpy():.4f}  reward {mean:.3f}", flush=True)
        view = following
        step += 1
    print(f"mean reward {np.mean(rewards[-1000:]):.3f}, {tower.waiting.sum():.0f} people wait")


if __name__ == "__main__":
    main()
