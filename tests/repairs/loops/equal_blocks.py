"""Results of ever another size are kept and dropped, and leave holes that fit nothing."""

import os

import tensorflow as tf

os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"
os.environ["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = "2048"
LONGEST, WIDEST = 24_000, 200


def before_1():
    """Sentences that get longer from epoch to epoch, of which every other one is kept."""
    kept, epoch = [], []
    length = 16_384

    def encode():
        hidden = tf.fill([length], 0.5)
        for _ in range(50):
            hidden = tf.nn.relu(hidden)
        return hidden

    def step():
        nonlocal length
        epoch.extend([encode(), encode()])
        if len(epoch) == 100:
            kept.extend(epoch[::2])
            epoch.clear()
            length = min(length + 64, LONGEST)

    return step


def after_1():
    kept, epoch = [], []
    length = 16_384

    def encode():
        hidden = tf.pad(tf.fill([length], 0.5), [[0, LONGEST - length]])
        for _ in range(50):
            hidden = tf.nn.relu(hidden)
        return hidden

    def step():
        nonlocal length
        epoch.extend([encode(), encode()])
        if len(epoch) == 100:
            kept.extend(epoch[::2])
            epoch.clear()
            length = min(length + 64, LONGEST)

    return step


def before_2():
    """Spectrograms, widest last, of each the features kept and the rest dropped now and then."""
    features, rest = [], []
    width = 128

    def step():
        nonlocal width
        picture = tf.fill([128, width], 0.5)
        for _ in range(90):
            picture = tf.abs(picture)
        features.append(picture)
        rest.append(tf.abs(picture))
        if len(rest) == 40:
            rest.clear()
            width = min(width + 1, WIDEST)

    return step


def after_2():
    features, rest = [], []
    width = 128

    def step():
        nonlocal width
        picture = tf.pad(tf.fill([128, width], 0.5), [[0, 0], [0, WIDEST - width]])
        for _ in range(90):
            picture = tf.abs(picture)
        features.append(picture)
        rest.append(tf.abs(picture))
        if len(rest) == 40:
            rest.clear()
            width = min(width + 1, WIDEST)

    return step
