"""Train the classifier: python -m sentence_mood.train --epochs 24"""

import argparse

import numpy as np
import tensorflow as tf

from sentence_mood.data import batches
from sentence_mood.model import Classifier


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--size", type=int, default=64)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(0)
    data = batches(6000, args.batch, seed=1)
    model = Classifier(args.size, rate=0.5)
    for epoch in range(args.epochs):
        losses = [model.train_step(words, moods) for words, moods in data]
        print(f"epoch {epoch + 1}: {len(losses)} batches, loss {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
