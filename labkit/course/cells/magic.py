"""The cell magics: ``%%diagnose`` runs the cell's own ``make_step()`` in a fresh process, and
``%%exercise`` judges it as the repair of a loop.
"""

from __future__ import annotations

from typing import Any

from labkit.bench.temporary import TemporaryFolder
from labkit.course.cells.cell import TITLE, in_one_sentence, retold, write_cell
from labkit.course.exercises import attempt
from labkit.lab.own_loop.diagnose import diagnose
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import ChoiceError, LabkitError

MAGIC = "diagnose"
OPTIONS = {"--steps": ("steps", int, "a whole number"), "--seconds": ("seconds", float, "a number")}


def register(shell: Any) -> None:
    """Make ``%%diagnose`` and ``%%exercise`` known to an IPython shell.

    Args:
        shell: What ``get_ipython()`` returns.
    """
    shell.register_magic_function(run_cell, magic_kind="cell", magic_name=MAGIC)
    shell.register_magic_function(attempt.run_cell, magic_kind="cell", magic_name=attempt.MAGIC)


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
