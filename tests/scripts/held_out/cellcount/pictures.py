"""Pictures of bright cells on a dark field, made up on the way."""

import numpy as np

SIDE = 32


def blob(y, x, radius):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / (2 * radius**2))


def make_pictures(count, seed, most=12):
    rng = np.random.default_rng(seed)
    pictures = 0.1 * rng.random((count, SIDE, SIDE))
    counts = rng.integers(0, most + 1, count)
    for picture, cells in zip(pictures, counts, strict=True):
        for _ in range(cells):
            picture += blob(*rng.uniform(2, SIDE - 2, 2), rng.uniform(1.0, 2.0))
    return pictures[..., None].astype("float32"), counts.astype("float32")


def batches(pictures, counts, size, seed):
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(pictures))
        for start in range(0, len(order) - size + 1, size):
            rows = order[start : start + size]
            yield pictures[rows], counts[rows]
