"""Learn to cross a grid from replayed moves, with a second network that follows behind."""

import argparse
import gc
import random
from collections import deque

import numpy as np
import tensorflow as tf

SIDE = 8
MOVES = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Grid:
    """A walk from one corner to the other, with walls that are the same in each walk."""

    def __init__(self, seed):
        walls = np.random.default_rng(seed).random((SIDE, SIDE)) < 0.15
        walls[0, 0] = walls[-1, -1] = False
        self.walls = walls
        self.start()

    def start(self):
        self.place, self.moves = (0, 0), 0

    def picture(self):
        seen = np.zeros((2, SIDE, SIDE), "float32")
        seen[0][self.place] = 1.0
        seen[1] = self.walls
        return seen.ravel()

    def move(self, action):
        row, column = (old + by for old, by in zip(self.place, MOVES[action], strict=True))
        self.moves += 1
        inside = 0 <= row < SIDE and 0 <= column < SIDE
        if inside and not self.walls[row, column]:
            self.place = row, column
        won = self.place == (SIDE - 1, SIDE - 1)
        return (1.0 if won else -0.02), won or self.moves >= 60


def make_network(width):
    layers = tf.keras.layers
    hidden = [layers.Dense(width, activation="relu") for _ in range(2)]
    return tf.keras.Sequential([layers.Input([2 * SIDE * SIDE]), *hidden, layers.Dense(4)])


class Player:
    def __init__(self, width, kept, explore):
        self.grid, self.explore = Grid(seed=1), explore
        self.network, self.follower = make_network(width), make_network(width)
        self.optimizer = tf.keras.optimizers.Adam(5e-4)
        self.replay = deque(maxlen=kept)
        self.choose = tf.function(lambda seen: tf.argmax(self.network(seen), axis=1))

    def play(self):
        """Make one move and remember it."""
        seen = self.grid.picture()
        action = int(self.choose(seen[None])[0])
        if random.random() < self.explore:
            action = random.randrange(4)
        reward, done = self.grid.move(action)
        self.replay.append((seen, action, reward, self.grid.picture(), float(done)))
        if done:
            self.grid.start()

    @tf.function
    def learn(self, seen, action, reward, after, done):
        best = tf.reduce_max(self.follower(after), axis=1)
        with tf.GradientTape() as tape:
            value = tf.gather(self.network(seen), action, batch_dims=1)
            loss = tf.reduce_mean(tf.square(value - reward - 0.97 * (1 - done) * best))
        weights = self.network.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=320)
    args = parser.parse_args()
    random.seed(0)
    tf.keras.utils.set_random_seed(0)
    player = Player(args.width, kept=2000, explore=1.0)
    while len(player.replay) < 2000:
        player.play()
    updates = 0
    while updates < args.updates:
        player.explore = max(0.1, 1 - updates / 1000)
        player.play()
        columns = zip(*random.sample(player.replay, args.batch), strict=True)
        seen, action, reward, after, done = (np.array(column) for column in columns)
        numbers = reward.astype("float32"), after, done.astype("float32")
        loss = player.learn(seen, action.astype("int32"), *numbers)
        updates += 1
        if updates % 100 == 0:
            player.follower.set_weights(player.network.get_weights())
        if updates % 500 == 0:
            gc.collect()
            print(f"{updates} updates: loss {float(loss):.5f}")


if __name__ == "__main__":
    main()
