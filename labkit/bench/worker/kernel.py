"""The kernel as a worker knows it: the other end of its two pipes, which commands and is told."""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from labkit.bench.protocol import Lines, encode
from labkit.bench.temporary import remove_folder
from labkit.bench.worker.descriptor import Descriptor
from labkit.bench.worker.python_exit import exit_status, of_program
from labkit.bench.worker.shutdown import ForkedChildError
from labkit.bench.worker.signals import block_signals
from labkit.record import State

KERNEL_GONE_STATUS = 7
# A run that somebody has paused and forgotten goes on by itself.
LONGEST_PAUSE_SECONDS = 600.0
# Bound now: a loop may put a function of its own in its place.
_write = os.write


class Kernel:
    """The other end: takes its messages on a thread of its own, sends it ours."""

    def __init__(self, commands: int, words: int) -> None:
        self._commands = Descriptor(commands)
        self._words = Descriptor(words)
        self._lines = Lines()
        self._waiting: deque[dict[str, Any]] = deque()
        self._folders: tuple[Path, ...] = ()
        self._process_id = os.getpid()
        self._going_on = threading.Event()
        self._going_on.set()
        self.stopping = False
        self.finishing = False
        self.urgent = False  # whether who has asked it to stop has asked again
        self.stop_signal: int = signal.SIGINT
        self.pass_on: Callable[..., object] = lambda number, awaited: None
        # Called when either was set, on the thread that hears of it.
        self.asked_to_end: Callable[[], object] = lambda: None
        self.ending: State | None = None  # how it is to end, where it is to be interrupted

    def first_line(self) -> bytes:
        """Wait for the job."""
        line = b""
        while not line.endswith(b"\n"):
            piece = os.read(self._commands.number, 1)
            if not piece:
                os._exit(KERNEL_GONE_STATUS)
            line += piece
        return line

    def listen(self, *folders: Path) -> None:
        """Take messages from now on; when the kernel is gone, remove the folders and end."""
        self._folders = folders
        # None of the program's threads: one that waits until it is alone would wait for ever.
        _thread.start_new_thread(self._take_all, ())

    def _take_all(self) -> None:
        block_signals()
        while True:
            if not self._commands.is_ours():
                return  # the reaper still sees when the kernel is gone
            if not (data := os.read(self._commands.number, 65536)):
                break
            for message in self._lines.take(data):
                if message["do"] in ("stop", "finish"):
                    self.stopping |= message["do"] == "stop"
                    self.stop_signal = message.get("number", signal.SIGINT)
                    self.finishing |= message["do"] == "finish"
                    self._going_on.set()
                    self.asked_to_end()
                elif message["do"] == "pause":
                    (self._going_on.clear if message["on"] else self._going_on.set)()
                elif message["do"] == "signal":
                    self.pass_on(message["number"], awaited=message["awaited"])
                elif message["do"] == "again":
                    self.urgent = True
                    self.asked_to_end()
                elif message["do"] == "interrupt":
                    self.ending = State(**message["state"])
                    self.asked_to_end()
                else:
                    self._waiting.append(message)
        for folder in self._folders:
            remove_folder(folder)
        os._exit(KERNEL_GONE_STATUS)

    @property
    def paused(self) -> bool:
        """Whether the next step is to wait."""
        return not self._going_on.is_set()

    def wait_while_paused(self) -> bool:
        """Wait until somebody goes on; return whether nobody did, and it goes on by itself."""
        forgotten = not self._going_on.wait(LONGEST_PAUSE_SECONDS)
        if forgotten:
            self._going_on.set()
        return forgotten

    def messages(self) -> list[dict[str, Any]]:
        """Return what has arrived since the last call; costs next to nothing when empty."""
        if not self._waiting:
            return []
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def leave_if_forked(self, error: BaseException | None = None) -> None:
        """Take a child that the loop forked, and that came back from there, to its end.

        Args:
            error: What ended it, if anything did; it ends as a Python that this had ended.

        Raises:
            ForkedChildError: To be let through to `main`.
        """
        if os.getpid() == self._process_id:
            return
        if isinstance(error, ForkedChildError):
            raise error
        # As Python ends what Ctrl-C has ended: a parent may go on otherwise after such a child.
        interrupted = isinstance(error, KeyboardInterrupt)
        status = 0 if error is None else -signal.SIGINT if interrupted else 1
        with contextlib.suppress(BaseException):
            if isinstance(error, SystemExit):
                status = exit_status(error.code)
                if not isinstance(error.code, int | None):
                    print(error.code, file=sys.stderr)
            elif error is not None:
                # Python prints an error's own traceback, whatever it is handed.
                error.__traceback__ = of_program(error.__traceback__)
                sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
        raise ForkedChildError(status)

    def stay(self) -> None:
        """Wait until the kernel hangs up, which ends the process."""
        threading.Event().wait()

    def say_evidence(self, step: int, values: Mapping[str, float]) -> None:
        """Send numbers that are read rarely."""
        for name, value in values.items():
            self.say(say="evidence", name=name, step=step, value=value)

    def say(self, **words: Any) -> None:
        """Send one message; nobody hears it any more where the loop has closed the way there."""
        data = encode(words) if self._words.is_ours() else b""
        while data:
            data = data[_write(self._words.number, data) :]
