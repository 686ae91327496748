"""Magics of a notebook: ``%diagnose train.py``, and cells that begin with ``%%diagnose``.

The first runs a script whole, the second the cell's own ``make_step()``, both in a fresh process;
what an exercise makes of its cell stands in `labkit.course.exercises`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from labkit.bench.script import Script
from labkit.bench.temporary import TemporaryFolder
from labkit.lab.own_loop.diagnose import diagnose, loop_source
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import script_limit
from labkit.lab.own_loop.script import diagnose_script
from labkit.record import ChoiceError, LabkitError

Options = Mapping[str, tuple[str, Callable[[str], object], str]]

TITLE = "this cell"
FILE = "this_cell.py"
ALONE = (
    "A cell runs alone, in a fresh process: import in it what it uses, and make in it what it needs"
)
MAGIC = "diagnose"
SECONDS = ("seconds", float, "a number")
OPTIONS: Options = {"--steps": ("steps", int, "a whole number"), "--seconds": SECONDS}
LINE_OPTIONS: Options = {
    "--seconds": SECONDS, "--step": ("step", str, "a line"), "--device": ("device", str, "a device")
}  # fmt: skip
WHOLE, MODULE = "--whole", "-m"


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
        options = read_options(line.split())
        file = write_cell(folder, cell)
        loop_source(file)  # a file of one's own may be a script; a cell is not
        return retold(diagnose(file, title=TITLE, **options), file)


def run_line(line: str) -> Diagnosed:
    """Diagnose a script, or a file that defines ``make_step()``.

    ``%diagnose [--seconds S] [--whole] [--step FILE:LINE] train.py -- ARGUMENTS``, or
    ``-m MODULE`` in place of the file, as in a terminal.

    Args:
        line: What follows the magic's name.

    Raises:
        UsageError: If an option is none, or there is no such file; IPython shows it as one
            sentence, without a traceback.
    """
    with in_one_sentence():
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise LabkitError(f"%{MAGIC} {line} cannot be read ({error}).") from error
        at = words.index("--") if "--" in words else len(words)
        own, arguments = words[:at], words[at + 1 :]
        whole = WHOLE in own
        own = [word for word in own if word != WHOLE]
        module = own[own.index(MODULE) + 1 : own.index(MODULE) + 2] if MODULE in own else []
        named = module or [word for word in own if word.endswith(".py")][:1]
        if not named:
            raise LabkitError(f"Nothing to diagnose was named, as in  %{MAGIC} train.py -- -e 3.")
        rest = [word for word in own if word not in (*named, MODULE)]
        options = read_options(rest, LINE_OPTIONS, f"%{MAGIC}")
        if not module:
            return diagnose(named[0], args=arguments, whole=whole, **options)
        limit = script_limit(options.pop("seconds", None), whole=whole)
        asked = Script(
            named[0], tuple(arguments), module=True, device=options.pop("device", "auto")
        )
        return diagnose_script(asked, seconds=limit, **options)


def read_options(
    line: Iterable[str], known: Options = OPTIONS, magic: str = f"%%{MAGIC}"
) -> dict[str, Any]:
    """Return the arguments that a magic's line stands for.

    Args:
        line: Its words, as ``--steps``, ``300`` or ``--steps=300``.
        known: The options it has.
        magic: Its name, for errors.

    Raises:
        LabkitError: If an option is not there, or its value is not a number.
    """
    parts = (each.split("=", 1) if each.startswith("--") else [each] for each in line)
    words = [*chain.from_iterable(parts)]
    found: dict[str, Any] = {}
    for option, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if option not in known:
            raise ChoiceError(f"option of {magic}", option, known)
        name, kind, what = known[option]
        try:
            found[name] = kind(value)
        except ValueError:
            raise LabkitError(
                f"{option} {value!r} is not allowed; give {what}, as in  {magic} {option} 300."
            ) from None
    return found
