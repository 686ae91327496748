"""Orders spare parts with deep Q-learning: one action a day for each of many stores."""

import argparse

import keras
import numpy as np
import tensorflow as tf

ORDERS = (0, 5, 10, 20)
HISTORY = 6


class Stores:
    """Many stores at once, each with its own demand; views are what each one sees."""

    def __init__(self, count, seed):
        self.rng = np.random.default_rng(seed)
        self.demand = self.rng.uniform(2, 8, count)
        self.stock = self.rng.integers(5, 30, count).astype("float32")
        self.sold = np.zeros((count, HISTORY), "float32")

    def views(self):
        return np.concatenate([self.stock[:, None] / 30, self.sold / 10], axis=1).astype("float32")

    def step(self, orders):
        wanted = self.rng.poisson(self.demand)
        self.stock = self.stock + np.take(ORDERS, orders)
        sold = np.minimum(self.stock, wanted)
        self.stock = np.minimum(self.stock - sold, 60)
        self.sold = np.concatenate([self.sold[:, 1:], sold[:, None]], axis=1).astype("float32")
        return (sold - 0.1 * self.stock - 0.5 * (wanted - sold)).astype("float32")


class Buffer:
    def __init__(self, size, rng):
        self.before = np.zeros((size, HISTORY + 1), "float32")
        self.after = np.zeros((size, HISTORY + 1), "float32")
        self.action = np.zeros(size, "int32")
        self.reward = np.zeros(size, "float32")
        self.rng, self.size, self.at, self.filled = rng, size, 0, 0

    def add(self, before, action, reward, after):
        rows = (self.at + np.arange(len(action))) % self.size
        self.before[rows], self.action[rows] = before, action
        self.reward[rows], self.after[rows] = reward, after
        self.at = (self.at + len(action)) % self.size
        self.filled = min(self.size, self.filled + len(action))

    def sample(self, count):
        rows = self.rng.integers(0, self.filled, count)
        return self.before[rows], self.action[rows], self.reward[rows], self.after[rows]


def q_network(width):
    layers = [keras.layers.Dense(width, activation="relu") for _ in range(2)]
    net = keras.Sequential([keras.Input((HISTORY + 1,)), *layers, keras.layers.Dense(len(ORDERS))])
    net.compile(keras.optimizers.Adam(1e-3), loss="huber")
    return net


def bellman_targets(net, frozen, batch, discount=0.95):
    before, actions, rewards, after = batch
    targets = net(before)
    following = frozen(after)
    rows = []
    for i, action in enumerate(actions):
        row = [float(q) for q in targets[i]]
        row[action] = rewards[i] + discount * float(tf.reduce_max(following[i]))
        rows.append(row)
    return np.array(rows, "float32")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=500)
    parser.add_argument("--stores", type=int, default=32)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=41)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    stores, buffer = Stores(args.stores, args.seed), Buffer(2000, rng)
    net, frozen = q_network(64), q_network(64)
    views, day, mean = stores.views(), 0, 0.0
    while day < args.days:
        greedy = np.argmax(net(views).numpy(), axis=1)
        explore = rng.random(args.stores) < max(0.05, 1 - day / 200)
        orders = np.where(explore, rng.integers(0, len(ORDERS), args.stores), greedy)
        reward = stores.step(orders)
        following = stores.views()
        buffer.add(views, orders, reward, following)
        batch = buffer.sample(args.batch)
        loss = net.train_on_batch(batch[0], bellman_targets(net, frozen, batch))
        views, mean = following, mean + 0.02 * (reward.mean() - mean)
        if day % 25 == 0:
            frozen.set_weights(net.get_weights())
            print(f"day {day:4d}  loss {float(loss):.4f}  reward {mean:.3f}")
        day += 1
    print(f"mean reward at the end {mean:.3f}, mean stock {stores.stock.mean():.1f}")


if __name__ == "__main__":
    main()
