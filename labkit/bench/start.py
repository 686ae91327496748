"""What starting a worker means, and the plain way to do it; the quick way is in `fork`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Protocol

CAN_FORK = sys.platform == "linux"
LAUNCHER_GONE = -1000


class Worker(Protocol):
    """A started worker: two pipe ends and a way to end it."""

    commands: int
    words: int

    def exit_status(self) -> int | None:
        """Return None while it runs, then its exit status; minus the signal if one ended it."""

    def kill(self) -> None:
        """End it at once, whatever it is doing."""


class Starter(Protocol):
    """Starts workers."""

    kind: str

    def start(self, environment: Mapping[str, str]) -> Worker:
        """Start one worker.

        Args:
            environment: Variables that TensorFlow reads while it is imported.
        """


class PlainWorker:
    """A worker started as a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self.commands = os.dup(process.stdin.fileno())
        self.words = os.dup(process.stdout.fileno())
        process.stdin.close()
        process.stdout.close()

    def exit_status(self) -> int | None:
        return self._process.poll()

    def kill(self) -> None:
        self._process.kill()


class PlainStarter:
    """Starts every worker as a fresh interpreter: 3 s of TensorFlow import, works everywhere."""

    kind = "plain"

    def start(self, environment: Mapping[str, str]) -> PlainWorker:
        process = subprocess.Popen(
            [sys.executable, "-m", "labkit.bench.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
            # An interrupt in the notebook signals the kernel's whole process group; a worker in a
            # session of its own is only ended by us.
            start_new_session=True,
        )
        return PlainWorker(process)


def signal_name(status: int) -> str:
    """Return the name of the signal a negative exit status stands for."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
