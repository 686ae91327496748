"""Made-up runs of trams."""
import numpy as np

STOPS = 12
ABOUT_STOP = 5


def runs(rng, count):
    crowd = rng.gamma(2.0, 0.5, (count, STOPS))
    rain = rng.random((count, 1)) < 0.25
    light = rng.normal(0, 0.4, (count, STOPS))
    hour = rng.uniform(0, 1, (count, 1))
    gained = 0.5 * crowd + 0.3 * rain * crowd + 0.4 * np.clip(light, 0, None)
    gained = gained * (1 + 0.5 * np.sin(6.28 * hour)) - 0.5
    late = np.clip(gained, -0.5, None).cumsum(axis=1)
    x = np.stack([crowd, rain.repeat(STOPS, 1), light, hour.repeat(STOPS, 1),
                  np.linspace(0, 1, STOPS)[None].repeat(count, 0)], axis=-1)
    return x.astype(np.float32), (late + rng.normal(0, 0.1, late.shape)).astype(np.float32)
