"""Teaches a fleet of picking robots to fetch goods, by the cross-entropy of its good rounds."""

import argparse
import dataclasses
import gc

import keras
import numpy as np
import tensorflow as tf

MOVES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])


@dataclasses.dataclass
class Visit:
    """Where a robot was at one moment, where it wanted to go, and what it did."""

    place: list
    goal: list
    move: int
    reward: float


class Warehouse:
    def __init__(self, robots, size, rng):
        self.robots = robots
        self.size = size
        self.rng = rng

    def reset(self):
        self.places = self.rng.integers(0, self.size, (self.robots, 2))
        self.goals = self.rng.integers(0, self.size, (self.robots, 2))
        return self.views()

    def views(self):
        both = np.concatenate([self.places, self.goals - self.places], axis=1)
        return (both / self.size).astype("float32")

    def step(self, moves):
        before = np.abs(self.goals - self.places).sum(axis=1)
        self.places = np.clip(self.places + MOVES[moves], 0, self.size - 1)
        after = np.abs(self.goals - self.places).sum(axis=1)
        return self.views(), before - after - 0.1 * (after > 0)


class Journal:
    """All visits of all rounds, for the map of the busy aisles that is drawn afterwards."""

    def __init__(self, size):
        self.size = size
        self.visits = []

    def close_round(self, visits):
        self.visits.extend(visits)
        gc.collect()

    def aisles(self):
        return np.bincount([visit.place[0] for visit in self.visits], minlength=self.size)


def play(env, policy, rng, length):
    views, seen, done, visits, total = env.reset(), [], [], [], np.zeros(env.robots)
    for _ in range(length):
        logits = policy(views).numpy()
        moves = np.argmax(logits + rng.gumbel(size=logits.shape), axis=1)
        places, goals = env.places.tolist(), env.goals.tolist()
        seen.append(views)
        done.append(moves)
        views, rewards = env.step(moves)
        total += rewards
        visits.extend(map(Visit, places, goals, moves.tolist(), rewards.tolist()))
    return np.array(seen), np.array(done), visits, total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--length", type=int, default=40)
    parser.add_argument("--robots", type=int, default=112)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--seed", type=int, default=29)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    env = Warehouse(args.robots, args.size, rng)
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(48, activation="tanh"),
            keras.layers.Dense(len(MOVES)),
        ]
    )
    cross = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(1e-2), loss=cross)
    policy = tf.function(model)
    journal = Journal(args.size)

    for number in range(args.rounds):
        seen, done, visits, total = play(env, policy, rng, args.length)
        best = np.argsort(total)[-args.robots // 4 :]
        model.train_on_batch(seen[:, best].reshape(-1, 4), done[:, best].reshape(-1))
        journal.close_round(visits)
        if number % 10 == 0:
            print(f"round {number:4d}  mean reward {total.mean():6.2f}", flush=True)

    aisles = journal.aisles()
    print(f"{aisles.sum()} visits, most of them ({aisles.max()}) in aisle {aisles.argmax()}")


if __name__ == "__main__":
    main()
