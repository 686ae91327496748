"""Deep Q-learning in a corridor: walk to the end that the light points to."""

import argparse
import gc

import numpy as np
import tensorflow as tf

LENGTH = 21
TURNS = 12


class Corridor:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def reset(self):
        self.place = LENGTH // 2
        self.light = self.random.choice([-1, 1])
        self.turn = 0
        return self.observe()

    def observe(self):
        seen = np.zeros(LENGTH + 2, "float32")
        seen[self.place] = 1.0
        seen[LENGTH + (self.light > 0)] = 1.0
        return seen

    def step(self, action):
        self.place += 1 if action else -1
        self.turn += 1
        at_end = self.place in (0, LENGTH - 1)
        reward = self.light if self.place > LENGTH // 2 else -self.light
        return self.observe(), 0.1 * float(reward), at_end or self.turn == TURNS


class Replay:
    """The last transitions, in arrays of a fixed size."""

    def __init__(self, size, width):
        self.seen = np.zeros((size, width), "float32")
        self.after = np.zeros((size, width), "float32")
        self.numbers = np.zeros((size, 3), "float32")
        self.count = 0

    def add(self, seen, action, reward, after, done):
        slot = self.count % len(self.seen)
        self.seen[slot], self.after[slot] = seen, after
        self.numbers[slot] = action, reward, done
        self.count += 1

    def sample(self, random, batch):
        rows = random.integers(0, min(self.count, len(self.seen)), batch)
        return self.seen[rows], self.numbers[rows], self.after[rows]


def make_network(width):
    layers = tf.keras.layers
    hidden = [layers.Dense(width, activation="relu") for _ in range(2)]
    return tf.keras.Sequential([layers.Input([LENGTH + 2]), *hidden, layers.Dense(2)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--width", type=int, default=448)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(0)
    network, target = make_network(args.width), make_network(args.width)
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train_step(seen, numbers, after):
        best = tf.reduce_max(target(after), axis=1)
        wanted = numbers[:, 1] + 0.95 * (1 - numbers[:, 2]) * best
        with tf.GradientTape() as tape:
            value = tf.gather(network(seen), tf.cast(numbers[:, 0], tf.int32), batch_dims=1)
            loss = tf.reduce_mean(tf.square(value - wanted))
        gradients = tape.gradient(loss, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables, strict=True))
        return loss

    choose = tf.function(lambda seen: tf.argmax(network(seen), axis=1))
    corridor, replay = Corridor(1), Replay(5000, LENGTH + 2)
    random = np.random.default_rng(2)
    seen, total, returns = corridor.reset(), 0.0, []
    for step in range(args.steps):
        action = int(choose(seen[None])[0])
        if random.random() < max(0.05, 1 - step / 600):
            action = random.integers(2)
        after, reward, done = corridor.step(action)
        replay.add(seen, action, reward, after, done)
        train_step(*replay.sample(random, args.batch))
        seen, total = after, total + reward
        if done:
            returns = [*returns[-99:], total]
            seen, total = corridor.reset(), 0.0
            gc.collect()
        if step % 200 == 0:
            target.set_weights(network.get_weights())
            print(f"step {step}: mean return {np.mean(returns or [0]):.3f}")


if __name__ == "__main__":
    main()
