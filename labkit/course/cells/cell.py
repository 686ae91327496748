"""Python that stands in a notebook's cell, and runs as a file in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import LabkitError

TITLE = "this cell"
FILE = "this_cell.py"
ALONE = (
    "A cell runs alone, in a fresh process: import in it what it uses, and make in it what it needs"
)


def write_cell(folder: str, code: str) -> Path:
    """Write a cell's code to a file and return its path.

    Args:
        folder: Where.
        code: What follows the magic in the cell's first line.
    """
    file = Path(folder) / FILE
    # The magic has the cell's first line, and tracebacks must name the lines that are seen.
    file.write_text(f"\n{code}", encoding="utf-8")
    return file


def retold(said: Diagnosed, file: Path) -> Diagnosed:
    """Return what was said of the file as said of the cell."""
    return Diagnosed(said.diagnosis.renamed({str(file): TITLE, FILE: TITLE}, ALONE))


@contextmanager
def in_one_sentence() -> Iterator[None]:
    """Turn labkit's errors into IPython's, which are shown as one sentence, without a traceback."""
    from IPython.core.error import UsageError

    try:
        yield
    except LabkitError as error:
        raise UsageError(str(error).replace(FILE, TITLE)) from None
