"""The choice between processor and graphics card: made once a kernel, and kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from labkit.bench.device import faults, signs
from labkit.bench.device.answer import ANSWER_SECONDS
from labkit.record import ChoiceError, Run

DEVICES = ("auto", "cpu", "gpu")
HOLDERS = ("--query-compute-apps=pid,process_name", "--format=csv,noheader")


@dataclass(frozen=True)
class Device:
    """Where a run computes.

    Args:
        name: ``"cpu"`` or ``"gpu"``.
        reason: Why it is not a card although there may be one, in a sentence; else empty.
    """

    name: str
    reason: str = ""


class DeviceChoice:
    """Chooses the graphics card where TensorFlow sees one and it answers a short check.

    ``forks`` is whether a forked process can use it, as far as is known.

    Args:
        check: Runs a loop on the card (`answer_of_card`), and returns the run.
    """

    def __init__(self, check: Callable[[], Run]) -> None:
        self._check = check
        self._lock = threading.Lock()
        self._found: Device | None = None
        self._told = False
        self.forks = True

    def begin(self) -> None:
        """Check ahead of the first run, on a thread of its own; returns at once."""
        if self._found is None and _may_be_here():
            threading.Thread(target=self.chosen, name="labkit-device", daemon=True).start()

    def chosen(self) -> Device:
        """Return where runs compute that are left to choose.

        A worker is asked once, and its answer kept: the first call may take as long as that does.
        """
        with self._lock:
            if self._found is None:
                self._found = self._choose()
            return self._found

    def for_run(self, asked: str) -> Device:
        """Return where a run computes; that runs on the card are not forked is told with one.

        Args:
            asked: ``"cpu"``, ``"gpu"``, or ``"auto"`` where it is left to choose.

        Raises:
            ChoiceError: If it is none of these.
        """
        if asked not in DEVICES:
            raise ChoiceError("device", asked, DEVICES)
        found = self.chosen() if asked == "auto" else Device(asked)
        if found.name == "cpu" or self.forks or self._told:
            return found
        self._told = True
        return Device("gpu", faults.NOT_FORKED)

    def forget(self) -> None:
        """Check anew before the next run: a card may be lost, or free again."""
        self._found = None

    def all(self, asked: str) -> tuple[str, ...]:
        """Return on which devices all causes are run: on both, where a graphics card works.

        Args:
            asked: One that was asked for; ``"auto"`` if none was.
        """
        return ("cpu", "gpu") if asked == "auto" and self.chosen().name == "gpu" else (asked,)

    def _choose(self) -> Device:
        if not _may_be_here():
            return Device("cpu")
        if signs.is_hidden() and not signs.has_plugin():
            return Device("cpu", f"{faults.HIDDEN.format(_hiding())} {faults.HERE}")
        run = self._check()
        if faults.AFTER_FORK.search(faults.said(run)):
            self.forks = False
            run = self._check()
            self.forks, self._told = not run.state.completed, False
        if run.state.completed:
            return Device("gpu")
        ours = "tensorflow" in sys.modules
        return Device("cpu", faults.reason(run.state, run.log, ANSWER_SECONDS, _holders(), ours))


def _may_be_here() -> bool:
    return signs.has_driver() or signs.has_plugin()


def _hiding() -> str:
    return os.environ.get(signs.HIDING_VARIABLE, "")


def _holders() -> list[str]:
    """Return the programs that hold memory of a card, as far as Nvidia's tool tells."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return []
    try:
        told = subprocess.run(
            [command, *HOLDERS], capture_output=True, text=True, timeout=ANSWER_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    pairs = (line.partition(",") for line in told.splitlines() if "," in line)
    return [f"{Path(name.strip()).name} (process {number.strip()})" for number, _, name in pairs]
