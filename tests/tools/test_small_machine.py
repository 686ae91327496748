"""The page about small machines says what was measured, and the README its largest figure.

Its runs are `python -m tools.small_machine`; each cause alone on one core is asked in
tests/causes/test_small_machine.py. Tier: make test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tools.memory_watch import LOOK_SECONDS, MemoryWatch
from tools.small_machine import (
    INTRODUCTION,
    LARGEST,
    LIMIT_BYTES,
    PAGE,
    README,
    TITLES,
    Peak,
    in_readme,
    main,
    page,
)

ROOT = Path(__file__).parents[2]
PEAKS = {
    "01_b.ipynb": Peak(1_234_000_000, 700_000_000, 61.2, 0, 1),
    "00_a.ipynb": Peak(900_000_000, 500_000_000, 9.6, 2),
}
SIZE = 60_000_000


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
    made = in_readme(text, [*PEAKS], PEAKS)
    assert made == "Before, the largest lab takes 1.23 GB (see), after 0.10 GB."


def test_as_long_as_not_all_were_run_the_readme_says_how_many() -> None:
    text = "It is the largest lab takes 0.10 GB."
    some = in_readme(text, [*PEAKS, "02_c.ipynb"], PEAKS)
    assert some == "It is the largest of the 2 labs run so far takes 1.23 GB."
    assert in_readme(some, [*PEAKS], PEAKS) == "It is the largest lab takes 1.23 GB."


def test_the_readme_says_what_the_page_says_of_every_notebook() -> None:
    text = PAGE.read_text()
    listed = re.findall(r"^\| \[(\w+)\]\(\.\./notebooks/", text, re.MULTILINE)
    assert listed == [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    sizes = re.findall(r"^\| \[\w+\]\(\S+\) \| ([\d.]+) GB", text, re.MULTILINE)
    largest = max(float(size) for size in sizes)
    (said,) = LARGEST.findall(README.read_text())
    assert said.endswith(f" takes {largest:.2f} GB") and largest * 1e9 <= LIMIT_BYTES
    assert ("so far" in said) == (len(sizes) < len(listed))


def test_the_page_was_measured_under_todays_limits_and_every_cell_ran() -> None:
    text = PAGE.read_text()
    assert text.startswith(INTRODUCTION) and f"| {' | '.join(TITLES)} |" in text
    rows = re.findall(r"^\| \[\w+\]\(\.\./notebooks/.* \| (\w+) \| ([\w ]+) \|$", text, re.M)
    assert len(rows) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert set(rows) == {("0", "0")}, "a cell raised, or the limit was not held or ended a process"


@pytest.fixture
def holder() -> Iterator[subprocess.Popen[str]]:
    """A process of its own that holds some memory."""
    program = f"import os, sys; held = os.urandom({SIZE}); print(len(held), flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline()
    yield child
    child.kill()
    child.communicate()


def looked(root: int) -> MemoryWatch:
    """Watch a process and its children until they have been seen once."""
    watch = MemoryWatch([root])
    deadline = time.monotonic() + 30
    while not watch.total_bytes:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    watch.close()
    return watch


@pytest.mark.skipif(not psutil.LINUX, reason="only Linux tells how pages are shared")
def test_the_memory_of_children_is_counted_and_that_of_parents_is_not(
    holder: subprocess.Popen[str],
) -> None:
    own = psutil.Process().memory_full_info().pss
    assert looked(os.getpid()).total_bytes > own + 0.9 * SIZE
    assert 0.9 * SIZE < looked(holder.pid).total_bytes < 0.9 * SIZE + own


def test_a_process_that_ends_is_passed_over_and_its_figure_kept(
    holder: subprocess.Popen[str],
) -> None:
    watch = MemoryWatch([holder.pid, os.getpid()])
    deadline = time.monotonic() + 30
    while not watch.total_bytes:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    before = watch.total_bytes
    holder.kill()
    holder.wait()
    time.sleep(2.5 * LOOK_SECONDS)  # long enough for two more looks
    watch.close()
    assert watch.total_bytes >= before > 0.9 * SIZE


def test_a_notebook_that_is_not_there_is_refused_before_anything_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["99_nothing.ipynb"]) == 2
    assert "'99_nothing.ipynb' is no notebook" in capsys.readouterr().out
