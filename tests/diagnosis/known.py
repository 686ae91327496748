"""Runs whose growth sits at known places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.record import Column, Event, Run, State, Steps

CLOCK = Column("seconds", "step", "s", "clock")


def made_run(places, *, rest=0.0, events=(), state="done", seed=1, noise=0.02):
    """Return a run whose step is the sum of its places and of a rest that nobody measured.

    Args:
        places: The true seconds at each place, by the name of its column.
        rest: True seconds outside all places; a number or one per step.
    """
    random = np.random.default_rng(seed)
    steps = len(next(iter(places.values())))
    measured = {
        title: np.asarray(seconds) * np.exp(random.normal(0, noise, steps))
        for title, seconds in places.items()
    }
    left = (rest + np.zeros(steps)) * np.exp(random.normal(0, noise, steps))
    total = sum(measured.values()) + left
    return run_of(total, measured, events=events, state=state)


def run_of(total, measured, *, events=(), state="done"):
    """Return a run of given step times and places, both in seconds."""
    columns = [CLOCK]
    data = {"start_seconds": np.cumsum(total) - total, "seconds": total}
    for name, seconds in measured.items():
        columns.append(Column(name, name, "s", "place"))
        data[name] = seconds
    return Run(
        "made", "Made", State(state), tuple(columns), Steps(data),
        toggles={"grow": True}, events=tuple(events),
    )  # fmt: skip


def rising(steps, first, last):
    """Seconds that grow by the same amount each step."""
    return np.linspace(first, last, steps)


def flip(step, value):
    """A flipped toggle."""
    word = "on" if value else "off"
    return Event(step, "toggle", f"grow {word}", {"name": "grow", "value": value})


def sampled(run, marks):
    """Return the run with a column that marks the steps that were looked at closely."""
    data = {name: np.asarray(run.steps.column(name)) for name in run.steps.names}
    return replace(
        run,
        columns=(*run.columns, Column("sampled", "looked at closely", "", "machine")),
        steps=Steps({**data, "sampled": np.asarray(marks, dtype=float)}),
    )
