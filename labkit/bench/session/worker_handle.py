"""A worker of a run as the kernel sees it: its steps, its words, its end."""

from __future__ import annotations

import contextlib
import os
import threading
from array import array
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from labkit.bench.log import LogReader, trim_log
from labkit.bench.processes.pipe import incoming
from labkit.bench.processes.start import Starter, Worker
from labkit.bench.protocol import Job, Lines, encode
from labkit.record import Column, State, Steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from labkit.bench.step_file.reader import StepFileReader


class WorkerHandle:
    """One worker.

    Args:
        job: What it has to do.
        starter: How to start it.
        environment: Variables that TensorFlow reads while it is imported.
    """

    def __init__(self, job: Job, starter: Starter, environment: Mapping[str, str]) -> None:
        self.job = job
        self.columns: tuple[Column, ...] = ()
        self.environment: dict[str, Any] = {}
        self.state: State | None = None  # how it ended, in its own words
        self.finishing: State | None = None  # how its loop did, while files and such are closed
        self.process_id: int | None = None
        self._process: psutil.Process | None = None
        self._held_bytes = 0  # before there was a loop
        self._lost = False  # whether its steps can no longer be read
        self._steps: StepFileReader | None = None
        self._log_reader: LogReader | None = None
        self._lines = Lines()
        self._worker: Worker = starter.start(environment)
        # The keeper closes while a click may be writing: without the lock the line could go to
        # whatever file got the same number a moment later.
        self._commands_lock = threading.RLock()
        self._commands_open = True
        self.words_open = True  # whether more words may come
        self.unheard = False  # whether it goes on all the same
        try:
            # Not before: NumPy takes a tenth of a second, and the worker starts meanwhile.
            import_module("labkit.bench.step_file.reader")
            self._words = incoming(self._worker.words)
        except (OSError, ImportError):
            # No descriptor is left: without its ends nobody would ever end it.
            os.close(self._worker.commands)
            os.close(self._worker.words)
            self._worker.kill()
            self._worker.close()
            raise
        self._send(job.line())

    @property
    def steps(self) -> StepFileReader | None:
        """The step file; None until the worker has made it.

        Raises:
            OSError: If it cannot be opened.
        """
        if self._steps is None and self.columns and not self._lost:
            from labkit.bench.step_file.reader import StepFileReader

            self._steps = StepFileReader(self.job.steps_path, self.job.more_steps_path)
        return self._steps

    @property
    def count(self) -> int:
        """Steps recorded so far."""
        return self.steps.count if self.steps is not None else 0

    @property
    def kept_bytes(self) -> int:
        """What its steps take in memory."""
        return self._steps.kept_bytes if self._steps is not None else 0

    def read(self, column: str, start: int, end: int) -> NDArray[np.float64]:
        """Return some steps' values of a column; none where it is not recorded."""
        names = [known.name for known in self.columns]
        if self.steps is None or column not in names:
            import numpy as np

            return np.empty(0)
        return self.steps.column(names.index(column), start, end)

    def recorded(self) -> Steps:
        """Return all steps so far as a plain value."""
        count = self.count
        columns: dict[str, array[float]] = {"start_seconds": array("d"), "seconds": array("d")}
        for column in self.columns:
            columns[column.name] = array("d")
            columns[column.name].frombytes(self.read(column.name, 0, count).tobytes())
        return Steps(columns)

    def command(self, **words: Any) -> None:
        """Send one message."""
        self._send(encode(words))

    def _send(self, line: bytes) -> None:
        """Send one line; a worker that has ended meanwhile is no error, its end says more."""
        with self._commands_lock:
            if not self._commands_open:
                return
            try:
                # A signal cuts the writing of a line that is longer than the pipe has room for.
                while line:
                    line = line[os.write(self._worker.commands, line) :]
            except OSError:  # BrokenPipeError, and on Windows any other
                self.hang_up()

    def hear(self, seconds: float) -> list[dict[str, Any]]:
        """Wait at most this long for words, take in those about the link, and return all."""
        data = self._words.read(seconds) if self.words_open else None
        if data is None:
            return []
        if not data:
            self._close_words()
            return []
        messages = list(self._lines.take(data))
        for message in messages:
            if message["say"] == "ready":
                self.columns = tuple(Column(**column) for column in message["columns"])
                self.environment = dict(message["environment"])
                self.process_id = int(message["pid"])
                with contextlib.suppress(psutil.Error, OSError):
                    self._process = psutil.Process(self.process_id)
                self._held_bytes = int(message["held_bytes"])
            elif message["say"] == "finishing":
                self.finishing = State(**message["state"])
            elif message["say"] == "ended":
                self.state = State(**message["state"])
        return messages

    @property
    def top_id(self) -> int | None:
        """The process above it and all that it starts; None as long as nobody knows."""
        return self._worker.top_id

    @property
    def exit_status(self) -> int | None:
        """The process's exit status; None while it runs."""
        return self._worker.exit_status()

    @property
    def last_words(self) -> str:
        """The last line that the process wrote before it had a log; empty if none."""
        return self._worker.last_words()

    def loop_bytes(self) -> int:
        """Return the resident memory that the loop has added; 0 when it cannot be told."""
        try:
            resident = self._process.memory_info().rss if self._process is not None else 0
        except (psutil.Error, OSError):  # the latter where no descriptor is left
            return 0
        return max(0, int(resident) - self._held_bytes)

    def trim_log(self) -> None:
        """Keep the log within its bounds."""
        trim_log(Path(self.job.log_path), self._log_reader)

    def read_log_on(self) -> LogReader:
        """Return what reads on in the log, and loses nothing when that is trimmed."""
        self._log_reader = LogReader(Path(self.job.log_path), self.job.device)
        return self._log_reader

    def hang_up(self) -> None:
        """Close the worker's input; it ends at the end of file."""
        with self._commands_lock:
            if self._commands_open:
                self._commands_open = False
                os.close(self._worker.commands)

    def kill(self) -> None:
        """End the worker at once."""
        self._worker.kill()

    def end_rest(self) -> None:
        """End what the worker started, where all above it were killed that should do so."""
        self._worker.end_rest(self._process)

    def detach_steps(self) -> None:
        """Keep the steps in memory; the file may then go.

        Raises:
            OSError: If they cannot be read; the run then has none, and this is said once.
        """
        try:
            if self.steps is not None:
                self.steps.detach()
        except OSError:
            self._steps, self._lost = None, True
            raise

    def leave_to_parent(self) -> None:
        """Close our copies of the pipes' ends; a thread that is not here may hold their lock."""
        with contextlib.suppress(OSError):
            if self._commands_open:
                os.close(self._worker.commands)
        self._commands_open = False
        self._close_words()

    def close(self) -> None:
        """Close our ends of the pipes."""
        self.hang_up()
        self._close_words()
        self._worker.close()

    def _close_words(self) -> None:
        if self.words_open:
            self.words_open = False
            self._words.close()
