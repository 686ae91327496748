"""The page about small machines says what was measured, and the README its largest figure.

Its runs are `python -m tools.small_machine`; each cause alone on one core is asked in
tests/causes/test_small_machine.py. Tier: make test.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.small_machine import (
    LARGEST,
    LIMIT_BYTES,
    PAGE,
    README,
    TITLES,
    Peak,
    in_readme,
    page,
)

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
PEAKS = {
    "01_b.ipynb": Peak(1_234_000_000, 700_000_000, 61.2, 0, 1),
    "00_a.ipynb": Peak(900_000_000, 500_000_000, 9.6, 2),
}


def test_the_page_has_a_line_for_each_notebook_and_names_the_machine() -> None:
    names = ["00_a.ipynb", "01_b.ipynb", "02_c.ipynb"]
    lines = page(names, PEAKS, {"processor": "a processor"}).splitlines()
    rows = [line.partition(".ipynb) | ")[2] for line in lines if line.startswith("| [")]
    assert rows == [
        "0.90 GB | 0.50 GB | 10 s | 2 | not limited |",
        "1.23 GB | 0.70 GB | 61 s | 0 | 1 |",
        "not run |  |  |  |  |",
    ]
    assert "| [02_c](../notebooks/02_c.ipynb) | not run |  |  |  |  |" in lines
    assert "| processor | a processor |" in lines


def test_the_readme_gets_the_largest_figure_and_keeps_all_else() -> None:
    text = "Before, the largest lab takes 0.10 GB (see), after 0.10 GB."
    made = in_readme(text, PEAKS.values())
    assert made == "Before, the largest lab takes 1.23 GB (see), after 0.10 GB."


def test_the_readme_says_what_the_page_says_of_every_notebook() -> None:
    text = PAGE.read_text()
    listed = re.findall(r"^\| \[(\w+)\]\(\.\./notebooks/", text, re.MULTILINE)
    assert listed == [path.stem for path in NOTEBOOKS]
    sizes = re.findall(r"^\| \[\w+\]\(\S+\) \| ([\d.]+) GB", text, re.MULTILINE)
    largest = max(float(size) for size in sizes)
    (said,) = LARGEST.findall(README.read_text())
    assert said.endswith(f" takes {largest:.2f} GB") and largest * 1e9 <= LIMIT_BYTES


def test_the_page_was_measured_as_today_and_every_cell_ran() -> None:
    text = PAGE.read_text()
    assert f"| {' | '.join(TITLES)} |" in text
    rows = re.findall(r"^\| \[\w+\]\(\.\./notebooks/.* \| (\w+) \| ([\w ]+) \|$", text, re.M)
    assert len(rows) == len(NOTEBOOKS)
    assert set(rows) == {("0", "0")}, "a cell raised, or the limit was not held or ended a process"
