"""Runs each toggle of each lab on the processor and on the graphics card, and compares.

    python -m tools.device_toggles [--at-once N] [--out FILE.json] [CAUSE...]

Each toggle is flipped by itself. What is counted in the steps must be the same on both; what is
not, and every run that fails on one of them alone, is printed. So many runs share the machine that
their times say little: `labkit run all` measures those.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from labkit.bench.bench import Bench
from labkit.bench.supervision.limits import Limits
from labkit.cause import Cause
from labkit.causes import SLUGS, load
from labkit.record import LabkitError, Run

DEVICES = ("cpu", "gpu")
MOST_STEPS = 400
WALL_SECONDS = 12.0
# What depends on when something happens, not on what the loop does.
BY_THE_CLOCK = ("gc_", "garbage", "resident", "network", "bytes", "switches", "faults", "threads")
APART = 0.05


@dataclass(frozen=True)
class Outcome:
    """What a run on one device came to.

    Args:
        state: How it ended, with the reason where there is one.
        steps: How many steps there are.
        median_ms: How long one takes, the first left out.
        counted: By counter, how much a step of the second half adds.
    """

    state: str
    steps: int
    median_ms: float
    counted: dict[str, float]


@dataclass(frozen=True)
class Flip:
    """One toggle that is flipped; no name: none is."""

    cause: str
    toggle: str = ""
    value: str = ""

    def __str__(self) -> str:
        return f"{self.cause}: {self.toggle} {self.value}" if self.toggle else self.cause


def flips(slugs: Sequence[str]) -> Iterator[Flip]:
    """Yield each cause as it is, and with each other value of each toggle."""
    for slug in slugs:
        yield Flip(slug)
        for toggle in load(slug).toggles:
            for value in toggle.choices:
                if value != toggle.default:
                    yield Flip(slug, toggle.name, value)


def outcome(bench: Bench, cause: Cause, flip: Flip, device: str) -> Outcome:
    """Run one and return what it came to; an error in words where it cannot be run."""
    toggles = {flip.toggle: flip.value} if flip.toggle else {}
    steps = min(MOST_STEPS, cause.expectation.steps)
    try:
        limits = Limits(wall_seconds=WALL_SECONDS, memory_bytes=8_000_000_000)
        session = bench.start(
            flip.cause, toggles=toggles, steps=steps, device=device, limits=limits
        )
    except LabkitError as error:
        return Outcome(f"refused: {error}", 0, float("nan"), {})
    session.wait()
    run = session.snapshot()
    told = " ".join(filter(None, (run.state.name, run.state.reason)))
    seconds = np.array(run.steps.seconds)[1:]
    median = 1e3 * float(np.median(seconds)) if len(seconds) else float("nan")
    return Outcome(told, len(run.steps), median, _counted(run))


def _counted(run: Run) -> dict[str, float]:
    counts = {}
    for column in run.columns:
        by_the_clock = any(word in column.name for word in BY_THE_CLOCK)
        if column.kind != "counter" or by_the_clock or len(run.steps) < 4:
            continue
        values = np.array(run.steps.column(column.name))[len(run.steps) // 2 :]
        if np.isfinite(values).all():
            counts[column.name] = float(values[-1] - values[0]) / (len(values) - 1)
    return counts


def differences(one: Outcome, other: Outcome) -> list[str]:
    """Say what differs between two devices."""
    if one.state.split()[0] != other.state.split()[0]:
        return [
            f"{device} {each.state}" for device, each in zip(DEVICES, (one, other), strict=True)
        ]
    if one.steps != other.steps:  # time was up on one of them: what grows less and less differs
        return []
    return [
        f"{name} {one.counted[name]:.3g} and {other.counted[name]:.3g} per step"
        for name in one.counted.keys() & other.counted.keys()
        if abs(one.counted[name] - other.counted[name])
        > APART * max(abs(one.counted[name]), abs(other.counted[name])) + APART / 10
    ]


def main(arguments: Sequence[str]) -> int:
    """Run what was asked for; return 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("causes", nargs="*", choices=SLUGS, metavar="CAUSE")
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args(arguments)
    wanted = [(flip, device) for flip in flips(asked.causes or SLUGS) for device in DEVICES]
    bench = Bench()
    try:
        with ThreadPoolExecutor(asked.at_once) as pool:
            told = dict(
                zip(
                    wanted,
                    pool.map(lambda each: outcome(bench, load(each[0].cause), *each), wanted),
                    strict=True,
                )
            )
    finally:
        bench.close()
    differing = 0
    for flip in dict.fromkeys(flip for flip, _ in wanted):
        found = differences(told[flip, "cpu"], told[flip, "gpu"])
        differing += bool(found)
        for each in found:
            print(f"{flip}: {each}", flush=True)
    print(f"{len(told)} runs of {len(wanted) // 2} settings; {differing} settings differ")
    if asked.out:
        asked.out.write_text(
            json.dumps([{"flip": str(f), "device": d, **asdict(o)} for (f, d), o in told.items()])
        )
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
