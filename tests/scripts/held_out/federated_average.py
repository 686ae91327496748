"""Federated averaging: clients with skewed data each fit a copy of one model, and are averaged."""

import argparse
import collections

import keras
import numpy as np
import tensorflow as tf


def make_clients(count, per_client, rng):
    """Every client sees all four classes, some of them much more often."""
    centres = rng.normal(scale=1.5, size=(4, 12))
    clients = []
    for _ in range(count):
        y = rng.choice(4, size=per_client, p=rng.dirichlet([1.0] * 4))
        x = centres[y] + rng.normal(size=(per_client, 12))
        clients.append((x.astype("float32"), y))
    return clients


def build_model():
    model = keras.Sequential(
        [
            keras.Input((12,)),
            keras.layers.Dense(48, activation="relu"),
            keras.layers.Dense(48, activation="relu"),
            keras.layers.Dense(4, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.SGD(0.05),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


class Server:
    def __init__(self, model, keep=5):
        self.model = model
        self.weights = model.get_weights()
        self.versions = collections.deque([self.weights], maxlen=keep)
        self.curves = collections.defaultdict(list)

    def local_update(self, name, data):
        self.model.set_weights(self.weights)
        fitted = self.model.fit(data, epochs=1, verbose=0)
        self.curves[name] += fitted.history["loss"]
        return self.model.get_weights()

    def merge(self, updates):
        self.weights = [np.mean(part, axis=0) for part in zip(*updates, strict=True)]
        self.versions.append(self.weights)

    def drift(self):
        """How far the weights went since the oldest version that is still here."""
        pairs = zip(self.versions[0], self.weights, strict=True)
        return float(np.sqrt(sum(np.square(new - old).sum() for old, new in pairs)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--per-client", type=int, default=320)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=10)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    clients = make_clients(args.clients, args.per_client, rng)
    x_all = np.concatenate([x for x, _ in clients])
    y_all = np.concatenate([y for _, y in clients])
    local = [
        tf.data.Dataset.from_tensor_slices(client)
        .shuffle(1000, seed=args.seed)
        .batch(args.batch_size)
        for client in clients
    ]
    server = Server(build_model())

    for number in range(1, args.rounds + 1):
        updates = []
        for name, data in enumerate(local):
            updates.append(server.local_update(name, data))
        server.merge(updates)
        if number % 10 == 0:
            server.model.set_weights(server.weights)
            loss, accuracy = server.model.evaluate(x_all, y_all, batch_size=640, verbose=0)
            print(f"round {number}: loss {loss:.4f} accuracy {accuracy:.4f}")
            print(f"  drift over the latest versions {server.drift():.3f}")
    print(f"{sum(map(len, server.curves.values()))} local fits")


if __name__ == "__main__":
    main()
