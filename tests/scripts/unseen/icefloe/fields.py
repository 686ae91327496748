"""Made-up maps of wind and current, and the drift that follows from them."""
import numpy as np

SIDE = 12


def maps(seed, count):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    phase = rng.uniform(0, 2 * np.pi, (count, 4, 1, 1))
    scale = rng.uniform(0.5, 2.5, (count, 4, 1, 1))
    field = np.sin(scale * 6 * x + phase) * np.cos(scale * 5 * y - phase)
    field = np.moveaxis(field, 1, -1).astype(np.float32)
    drift = 0.03 * field[..., :2] + 0.6 * field[..., 2:]
    drift = drift + rng.normal(0, 0.02, drift.shape)
    return field, drift.astype(np.float32)
