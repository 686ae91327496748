"""Diagnoses of runs made up of stretches, each with a verdict of its own."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.record import Diagnosis, Event, Run, State, Steps, Verdict
from labkit.record.verdict import Label


def verdict(label: Label, first: float, last: float, **more: object) -> Verdict:
    """Return the verdict on 300 steps with ten of warm-up."""
    growth = last / first - 1
    told = {"steps": 300, "warmup_steps": 10, **more}
    return Verdict(label, growth, growth, growth, first_seconds=first, last_seconds=last, **told)  # type: ignore[arg-type]


def diagnosis(
    *verdicts: Verdict,
    flips: tuple[int, ...] = (),
    seconds: Sequence[float] = (),
    flip: str = "grow off",
) -> Diagnosis:
    """Return what was said of a run whose toggle was flipped at these steps."""
    seconds = seconds or [1.0] * (300 * len(verdicts))
    steps = Steps({"start_seconds": range(len(seconds)), "seconds": seconds})
    events = tuple(Event(at, "toggle", flip, {"name": "grow", "value": False}) for at in flips)
    run = Run("mine", "Mine", State("done"), (), steps, {"grow": True}, events=events)
    return Diagnosis(run, run, verdicts)
