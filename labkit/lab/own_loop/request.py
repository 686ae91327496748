"""What may be asked of a diagnosis, and of what kind a file is: all that is known before a run.

Nothing here needs what judges: a script is started first, and that is loaded meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from labkit.cause import names_defined
from labkit.lab.settings import check_seconds
from labkit.record import ChoiceError, LabkitError

# To start, to count once more what is kept and to clear up took 9 s where 38,000 files were left,
# and all of it is to be over within a minute.
LOOP_SECONDS = 50.0
SCRIPT_SECONDS = 300.0
DEFINES_A_LOOP = {"make_step", "CAUSE"}
# The alarms that a test may fail on.
KINDS = ("slowdown", "leaking")
# All of them must raise it: with one false alarm in twenty loops, one in 8,000 is left.
LOOPS = 3


def is_script(path: str | Path) -> bool:
    """Tell whether a file is a script, to be run whole: it defines neither a loop nor a cause.

    Raises:
        LabkitError: If there is no such file, or it is not Python.
    """
    return str(path).endswith(".py") and not names_defined(Path(path)) & DEFINES_A_LOOP


def script_limit(seconds: float | None, *, whole: bool) -> float | None:
    """Return how long a script may run at most; None for to its own end.

    Raises:
        LabkitError: If both were asked for, or the limit is not from 1 to 3,600 s.
    """
    if whole and seconds is not None:
        raise LabkitError(
            f"seconds = {seconds:g} and whole were both asked for; choose one: a script that runs "
            "to its own end takes as long as it takes."
        )
    if seconds is not None:
        check_seconds(seconds)
    return None if whole else SCRIPT_SECONDS if seconds is None else seconds


def check_script(**asked: object) -> None:
    """Refuse what is for a loop and not for a script.

    Raises:
        LabkitError: If any of it is asked for.
    """
    for name, value in asked.items():
        if value is not None:
            raise LabkitError(
                f"{name} = {value!r} is for a file that defines make_step(); a script makes its "
                "own steps: say how long with seconds, or hand it arguments."
            )


def alarm_kinds(words: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds that were asked for.

    Raises:
        ChoiceError: If a word is none of them.
    """
    asked = tuple(words)
    for word in asked:
        if word not in KINDS:
            raise ChoiceError("alarm to fail on,", word, KINDS)
    return asked


def place_of_step(step: str) -> tuple[str, int] | None:
    """Return the file and the line of the loop whose turns are to be the steps.

    Args:
        step: As ``train.py:61``; empty to have it found.

    Raises:
        LabkitError: If it is neither.
    """
    if not step:
        return None
    file, _, line = step.rpartition(":")
    if not file or not line.isdecimal():
        raise LabkitError(
            f"--step {step!r} names no line; give a file and a line of it, as in train.py:61."
        )
    return file, int(line)
