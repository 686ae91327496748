"""What it costs a script to be watched to its end: time, start and memory, beside other tools.

Each of five scripts is run alone, by `labkit diagnose --whole`, and by scalene and memray where
they are installed, in turn; of several rounds the shortest counts, which others disturbed least.
The other tools are run once: scalene takes minutes for each. A training of two minutes is measured
besides: labkit looks often at first and then ever more rarely, so a short one pays the most.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean, geometric_mean

from tests.scripts.expected import FOLDER
from tools.bench.figure import Figure

GROUP = "what watching a script costs"
SCRIPTS = (
    "gaussian_gan_mended", "texture_head_mended", "augmented_digits_mended",
    "memory_bank_mended", "two_stage_shapes_mended",
)  # fmt: skip
ROUNDS = 3
# A difference of two times of some seconds: of three rounds each, one run said 0.1 s, and twelve by
# hand 0.8.
START_ROUNDS = 12
LONG, LONG_ARGUMENTS = "texture_head_mended", ("--steps", "5000")
PYTHON = sys.executable
ALONE = "alone"
WAYS: Mapping[str, Sequence[str]] = {
    ALONE: [PYTHON],
    "labkit diagnose --whole": [PYTHON, "-m", "labkit", "diagnose", "--whole"],
    "scalene": [PYTHON, "-m", "scalene", "run", "-o", "scalene.json"],
    "memray run": [PYTHON, "-m", "memray", "run", "-f", "-o", "memray.bin"],
}
OURS = (ALONE, "labkit diagnose --whole")
GOAL_PERCENT, GOAL_START_SECONDS, GOAL_BYTES = 3.0, 0.5, 60e6
NOTHING_TO_DO = "import tensorflow\n"


def measure() -> list[Figure]:
    """Return by how much each way makes the scripts longer, and what labkit takes besides.

    What labkit takes to start and to end has a goal of its own, so it is no part of its percents.
    """
    ways = {name: way for name, way in WAYS.items() if _is_there(way)}
    start = _shortest({name: ways[name] for name in OURS}, NOTHING_TO_DO, START_ROUNDS)
    (nothing_seconds, nothing_bytes), (seconds, held) = start.values()
    start_seconds = seconds - nothing_seconds
    figures = []
    for script in SCRIPTS:
        shortest = _shortest(ways, (FOLDER / "known" / f"{script}.py").read_text())
        alone, alone_bytes = shortest.pop(ALONE)
        for name, (seconds, most) in shortest.items():
            ours = name in OURS
            percent = 100 * ((seconds - start_seconds * ours) / alone - 1)
            whole = f"{100 * (seconds / alone - 1):.1f} % with start and end; " if ours else ""
            note = f"{alone:.1f} s alone; {whole}{(most - alone_bytes) / 1e6:+.0f} MB at most"
            goal = GOAL_PERCENT if ours else None
            figures.append(Figure(GROUP, f"{script}: {name}", percent, "%", goal, note))
    return [
        *figures,
        _of_minutes({name: ways[name] for name in OURS}, start_seconds),
        Figure(GROUP, "start and end of labkit", start_seconds, "s", GOAL_START_SECONDS),
        Figure(GROUP, "memory of labkit", (held - nothing_bytes) / 1e6, "MB", GOAL_BYTES / 1e6,
               "of a script that imports TensorFlow and does nothing"),
    ]  # fmt: skip


def _of_minutes(ways: Mapping[str, Sequence[str]], start_seconds: float) -> Figure:
    """Run both at once, each on a core of its own, and once more with the cores exchanged.

    Within minutes the speed of a shared machine changes by more than what is to be measured.
    """
    code = (FOLDER / "known" / f"{LONG}.py").read_text()
    cores = sorted(os.sched_getaffinity(0))[:2]
    ratios, alone_seconds = [], []
    for own in (cores, cores[::-1]):
        with ThreadPoolExecutor(2) as both:
            once = partial(_once, code=code, arguments=LONG_ARGUMENTS)
            (alone, _), (watched, _) = both.map(once, ways.values(), own)
        ratios.append((watched - start_seconds) / alone)
        alone_seconds.append(alone)
    named = " ".join((LONG, *LONG_ARGUMENTS))
    note = f"on one core, {fmean(alone_seconds):.0f} s alone"
    percent = 100 * (geometric_mean(ratios) - 1)
    return Figure(GROUP, f"{named}: {OURS[1]}", percent, "%", GOAL_PERCENT, note)


def _is_there(way: Sequence[str]) -> bool:
    return subprocess.run([*way[:3], "--help"], capture_output=True).returncode == 0


def _shortest(
    ways: Mapping[str, Sequence[str]], code: str, rounds: int = ROUNDS
) -> dict[str, tuple[float, float]]:
    """Return for each way the seconds of the shortest round and the most bytes of a process."""
    found: dict[str, tuple[float, float]] = {}
    for number in range(rounds):
        for name, way in ways.items():
            if number and name not in OURS:
                continue
            seconds, held = _once(way, code=code)
            before = found.get(name, (seconds, held))
            found[name] = min(seconds, before[0]), min(held, before[1])
    return found


def _once(
    way: Sequence[str], core: int | None = None, *, code: str, arguments: Sequence[str] = ()
) -> tuple[float, float]:
    """Run a script in one way, on one core perhaps; return seconds and the most bytes."""
    pinned = [] if core is None else ["taskset", "--cpu-list", str(core)]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "train.py").write_text(code)
        began = time.monotonic()
        done = subprocess.run(
            [*pinned, PYTHON, "-c", CHILD, *way, "train.py", *_passed_on(way, arguments)],
            cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        return time.monotonic() - began, 1024 * float(done.stdout.split()[-1])


def _passed_on(way: Sequence[str], arguments: Sequence[str]) -> Sequence[str]:
    return ("--", *arguments) if arguments and "labkit" in way else arguments


# Asks a process of its own for the largest of all that were below it.
CHILD = (
    "import resource, subprocess, sys; "
    "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
