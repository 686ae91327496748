"""Runs as a diagnosis records them, whose cause is known because it was put in."""

from __future__ import annotations

import numpy as np

from labkit.record import Column, Run, State, Steps

EVERY = 10
STEPS = 400


def ramp(first, last, steps=STEPS):
    """Return what grows by the same amount each step."""
    return np.linspace(first, last, steps)


def watched(places=None, *, rest=1e-3, counters=None, evidence=None, closing=None, state=None,
            seed=3, noise=0.02, steps=STEPS):  # fmt: skip
    """Return a run whose step is the sum of its places and of a rest that nobody measured.

    Args:
        places: The true seconds at each place, by the name of its column.
        rest: True seconds outside all places; a number, or one per step.
        counters: Values of counters, by the name of the column.
        evidence: What was read every tenth step, by name.
        closing: What was read once, at the end.
    """
    random = np.random.default_rng(seed)

    def noisy(seconds):
        return (np.asarray(seconds) + np.zeros(steps)) * np.exp(random.normal(0, noise, steps))

    measured = {name: noisy(seconds) for name, seconds in (places or {}).items()}
    total = noisy(rest) + sum(measured.values())
    data = {"start_seconds": np.cumsum(total) - total, "seconds": total, **measured}
    columns = [Column("seconds", "time of the step", "s", "clock")]
    columns += [Column(name, _title(name), "s", "place") for name in measured]
    for name, values in (counters or {}).items():
        data[name] = np.asarray(values) + np.zeros(steps)
        columns.append(Column(name, _title(name), name, "counter"))
    read = {
        name: tuple((step, float(values[step])) for step in range(0, steps, EVERY))
        for name, values in (evidence or {}).items()
    }
    read |= {name: ((steps, float(value)),) for name, value in (closing or {}).items()}
    return Run("made", "Made", state or State("done"), tuple(columns), Steps(data), evidence=read)


def _title(name):
    return name.removesuffix("_seconds").replace("_", " ")
