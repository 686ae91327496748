"""Whether the repairs that labkit prints work: each was put into two loops of tests/repairs.

Usage: python -m tools.bench.diagnosis.repairs [CODE]...     Default: every repair.

Each loop is diagnosed as it is, where the repair must be what is printed, and with the repair put
in, where the cause must be gone. What was said is kept in bench-out/repairs.json, and the newest of
every loop makes the table in docs/measured/repairs.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from labkit.record import Diagnosis
from labkit.show.report.fixes import FIXES
from tests.repairs.pairs import Pair, pairs
from tools.bench.diagnosis.asked import Asked
from tools.bench.diagnosis.repair_outcome import RepairOutcome, Said, said_of
from tools.bench.figure import Figure
from tools.markdown import table

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "bench-out" / "repairs.json"
PAGE = ROOT / "docs" / "measured" / "repairs.md"
GROUP = "the repairs that are printed"
# A fault is mostly told sooner. What is quiet would be watched for as long as it may: with a
# hundred loops that is an hour, and a leak of a few bytes a step shows after some seconds as well.
BEFORE_SECONDS, AFTER_SECONDS = 50.0, 8.0
# Takes the path of a loop, and for how many seconds it may run.
Diagnose = Callable[[str, float], Diagnosis]

ASKED: tuple[Asked[RepairOutcome], ...] = (
    Asked("fix told: it is what is printed", lambda one: one.told, 100),
    Asked("fix works: with it the cause is gone", lambda one: one.works, 100),
)


def ours() -> Diagnose:
    """Return the diagnosis that `labkit diagnose` makes; a loop may well end by its fault."""
    whole = import_module("labkit.lab.own_loop.diagnose").diagnose

    def diagnose(path: str, seconds: float) -> Diagnosis:
        found: Diagnosis = whole(path, seconds=seconds).diagnosis
        return found

    return diagnose


def diagnosed(wanted: Sequence[Pair], diagnose: Diagnose) -> Iterator[RepairOutcome]:
    """Diagnose both loops of each pair; one that fails is an outcome like others."""
    for pair in wanted:
        before = _said(pair.before, BEFORE_SECONDS, diagnose)
        after = _said(pair.after, AFTER_SECONDS, diagnose)
        yield RepairOutcome(pair.fix, pair.number, pair.loop, before, after)


def _said(source: str, seconds: float, diagnose: Diagnose) -> Said:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loop.py"
        path.write_text(source, encoding="utf-8")
        try:
            return said_of(diagnose(str(path), seconds))
        except Exception as raised:  # the other loops are worth having all the same
            return Said(error=f"{type(raised).__name__}: {raised}")


def known(path: Path) -> list[RepairOutcome]:
    """Return the newest outcome of every pair, in the order of the repairs."""
    told = json.loads(path.read_text()) if path.is_file() else []
    outcomes = [RepairOutcome.of(each) for each in told if each["fix"] in FIXES]
    order = list(FIXES)
    return sorted(outcomes, key=lambda one: (order.index(one.fix), one.number))


def keep(outcome: RepairOutcome, path: Path) -> None:
    """Put an outcome in the place of the older one of its pair."""
    others = [one for one in known(path) if (one.fix, one.number) != (outcome.fix, outcome.number)]
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps([asdict(one) for one in (*others, outcome)], indent=1) + "\n")


def written(outcomes: Sequence[RepairOutcome]) -> str:
    """Return the table, a row a pair."""
    rows = [
        ["repair", "loop", "found before", "step before", "step after",
         "kept per step before", "kept per step after", "works"],
        *(one.row() for one in outcomes),
    ]  # fmt: skip
    return f"## Each repair, put into two loops\n\n{table(rows, right=(3, 4, 5, 6))}\n"


def measure(named: Sequence[str] = (), diagnose: Diagnose | None = None) -> list[Figure]:
    """Return how many of the repairs named, or of all, are told and work; write the table."""
    wanted = [pair for fix in named or FIXES for pair in pairs(fix)]
    outcomes = []
    for outcome in diagnosed(wanted, diagnose or ours()):
        print(f"\n{outcome}", file=sys.stderr, flush=True)
        keep(outcome, KEPT)
        outcomes.append(outcome)
    if not named:  # what was tried alone must not take the others' rows along
        PAGE.write_text(written(known(KEPT)), encoding="utf-8")
    return [figure for asked in ASKED if (figure := asked.figure(GROUP, outcomes))]


def main(named: Sequence[str]) -> int:
    """Try the repairs named, or all; return 1 where one is not told or does not work."""
    figures = measure(named)
    for figure in figures:
        print(f"{figure.name}: {figure.note}")
    return int(any(figure.value < 100 for figure in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
