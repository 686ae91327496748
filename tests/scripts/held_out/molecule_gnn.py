"""A message-passing network that predicts a property of made-up molecules."""

import argparse

import numpy as np
import tensorflow as tf

ELEMENTS = 5


def make_molecule(rng):
    """A random tree of atoms, with a few rings closed."""
    atoms = int(rng.integers(8, 31))
    kinds = rng.choice(ELEMENTS, size=atoms, p=[0.5, 0.2, 0.15, 0.1, 0.05])
    bonds = [(i, int(rng.integers(max(0, i - 3), i))) for i in range(1, atoms)]
    bonds += [tuple(rng.integers(0, atoms, size=2)) for _ in range(rng.integers(0, 4))]
    pairs = np.array(bonds + [(b, a) for a, b in bonds], dtype="int32")
    charge = np.array([0.1, -0.8, -0.5, 0.3, 1.0])
    polar = np.abs(charge[kinds[pairs[:, 0]]] - charge[kinds[pairs[:, 1]]]).sum()
    return np.eye(ELEMENTS, dtype="float32")[kinds], pairs, np.float32(polar / 10)


def collate(molecules):
    """One big graph out of many: atoms and bonds end to end, and whose each atom is."""
    counts = [len(atoms) for atoms, _, _ in molecules]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    atoms = np.concatenate([atoms for atoms, _, _ in molecules])
    bonds = np.concatenate([b + s for (_, b, _), s in zip(molecules, starts, strict=True)])
    owner = np.repeat(np.arange(len(molecules)), counts)
    target = np.array([target for _, _, target in molecules])
    return tuple(map(tf.constant, (atoms, bonds.astype("int32"), owner.astype("int32"), target)))


def batches(molecules, batch_size, rng):
    order = rng.permutation(len(molecules))
    for start in range(0, len(order) - batch_size + 1, batch_size):
        yield collate([molecules[i] for i in order[start : start + batch_size]])


class MessagePassing(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.message = tf.keras.layers.Dense(width, activation="relu")
        self.update = tf.keras.layers.Dense(width, activation="relu")

    def call(self, atoms, bonds):
        sent = self.message(tf.gather(atoms, bonds[:, 0]))
        inbox = tf.math.unsorted_segment_sum(sent, bonds[:, 1], tf.shape(atoms)[0])
        return self.update(tf.concat([atoms, inbox], axis=1))


class PropertyModel(tf.keras.Model):
    def __init__(self, width, rounds):
        super().__init__()
        self.passes = [MessagePassing(width) for _ in range(rounds)]
        self.readout = tf.keras.layers.Dense(1)

    def call(self, atoms, bonds, owner):
        for layer in self.passes:
            atoms = layer(atoms, bonds)
        return tf.math.segment_sum(self.readout(atoms), owner)[:, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--molecules", type=int, default=960)
    parser.add_argument("--batch-size", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--seed", type=int, default=24)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    molecules = [make_molecule(rng) for _ in range(args.molecules)]
    test = [make_molecule(rng) for _ in range(120)]
    model = PropertyModel(args.width, rounds=2)
    optimizer = tf.keras.optimizers.Adam(2e-3)

    @tf.function
    def train_step(atoms, bonds, owner, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(target - model(atoms, bonds, owner)))
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 5.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return loss

    atoms, bonds, owner, target = collate(test)
    for epoch in range(args.epochs):
        losses = []
        for batch in batches(molecules, args.batch_size, rng):
            losses.append(float(train_step(*batch)))
        error = float(tf.reduce_mean(tf.abs(target - model(atoms, bonds, owner))))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f} test error {error:.4f}")
    spread = float(tf.reduce_mean(tf.abs(target - tf.reduce_mean(target))))
    print(f"{len(molecules)} molecules, error of the mean alone {spread:.4f}")


if __name__ == "__main__":
    main()
