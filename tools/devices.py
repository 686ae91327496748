"""Prints the runs of `labkit run all --out FOLDER` as a table: processor and graphics card.

Usage: python -m tools.devices FOLDER

Where a verdict says that steps became slower, its levels are told, else the median step.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Run, load_run
from labkit.show.verdict.verdict_words import number

ON_CARD = "-gpu"


def main(folder: str) -> int:
    """Print the table; return the exit status."""
    rows = []
    for slug in SLUGS:
        files = [Path(folder, f"{slug}{suffix}.jsonl") for suffix in ("", ON_CARD)]
        if not all(file.exists() for file in files):
            print(f"{folder} lacks a run of {slug} on one of both devices.", file=sys.stderr)
            return 1
        runs = [load_run(file) for file in files]
        rows.append(f"| {load(slug).title} | {' | '.join(map(_levels, runs))} |")
    card = runs[1].environment["gpu"]
    print(f"| ms per step | on the processor | on the {card} |\n|---|---|---|")
    print("\n".join(rows))
    return 0


def _levels(run: Run) -> str:
    verdict = judgement(run).verdict
    if verdict.slower and verdict.first_seconds and verdict.last_seconds and verdict.growth:
        first, last = number(1e3 * verdict.first_seconds), number(1e3 * verdict.last_seconds)
        return f"{first} to {last} ({1 + verdict.growth:.1f}x)"
    return number(1e3 * median(run.steps.seconds[verdict.warmup_steps :]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
