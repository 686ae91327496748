"""Runs whose growth sits at known places, and whose cause is known because it was put in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.diagnosis import examine
from labkit.record import Column, Event, Run, State, Steps

EVERY = 10
STEPS = 400


def ramp(first, last, steps=STEPS):
    """Return what grows by the same amount each step."""
    return np.linspace(first, last, steps)


def watched(places=None, *, rest=1e-3, counters=None, evidence=None, closing=None, state=None,
            events=(), seed=3, noise=0.02):  # fmt: skip
    """Return a run whose step is the sum of its places and of a rest that nobody measured.

    Args:
        places: The true seconds at each place, by the name of its column.
        rest: True seconds outside all places; a number, or one per step.
        counters: Values of counters, by the name of the column.
        evidence: What was read every tenth step, by name.
        closing: What was read once, at the end.
        events: What happened; the toggle `grow` is on at the start.
    """
    random = np.random.default_rng(seed)
    steps = next((len(each) for each in (rest, *(places or {}).values()) if np.ndim(each)), STEPS)

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
    return Run(
        "made", "Made", state or State("done"), tuple(columns), Steps(data),
        toggles={"grow": True}, events=tuple(events), evidence=read,
    )  # fmt: skip


def flip(step, value):
    """Return a flip of the toggle `grow`."""
    word = "on" if value else "off"
    return Event(step, "toggle", f"grow {word}", {"name": "grow", "value": value})


def causes(run, kind):
    """Return the causes that a diagnosis of a run names with a finding of this kind."""
    return [each.cause for each in examine(run).findings if each.kind == kind]


def timed(run, total, **places):
    """Return the run with other step times, and with other seconds at some of its places."""
    data = {name: np.asarray(run.steps.column(name)) for name in run.steps.names}
    data |= {"start_seconds": np.cumsum(total) - total, "seconds": np.asarray(total), **places}
    return replace(run, steps=Steps(data))


def sampled(run, marks):
    """Return the run with a column that marks the steps that were looked at closely."""
    data = {name: np.asarray(run.steps.column(name)) for name in run.steps.names}
    return replace(
        run,
        columns=(*run.columns, Column("sampled", "looked at closely", "", "machine")),
        steps=Steps({**data, "sampled": np.asarray(marks, dtype=float)}),
    )


def _title(name):
    return name.removesuffix("_seconds").replace("_", " ")
