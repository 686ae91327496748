"""Is it still true? Runs every cause on the TensorFlow at hand; joins such rows to a table.

    python -m tools.still_true run ROW.json         runs all causes here (minutes) and writes a row
    python -m tools.still_true table ROW.json...    writes docs/still_true.md from rows

`make test-full` does both: a row for each supported TensorFlow.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from labkit.bench.bench import Bench
from labkit.cause import Cause
from labkit.causes import every
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import fifths_ratio, missed
from labkit.lab.settings import run_limits
from labkit.record import Run
from labkit.show.titles import titled
from tools.markdown import table, write_below_mark

PAGE = Path(__file__).parent.parent / "docs" / "still_true.md"
# A shared machine may hide a ramp once; what fails three times is not there.
TIMES = 3
SECONDS = 60.0


def run_all() -> dict[str, Any]:
    """Run every cause at its defaults and return what was seen, with the versions."""
    cells: dict[str, dict[str, Any]] = {}
    environment: dict[str, Any] = {}
    with closing(Bench("auto")) as bench:
        for cause in every():
            for _ in range(TIMES):
                session = bench.start(cause.slug, limits=run_limits(SECONDS))
                session.wait()
                run = session.snapshot()
                short = missed(cause.expectation, run, judgement(run))
                if not short:
                    break
            cells[cause.slug] = {"seen": _seen(run, cause), "missed": short}
            environment = environment or dict(run.environment)
            print(f"{cause.slug}: {_cell(cells[cause.slug], no='no')}", flush=True)
    return {"environment": environment, "causes": cells}


def _seen(run: Run, cause: Cause) -> str:
    """Return what one run showed, in a few words for a table."""
    if len(run.steps) < 6:
        return run.state.reason or run.state.name
    judged = judgement(run)
    said = [judged.verdict.label.replace("_", " "), f"{fifths_ratio(run):.2f}x"]
    if judged.ledger.rows:
        said.append(
            f"{titled(judged.ledger, run.columns).rows[0].place} {judged.ledger.rows[0].share:.0%}"
        )
        said.append(f"explained {judged.ledger.explained:.0%}")
    titles = {column.name: column.title for column in run.columns}
    for name, rise in cause.expectation.per_step.items():
        said.append(f"{titles.get(name, name)} {rise:+g} per step" if rise else f"{name} at rest")
    for name, value in cause.expectation.holds.items():
        said.append(f"{titles.get(name, name)} {value:,.0f}")
    for name in cause.expectation.rises:
        values = run.values(name)
        said.append(f"{titles.get(name, name)} {values[0]:,.0f} to {values[-1]:,.0f}")
    return ", ".join(said)


def written(rows: Sequence[dict[str, Any]]) -> str:
    """Return what is written into the page: one line a cause, one column a TensorFlow.

    Args:
        rows: As `run_all` returns them.
    """
    rows = sorted(rows, key=_version)
    lines = [["cause", *(f"TensorFlow {row['environment']['tensorflow']}" for row in rows)]]
    for cause in every():
        lines.append([cause.slug, *(_cell(row["causes"].get(cause.slug)) for row in rows)])
    told = [
        f"- TensorFlow {facts['tensorflow']}, Python {facts['python']}, {facts['processor']}, "
        f"{facts['cores']} cores, {str(facts['started'])[:10]}"
        for facts in (row["environment"] for row in rows)
    ]
    return "\n".join([table(lines), "", "Where and when:", "", *told])


def _version(row: dict[str, Any]) -> list[int]:
    text = str(row["environment"]["tensorflow"])
    return [int(part) for part in text.split(".") if part.isdigit()]


def _cell(cell: dict[str, Any] | None, no: str = "**no**") -> str:
    if cell is None:
        return "not run"
    short = cell["missed"]
    verdict = f"{no}: {'; '.join(short)}" if short else "yes"
    return f"{verdict} ({cell['seen']})"


def main(arguments: Sequence[str]) -> int:
    """Run or join; return the exit status: 1 if a cause is not true any more."""
    command, *files = arguments or ("",)
    if command == "run" and len(files) == 1:
        row = run_all()
        Path(files[0]).write_text(json.dumps(row, indent=1) + "\n")
        return int(any(cell["missed"] for cell in row["causes"].values()))
    if command == "table" and files:
        write_below_mark(PAGE, written([json.loads(Path(file).read_text()) for file in files]))
        print(f"wrote {PAGE.name}")
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
