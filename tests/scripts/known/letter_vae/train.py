"""Train the autoencoder: python -m letter_vae.train --steps 500"""

import argparse
import tempfile

import tensorflow.compat.v1 as tf

from letter_vae.board import scalars
from letter_vae.data import Letters
from letter_vae.model import Autoencoder


def write_curves(folder, step, **values):
    """Add a point to each of the curves in a folder."""
    writer = tf.summary.FileWriter(folder)
    writer.add_summary(scalars(**values), step)


def train(args, folder):
    tf.disable_eager_execution()
    tf.set_random_seed(args.seed)
    letters = Letters(args.seed)
    model = Autoencoder(args.hidden, args.code, args.rate)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step = 0
        while step < args.steps:
            feeds = {model.letters: letters.batch(args.batch)}
            fetches = [model.train, model.loss, model.divergence]
            _, loss, divergence = session.run(fetches, feeds)
            write_curves(folder, step, loss=loss, divergence=divergence)
            if step % 100 == 0:
                print(f"step {step}: loss {loss:.2f}, divergence {divergence:.2f}")
            step += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--hidden", type=int, default=768)
    parser.add_argument("--code", type=int, default=16)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        train(args, folder)


if __name__ == "__main__":
    main()
