"""Minutes: how long each notebook takes. Counts what it asks of a learner, and runs it.

    python -m tools.minutes                 runs all notebooks, one after the other (many minutes)
    python -m tools.minutes NOTEBOOK...     runs these; of the others the last figures stand

Writes docs/teaching/minutes.md. Runs on two processors and without a browser, as the tests do.
"""

from __future__ import annotations

import ast
import math
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tools.machine import machine
from tools.markdown import machine_table, table, write_below_mark
from tools.notebook_form import chosen, read, without_magics

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "teaching" / "minutes.md"
CORES = 2
CELL_SECONDS = 120
# docs/teaching/minutes.md states the rule.
WORDS_A_MINUTE = 130
PREDICTION_MINUTES = QUIZ_MINUTES = 1
EXERCISE_MINUTES = 5
TITLES = (
    "notebook", "all cells run", "words", "predictions", "exercises",
    "minutes without exercises", "minutes in all",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What a notebook asks of a learner.

    Args:
        words: Of its text, code and quiz left out.
        predictions: How many are to be made.
        quizzes: How many forms of questions stand in it.
        exercises: Loops to repair, or to find out about.
    """

    words: int
    predictions: int
    quizzes: int
    exercises: int

    def minutes(self, seconds: float, *, exercises: bool = True) -> int:
        """Return the whole minutes that it takes, rounded up; its cells run for some seconds."""
        read = self.words / WORDS_A_MINUTE
        answered = self.predictions * PREDICTION_MINUTES + self.quizzes * QUIZ_MINUTES
        repaired = self.exercises * EXERCISE_MINUTES if exercises else 0
        return math.ceil(read + answered + repaired + seconds / 60)


@dataclass(frozen=True)
class Row:
    """One notebook in the table; without seconds it was not run."""

    name: str
    title: str
    asked: Asked
    seconds: float | None = None


def asked(notebook: Mapping[str, Any]) -> Asked:
    """Count what a notebook asks of a learner."""
    texts = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    code = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    calls = [call for source in code for call in _calls(source)]
    named = {name: [call for each, call in calls if each == name] for name, _ in calls}
    return Asked(
        words=sum(any(map(str.isalnum, word)) for text in texts for word in text.split()),
        predictions=sum(len(call.args) for call in named.get("predict", ())),
        quizzes=len(named.get("quiz", ())),
        exercises=len(named.get("mystery", ()))
        + sum(source.startswith("%%exercise ") for source in code),
    )


def _calls(source: str) -> list[tuple[str, ast.Call]]:
    """Return each call of a method in a cell, with the method's name."""
    return [
        (node.func.attr, node)
        for node in ast.walk(ast.parse(without_magics(source)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]


def row(path: Path, seconds: float | None = None) -> Row:
    """Return a notebook's row of the table."""
    notebook = read(path)
    title = notebook["cells"][0]["source"].splitlines()[0].removeprefix("# ")
    return Row(path.name, title, asked(notebook), seconds)


def page(rows: Sequence[Row], measured_on: Mapping[str, str]) -> str:
    """Return what is written into the page: a line for each notebook, and the machine."""
    return f"{table([TITLES, *map(_cells, rows)])}\n\n{machine_table(measured_on)}"


def _cells(each: Row) -> tuple[str, ...]:
    ran = each.seconds or 0.0
    return (
        f"[{each.name[:2]} {each.title}](../../notebooks/{each.name})",
        "not run" if each.seconds is None else f"{each.seconds:.0f} s",
        f"{each.asked.words:,}", str(each.asked.predictions), str(each.asked.exercises),
        str(each.asked.minutes(ran, exercises=False)), str(each.asked.minutes(ran)),
    )  # fmt: skip


def run_seconds(path: Path) -> float:
    """Run all cells of a notebook in a folder of its own, and return how long that took.

    Raises:
        nbclient.exceptions.CellExecutionError: If a cell raises.
        nbclient.exceptions.CellTimeoutError: If a cell runs for more than two minutes.
    """
    from nbclient import NotebookClient
    from nbformat import NotebookNode

    with tempfile.TemporaryDirectory(prefix="labkit-minutes-") as folder:
        client = NotebookClient(
            cast(NotebookNode, read(path)),
            timeout=CELL_SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        began = time.perf_counter()
        client.execute()
        return time.perf_counter() - began


def kept(text: str) -> dict[str, float]:
    """Return the seconds that a page says of each notebook: they stand for those not run anew."""
    rows = re.findall(r"\(\.\./\.\./notebooks/(\S+)\) \| (\d+) s \|", text)
    return {name: float(seconds) for name, seconds in rows}


def use_few_cores() -> None:
    """Hold this process, and what it starts, to two processors, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def main(wanted: Sequence[str]) -> int:
    """Run the notebooks that are wanted, all if none is named, and write the page."""
    paths = chosen(wanted)
    use_few_cores()
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    told = machine()
    seconds = {ROOT / "notebooks" / name: figure for name, figure in kept(text).items()}
    for path in paths:
        try:
            seconds[path] = run_seconds(path)
        except Exception as error:  # whatever broke off, a page about it would be wrong
            print(f"{path.name} broke off, so nothing was written; mend it first.\n{error}")
            return 1
        print(f"{path.name}: {seconds[path]:.0f} s", flush=True)
    rows = [row(path, seconds.get(path)) for path in chosen(())]
    write_below_mark(PAGE, page(rows, told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
