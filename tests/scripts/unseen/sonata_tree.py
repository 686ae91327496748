"""Tells the form of a piece of music from its tree of phrases."""
import argparse
import functools
import gc
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers

FORMS = ("rondo", "sonata", "variations", "fugue")
DEPTH = 5
FEATURES = 14


def tidy(make):
    @functools.wraps(make)
    def wrapped(*args, **kwargs):
        result = make(*args, **kwargs)
        gc.collect()
        return result
    return wrapped


class Phrase:
    def __init__(self, pitch, length, parent=None):
        self.pitch = pitch
        self.length = length
        self.parent = parent
        self.parts = []
        if parent is not None:
            parent.parts.append(self)

    def depth(self):
        return 0 if self.parent is None else 1 + self.parent.depth()

    def walk(self):
        yield self
        for part in self.parts:
            yield from part.walk()


class Composer:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def grow(self, phrase, form, depth):
        if depth == 0:
            return
        branches = 2 if form < 2 else int(self.rng.integers(1, 4))
        jump = (0.5, 2.0, 1.0, 4.0)[form]
        for turn in range(branches):
            drift = self.rng.normal(0, jump)
            back = -phrase.pitch if form == 0 and turn else 0.0
            part = Phrase(phrase.pitch + drift + back, phrase.length / branches, phrase)
            self.grow(part, form, depth - 1)

    def piece(self, form):
        root = Phrase(self.rng.normal(0, 1), 1.0)
        self.grow(root, form, DEPTH)
        return root

    @tidy
    def batch(self, size):
        forms = self.rng.integers(0, len(FORMS), size)
        return np.stack([features(self.piece(form)) for form in forms]), forms


def features(root):
    row = np.zeros(FEATURES, np.float32)
    for phrase in root.walk():
        depth = phrase.depth()
        row[depth] += 1
        row[6 + depth] += abs(phrase.pitch) * phrase.length
        if phrase.parent is not None:
            row[12] += (phrase.pitch - phrase.parent.pitch) ** 2
            row[13] += phrase.pitch * phrase.parent.pitch
    return np.sign(row) * np.log1p(np.abs(row))


def build():
    model = keras.Sequential([
        keras.Input((FEATURES,)),
        layers.Dense(64, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(len(FORMS), activation="softmax"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--size", type=int, default=16)
    args = parser.parse_args()
    keras.utils.set_random_seed(13)
    composer = Composer(13)
    model = build()
    for step in range(1, args.steps + 1):
        x, y = composer.batch(args.size)
        loss, right = model.train_on_batch(x, y)
        if step % 30 == 0:
            print(f"{step:4d}  loss {float(loss):.3f}  right {float(right):.3f}")
            model.reset_metrics()


if __name__ == "__main__":
    main()
