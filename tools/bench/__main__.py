"""Measures everything, or the groups named, and writes the tables.

Usage: python -m tools.bench [GROUP]...     Without a group, all of PAGES.

Prints one table and keeps the newest figures of every group, with their machine, in
docs/measured/figures.json. The tables of a page of docs are written anew when one of its groups was
measured; it names those that were measured elsewhere, or never. It never fails because of a figure.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from tools.bench.figure import Figure, terminal
from tools.bench.report import Kept, Page
from tools.machine import machine
from tools.markdown import write_below_mark

PAGES: Mapping[str, Page] = {
    "benchmarks.md": Page(
        "benchmarks",
        ("recording", "patches", "starts", "updates", "page", "classroom", "verdicts", "busy"),
    ),
    "diagnosis_figures.md": Page(
        "diagnosis", ("watching", "ledgers", "loops", "injected", "steady"), "confusion.md"
    ),
    "script_figures.md": Page("diagnosis", ("scripts", "script_cost"), "scripts.md"),
    "repairs_figures.md": Page("diagnosis", ("repairs",), "repairs.md"),
}
MODULES = {name: f"tools.bench.{each.folder}.{name}" for each in PAGES.values()
           for name in each.groups}  # fmt: skip
DOCS = Path(__file__).parents[2] / "docs"
MEASURED = DOCS / "measured"


def main(wanted: list[str]) -> int:
    """Measure the groups wanted, or all; return the exit status."""
    unknown = [name for name in wanted if name not in MODULES]
    if unknown:
        print(f"There is no group {unknown[0]!r}; choose from {', '.join(MODULES)}.")
        return 2
    facts = machine()
    known = Kept(MEASURED / "figures.json")
    done: dict[str, list[Figure]] = {}
    failed: list[str] = []
    for name in wanted or MODULES:
        began = time.monotonic()
        print(f"measuring {name} ...", end="", flush=True)
        try:
            done[name] = import_module(MODULES[name]).measure()
            # At once: a group takes up to an hour, and whoever stops the next must not lose it.
            known.add(name, done[name], facts)
        except Exception:  # the other groups are worth having all the same
            traceback.print_exc()
            failed.append(name)
        print(f" {time.monotonic() - began:.0f} s")
    figures = [figure for group in done.values() for figure in group]
    print(f"\n{terminal(figures)}\n")
    print("; ".join(f"{name} {value}" for name, value in facts.items()))
    for name, each in PAGES.items():
        if set(each.groups) & set(done):
            write_below_mark(DOCS / name, each.written(known, MEASURED))
    if failed:
        print(f"Could not be measured: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
