"""A script of the reader's: how it is asked for, and started as a run."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.bench.device.choice import DEVICES
from labkit.bench.processes.workers import current_folder
from labkit.bench.protocol import Job
from labkit.bench.session.session import Session
from labkit.bench.starting import whole
from labkit.bench.supervision.limits import Limits
from labkit.cause.loop_file import script
from labkit.record import ChoiceError

# CUDA's variable, and that of AMD's cards.
HIDE_CARDS = {"CUDA_VISIBLE_DEVICES": "-1", "HIP_VISIBLE_DEVICES": "-1"}
# What else may be changed on the way into a new process, and is the reader's (`search_path`).
KEPT = ("PYTHONPATH", "KERAS_HOME")
DAY_SECONDS = 86_400.0
# Each takes 7 kB while all are judged: 8.6 GB for a million, and the command was killed for that.
MOST_STEPS = 300_000
# As long as most diagnoses take, it is looked at closely a quarter of the time, to answer soon.
THIN_AFTER_SECONDS = 30.0
# Who lets it run to its own end does not wait for the answer, and is to pay little for it.
WHOLE_THIN_AFTER_SECONDS = 5.0
# A script is ended as Ctrl-C ends it, and may save what it has; then harder. Who does not want to
# wait for that presses Ctrl-C once more.
STOP_SECONDS = 60.0
# When its time is up it ends between two steps, and amid one that takes longer than ten seconds
# (`Interruption`): it may be writing its checkpoint.
OVERTIME_SECONDS = 12.0
# It may import and load for as long before its first step, however short it is to be watched.
LONGEST_START_SECONDS = 300.0


@dataclass(frozen=True)
class Script:
    """A program that trains, run whole as ``python FILE ARGUMENTS`` runs it.

    Args:
        name: Its path; or a module's name, as after ``python -m``.
        arguments: What comes after that.
        module: Whether it is a module's name.
        device: ``"cpu"`` hides every graphics card from it; else it sees what is there.
        streams: The descriptors of its standard input, output and error, and of what else it is to
            have under its own number; empty to give it nothing to read and to keep what it writes
            in the run's log.
    """

    name: str
    arguments: tuple[str, ...] = ()
    module: bool = False
    device: str = "auto"
    streams: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name if self.module else Path(self.name).name


def start_script(
    bench: Bench, asked: Script, seconds: float | None, place: tuple[str, int] | None = None
) -> Session:
    """Start a script in a fresh process; returns at once.

    Args:
        bench: Whose run it is.
        asked: The script.
        seconds: When it is ended, as by Ctrl-C; None for when it ends by itself.
        place: The file and a line of a loop whose turns are recorded however few it has.

    Raises:
        ChoiceError: If there is no such device.
        LabkitError: If it cannot be started.
    """
    limit = DAY_SECONDS * 365 if seconds is None else seconds
    # A script may load its data, or validate, for as long as it likes.
    waits = max(limit, LONGEST_START_SECONDS)
    limits = Limits(limit, waits, waits, memory_bytes=None, stop_seconds=STOP_SECONDS,
                    end_seconds=limit, overtime_seconds=OVERTIME_SECONDS)  # fmt: skip
    thin_after = WHOLE_THIN_AFTER_SECONDS if seconds is None else THIN_AFTER_SECONDS
    if asked.device not in DEVICES:
        raise ChoiceError("device", asked.device, DEVICES)
    changed = {name: os.environ.get(name) for name in KEPT}
    if asked.device == "cpu":
        changed |= HIDE_CARDS
    with whole() as started:
        job = Job(
            source=asked.name, toggles={}, sizes={}, steps=MOST_STEPS, device="auto",
            folder=current_folder(), diagnosing=True, arguments=asked.arguments,
            module=asked.module, place=place, streams=asked.streams if os.name == "posix" else (),
            wall_seconds=limit, end_seconds=limit, environment=changed,
            thin_after_seconds=thin_after,
        )  # fmt: skip
        started.append(bench.begin(script(asked.name, asked.title), job, limits))
    return started[0]


def own_streams(*, only_error: bool = False) -> tuple[int, ...]:
    """Return this process's standard input, output and error, and what else a script may have.

    Args:
        only_error: Whether what it prints goes to standard error, too, as with ``--json``.
    """
    sys.stdout.flush()
    # Copies, under numbers that are nobody's in the new process.
    return (*map(_copied, (0, 2 if only_error else 1, 2)), *_given())


def _given() -> tuple[int, ...]:
    """Return the other descriptors that whoever started this process gave it, as ``<(...)`` does.

    Python's own are never inherited (PEP 446).
    """
    found = []
    with contextlib.suppress(OSError):  # a system that lists none
        for number in map(int, os.listdir("/dev/fd")):
            with contextlib.suppress(OSError):  # that of the list itself is gone
                if number > 2 and os.get_inheritable(number):
                    found.append(number)
    return tuple(found)


def _copied(descriptor: int) -> int:
    try:
        return os.dup(descriptor)
    except OSError:  # it is closed
        return os.open(os.devnull, os.O_RDWR)
