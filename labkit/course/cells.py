"""Cells that begin with ``%%diagnose`` or ``%%exercise``: their code runs alone, as a file.

``%%diagnose`` runs the cell's own ``make_step()`` in a fresh process; what an exercise makes of its
cell stands in `labkit.course.exercises`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labkit.bench.temporary import TemporaryFolder
from labkit.lab.own_loop.diagnose import diagnose, loop_source
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import ChoiceError, LabkitError

TITLE = "this cell"
FILE = "this_cell.py"
ALONE = (
    "A cell runs alone, in a fresh process: import in it what it uses, and make in it what it needs"
)
MAGIC = "diagnose"
OPTIONS = {"--steps": ("steps", int, "a whole number"), "--seconds": ("seconds", float, "a number")}


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


def run_cell(line: str, cell: str) -> Diagnosed:
    """Diagnose the loop that a cell defines.

    ``%%diagnose [--steps N] [--seconds S]`` stands in the cell's first line; the cell defines
    ``make_step() -> callable`` and imports what it needs: the names of the notebook are not there.

    Args:
        line: What follows the magic's name.
        cell: The rest of the cell.

    Raises:
        UsageError: If an option is none, or the cell defines no ``make_step``; IPython shows it as
            one sentence, without a traceback.
    """
    with in_one_sentence(), TemporaryFolder("cell") as folder:
        options = read_options(line)
        file = write_cell(folder, cell)
        loop_source(file)  # a file of one's own may be a script; a cell is not
        return retold(diagnose(file, title=TITLE, **options), file)


def read_options(line: str) -> dict[str, Any]:
    """Return the arguments that a magic's line stands for.

    Raises:
        LabkitError: If an option is not there, or its value is not a number.
    """
    words = line.replace("=", " ").split()
    found: dict[str, Any] = {}
    for option, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if option not in OPTIONS:
            raise ChoiceError(f"option of %%{MAGIC}", option, OPTIONS)
        name, kind, what = OPTIONS[option]
        try:
            found[name] = kind(value)
        except ValueError:
            raise LabkitError(
                f"{option} {value!r} is not allowed; give {what}, as in  %%{MAGIC} --steps 300."
            ) from None
    return found
