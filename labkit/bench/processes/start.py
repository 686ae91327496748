"""What starting a worker means, and the plain way to do it; the quick way is in `fork`."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Protocol

import psutil

from labkit.bench.processes.process_tree import MARK_VARIABLE, end_marked
from labkit.bench.processes.search_path import child_environment, python_command

CAN_FORK = sys.platform == "linux"
# What may have a reaper above each worker.
HAS_REAPER = os.name == "posix"
LAUNCHER_GONE = -1000
# Of a process's last words.
MOST_BYTES = 4_000
MOST_CHARACTERS = 200


class Worker(Protocol):
    """A started worker: two pipe ends and a way to end it."""

    commands: int
    words: int

    @property
    def top_id(self) -> int | None:
        """The process above it and all that it starts; None as long as nobody knows."""

    def exit_status(self) -> int | None:
        """Return None while any process of it runs, then its exit status; minus the signal if one
        ended it."""

    def kill(self) -> None:
        """End it and all that it has started, whatever they are doing; returns at once.

        Asked a second time, it is done without asking the worker's reaper.
        """

    def last_words(self) -> str:
        """Return the last line of what it wrote before it had a log; empty if nothing."""

    def end_rest(self, process: psutil.Process | None) -> None:
        """End what it has left behind, where all above it were killed that should do so.

        Args:
            process: It, once it has told who it is.
        """

    def close(self) -> None:
        """Let go of what is held for it beside its pipe ends; it has no last words any more."""


class Starter(Protocol):
    """Starts workers."""

    kind: str

    def start(self, environment: Mapping[str, str]) -> Worker:
        """Start one worker.

        Args:
            environment: Variables that TensorFlow reads while it is imported.
        """


class LastWords:
    """A file without a name that takes the standard error of a process.

    It tells what that wrote before it ended in a way nobody foresaw.

    Attributes:
        file: To be handed to the process; it costs one descriptor until `close`.
    """

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process

    def line(self) -> str:
        """Return the last line that was written; Python's is the one that names the error."""
        try:
            size = os.fstat(self.file.fileno()).st_size
            end = os.pread(self.file.fileno(), MOST_BYTES, max(0, size - MOST_BYTES))
        except (OSError, ValueError):
            return ""
        lines = [line.strip() for line in end.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1][:MOST_CHARACTERS] if lines else ""

    def close(self) -> None:
        """Let the file go."""
        self.file.close()


class PlainWorker:
    """A worker started as a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], words: LastWords, mark: str) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._last_words = words
        self._mark = mark
        self._asked = False
        self.commands = os.dup(process.stdin.fileno())
        process.stdin.close()  # first, or it takes a descriptor more than there may be
        self.words = os.dup(process.stdout.fileno())
        process.stdout.close()

    @property
    def top_id(self) -> int | None:
        return self._process.pid

    def exit_status(self) -> int | None:
        return self._process.poll()

    def kill(self) -> None:
        if HAS_REAPER and not self._asked:
            self._asked = True
            self._process.terminate()
            self._process.send_signal(signal.SIGCONT)  # its loop may have stopped it
        else:
            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(self._process.pid).children(recursive=True):
                    child.kill()
            self._process.kill()

    def last_words(self) -> str:
        return self._last_words.line()

    def end_rest(self, process: psutil.Process | None) -> None:
        end_marked(self._mark)

    def close(self) -> None:
        self._last_words.close()


class PlainStarter:
    """Starts every worker as a fresh interpreter: 3 s of TensorFlow import, works everywhere.

    Args:
        passed: Descriptors of ours that the worker has as well, under the same numbers.
    """

    kind = "plain"

    def __init__(self, passed: Sequence[int] = ()) -> None:
        self._passed = tuple(passed)

    def start(self, environment: Mapping[str, str]) -> PlainWorker:
        words, mark = LastWords(), secrets.token_hex(8)
        module = "labkit.bench.processes.reaper" if HAS_REAPER else "labkit.bench.worker.process"
        try:
            process = subprocess.Popen(
                python_command(module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words.file,
                pass_fds=self._passed,
                env=child_environment({**environment, MARK_VARIABLE: mark}),
                # An interrupt in the notebook signals the kernel's whole process group; a worker
                # in a session of its own is only ended by us.
                start_new_session=True,
            )
        except (OSError, ValueError):  # no environment can hold one of its variables
            words.close()
            raise
        try:
            return PlainWorker(process, words, mark)
        except OSError:  # no descriptor is left
            process.kill()
            with process:  # closes the pipes, and waits for it
                words.close()
            raise


def signal_name(status: int) -> str:
    """Return the name of the signal a negative exit status stands for."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
