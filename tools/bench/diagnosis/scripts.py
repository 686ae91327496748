"""How right a diagnosis is of whole training scripts, those of tests/scripts.

Usage: python -m tools.bench.diagnosis.scripts [known|held_out|unseen|newest|NAME]... Else known.

Each script is diagnosed by `labkit diagnose --json` in a copy of its folder, as a reader does it.
What was said goes to bench-out/scripts.json, every miss to docs/measured/scripts.md.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.scripts.expected import ScriptTruth, scripts
from tools.bench.diagnosis.asked import Asked
from tools.bench.diagnosis.script_outcome import ScriptOutcome
from tools.bench.figure import Figure
from tools.markdown import table

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "bench-out" / "scripts.json"
MISSES = ROOT / "docs" / "measured" / "scripts.md"
GROUPS = {
    "known": "diagnosis of the known scripts",
    "held_out": "diagnosis of the held-out scripts",
    "unseen": "diagnosis of the unseen scripts",
    "newest": "diagnosis of the newest scripts",
}


ASKED: tuple[Asked[ScriptOutcome], ...] = (
    Asked("the steps are the right loop's turns", lambda one: one.step_right, 95),
    Asked("time label right", lambda one: one.label_right, 92),
    Asked("first finding is the cause", lambda one: one.cause_right, 88,
          among=lambda one: not one.truth.healthy),
    Asked("and its line", lambda one: one.line_right, 85,
          among=lambda one: not one.truth.healthy),
    Asked("leak found", lambda one: one.leak_told, 90, among=lambda one: one.truth.leaks),
    Asked("leak claimed where nothing is kept", lambda one: one.leak_told, 5, False,
          among=lambda one: not one.truth.leaks),
    Asked("nothing found in a healthy one", lambda one: one.quiet, 100,
          among=lambda one: one.truth.healthy and not one.truth.mended),
    Asked("nothing found in a mended twin", lambda one: one.quiet, 95,
          among=lambda one: one.truth.mended),
)  # fmt: skip


def diagnosed(wanted: Sequence[ScriptTruth]) -> Iterator[ScriptOutcome]:
    """Diagnose scripts one after the other; one that fails is an outcome like others."""
    for truth in wanted:
        with tempfile.TemporaryDirectory() as folder:
            place = shutil.copytree(truth.folder, Path(folder) / truth.group)
            named = ["-m", truth.module] if truth.module else [f"{truth.name}.py"]
            command = [sys.executable, "-m", "labkit", "diagnose", "--json", *named]
            began = time.monotonic()
            ended = subprocess.run(
                [*command, "--", *truth.arguments], cwd=place, capture_output=True, text=True
            )
            seconds = time.monotonic() - began
        try:
            said, error = json.loads(ended.stdout), ""
        except ValueError:
            said, error = None, (ended.stderr.strip().splitlines() or ["nothing was printed"])[-1]
        yield ScriptOutcome(truth, said, seconds, error)


def scored(group: str, outcomes: Sequence[ScriptOutcome]) -> list[Figure]:
    """Return the figures of some outcomes."""
    return [figure for asked in ASKED if (figure := asked.figure(group, outcomes))]


def misses(outcomes: Sequence[ScriptOutcome]) -> str:
    """Return every script, what was said of it and what of that is wrong, as a table."""
    rows = [["script", "steps are the turns of", "time", "first finding", "its line", "wrong"]]
    for each in outcomes:
        wrong = "; ".join(each.misses())
        rows.append([f"`{each.truth.name}`", each.step, each.label, each.first, each.line, wrong])
    return table(rows)


def measure() -> list[Figure]:
    """Return the figures of all sets, and write what was said of each script."""
    figures, pages = [], []
    for group, title in GROUPS.items():
        outcomes = list(diagnosed(scripts(group)))
        figures += scored(title, outcomes)
        pages.append(f"## What was said of each: {title}\n\n{misses(outcomes)}\n")
    MISSES.write_text("\n".join(pages))
    return figures


def main(named: Sequence[str]) -> int:
    """Diagnose the sets or scripts named; return how many were told something wrong, up to 1."""
    every = {truth.name: truth for group in GROUPS for truth in scripts(group)}
    wanted: list[ScriptTruth] = []
    for name in named or ["known"]:
        wanted += scripts(name) if name in GROUPS else [every[name]]
    outcomes = []
    for outcome in diagnosed(wanted):
        print(outcome, flush=True)
        outcomes.append(outcome)
    for figure in scored("", outcomes):
        print(f"{figure.name}: {figure.note} ({figure.value:.0f} %, goal {figure.goal:.0f})")
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps([{"script": each.truth.name, "misses": each.misses(),
                                 "said": each.said} for each in outcomes], indent=1))  # fmt: skip
    return int(any(each.misses() for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
