"""Measures everything, or the groups named, and writes the tables.

Usage: python -m tools.bench [GROUP]...     Without a group, all of GROUPS.

Prints one table and writes bench-out/figures.json; a run of all groups also writes
docs/benchmarks.md. It never fails because of a figure.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

from tools.bench.figure import Figure
from tools.bench.machine import machine
from tools.bench.table import page, terminal

GROUPS = ("recording", "starts", "updates", "page", "verdicts", "busy")
ROOT = Path(__file__).parents[2]
COMMAND = "python -m tools.bench"


def main(wanted: list[str]) -> int:
    """Measure the groups wanted, or all; return the exit status."""
    unknown = [name for name in wanted if name not in GROUPS]
    if unknown:
        print(f"There is no group {unknown[0]!r}; choose from {', '.join(GROUPS)}.")
        return 2
    facts = machine()
    figures: list[Figure] = []
    failed: list[str] = []
    for name in wanted or GROUPS:
        began = time.monotonic()
        print(f"measuring {name} ...", end="", flush=True)
        try:
            figures += import_module(f"tools.bench.{name}").measure()
        except Exception:  # the other groups are worth having all the same
            traceback.print_exc()
            failed.append(name)
        print(f" {time.monotonic() - began:.0f} s")
    print(f"\n{terminal(figures)}\n")
    print("; ".join(f"{name} {value}" for name, value in facts.items()))
    _write(figures, facts)
    if not wanted and not failed:
        (ROOT / "docs").mkdir(exist_ok=True)
        (ROOT / "docs" / "benchmarks.md").write_text(page(figures, facts, COMMAND))
    if failed:
        print(f"Could not be measured: {', '.join(failed)}.")
    return 1 if failed else 0


def _write(figures: list[Figure], facts: dict[str, str]) -> None:
    folder = ROOT / "bench-out"
    folder.mkdir(exist_ok=True)
    told = [{**dataclasses.asdict(figure), "reached": figure.mark or None} for figure in figures]
    text = json.dumps({"machine": facts, "figures": told}, indent=2)
    (folder / "figures.json").write_text(text + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
