"""Train a recurrent model of the next character, and keep its state in checkpoints."""

import argparse
import tempfile

import numpy as np
import tensorflow as tf

LETTERS = "abcdefghijklmnopqrstuvwxyz ."


def make_text(length, seed):
    """Return a text in which each letter depends on the one before."""
    random = np.random.default_rng(seed)
    follow = random.dirichlet(np.full(len(LETTERS), 0.1), size=len(LETTERS)).cumsum(axis=1)
    text = np.zeros(length, "int32")
    for place, chance in enumerate(random.random(length - 1)):
        text[place + 1] = min(np.searchsorted(follow[text[place]], chance), len(LETTERS) - 1)
    return text


def make_model(units):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(len(LETTERS), 16),
            tf.keras.layers.GRU(units, return_sequences=True),
            tf.keras.layers.Dense(len(LETTERS)),
        ]
    )


def train(args, folder):
    model = make_model(args.units)
    optimizer = tf.keras.optimizers.SGD(0.5)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_of(targets, model(inputs, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    text = make_text(100_000, args.seed)
    random = np.random.default_rng(args.seed)
    window = np.arange(args.length)

    step = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(step=step, model=model)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=None)
    checkpoint.restore(manager.latest_checkpoint)

    while int(step) < args.steps:
        starts = random.integers(0, len(text) - args.length - 1, args.batch)[:, None]
        loss = train_step(text[starts + window], text[starts + window + 1])
        step.assign_add(1)
        if int(step) % args.save_every == 0:
            manager.save(checkpoint_number=step)
        if int(step) % 100 == 0:
            print(f"step {int(step)}: loss {float(loss):.3f}, saved in {manager.latest_checkpoint}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--length", type=int, default=40)
    parser.add_argument("--units", type=int, default=48)
    parser.add_argument("--save-every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        train(args, folder)


if __name__ == "__main__":
    main()
