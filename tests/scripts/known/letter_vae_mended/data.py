"""Letters, drawn by chance."""

import numpy as np

from letter_vae_mended.model import PIXELS


class Letters:
    """Batches of black and white letters in many hands."""

    def __init__(self, seed, kinds=26):
        self.random = np.random.default_rng(seed)
        strokes = self.random.normal(size=(kinds, 6)) @ self.random.normal(size=(6, PIXELS))
        self.ink = 1 / (1 + np.exp(-strokes))

    def batch(self, size):
        kinds = self.random.integers(0, len(self.ink), size)
        return (self.random.random((size, PIXELS)) < self.ink[kinds]).astype("float32")
