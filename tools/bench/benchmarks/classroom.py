"""How long a class waits for its chart: a hundred run files, read, judged and drawn."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from labkit.course.classroom.classroom import classroom
from labkit.lab.lab import run
from labkit.record import save_run
from tools.bench.figure import Figure

FILES = 100
RECORDED = 4
GOAL_SECONDS = 5.0


def measure() -> list[Figure]:
    """Return the seconds from a folder of a hundred files to the chart."""
    with tempfile.TemporaryDirectory() as folder:
        recorded = [run("graph_growth", seed=seed) for seed in range(RECORDED)]
        for number in range(FILES):
            saved = Path(folder) / f"learner-{number:03}.jsonl"
            if number < RECORDED:
                save_run(recorded[number], saved)
            else:
                shutil.copyfile(Path(folder) / f"learner-{number % RECORDED:03}.jsonl", saved)
        began = time.perf_counter()
        shown = classroom(folder)
        picture = shown.picture
        taken = time.perf_counter() - began
        assert len(shown.members) == FILES and picture.png
    steps = len(recorded[0].steps)
    note = f"of {steps} steps each; {RECORDED} real runs, copied"
    name = f"{FILES} run files to one chart"
    return [Figure("the class chart", name, taken, "s", GOAL_SECONDS, note)]
