"""The worker: one process that builds one loop, runs it, records it and says how it ended.

Forked by its reaper, or where a system has no fork started as ``python -m
labkit.bench.worker.process`` with the job on standard input and its words on standard output. What
it does with the loop is in `labkit.bench.worker.recording`, which is imported once the process
stands where it belongs.
"""

from __future__ import annotations

import _thread
import contextlib
import gc
import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from labkit.bench.isolation.isolation import keep_to_itself
from labkit.bench.protocol import Job, Lines, encode
from labkit.bench.temporary import remove_folder
from labkit.bench.worker.descriptor import Descriptor
from labkit.bench.worker.fault import fault
from labkit.bench.worker.shutdown import (
    STATUS_AT_END,
    ForkedChildError,
    end_python,
    wait_for_threads,
)
from labkit.record import State

KERNEL_GONE_STATUS = 7


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
        self.stopping = False
        self.finishing = False
        self.urgent = False  # whether who has asked it to stop has asked again
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
        while True:
            if not self._commands.is_ours():
                return  # the reaper still sees when the kernel is gone
            if not (data := os.read(self._commands.number, 65536)):
                break
            for message in self._lines.take(data):
                if message["do"] in ("stop", "finish"):
                    self.stopping |= message["do"] == "stop"
                    self.finishing |= message["do"] == "finish"
                    self.asked_to_end()
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
        status = 0 if error is None else 1
        with contextlib.suppress(BaseException):
            if isinstance(error, SystemExit):
                status = error.code if isinstance(error.code, int) else int(error.code is not None)
                if status != (error.code or 0):
                    print(error.code, file=sys.stderr)
            elif error is not None:
                sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
        raise ForkedChildError(status & 0xFF)

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


def main(commands: int = 0, words: int = 1, reaper: socket.socket | None = None) -> None:
    """Run the job that comes on a descriptor, then end the process.

    Args:
        commands: The descriptor on which the kernel says what to do.
        words: The descriptor on which it is answered.
        reaper: What leads to the process that clears up after this one; None where there is none.
    """
    commands, words = _out_of_the_way(commands), _out_of_the_way(words)
    kernel = Kernel(commands, words)
    # A first collection in a forked process copies the pages of all objects. A spare worker pays
    # for that before it has a job; left for later it would count for whatever step it fell into.
    # To list the objects copies the same pages, and takes 52 ms where a collection takes 190.
    gc.get_objects()
    job = Job.from_line(kernel.first_line())
    began = time.monotonic()
    folders = (Path(job.steps_path).parent, Path(job.scratch_path).parent)
    if reaper is not None:
        way = Descriptor(reaper.fileno())
        reaper.sendall(encode({"folders": [str(folder) for folder in folders]}))
    _redirect(job.log_path, job.streams)
    state, status = None, STATUS_AT_END
    try:
        try:
            keep_to_itself(job, reaper)
        finally:
            kernel.listen(*folders)  # on a thread, and a process with two cannot be moved
        state = _do(job, kernel)
    except ForkedChildError as child:
        status = child.status
    except BaseException as error:
        # BaseException: a loop that calls sys.exit() or is interrupted has ended, too, and the
        # learner must read why.
        state = fault(error)
    if state is None:
        with contextlib.suppress(BaseException):
            wait_for_threads()
        end_python(job.source, status, forked=True)
    if job.is_readers:
        kernel.say(say="finishing", state=asdict(state))
        left = ""
        with contextlib.suppress(BaseException):  # whatever a loop has done to Python meanwhile
            left = wait_for_threads(
                patient=not kernel.stopping, seconds=0 if kernel.finishing or kernel.ending
                else job.end_seconds - (time.monotonic() - began),
            )  # fmt: skip
        state = replace(state, reason=" ".join(filter(None, [state.reason, left])))
        if job.workers == 1:
            kernel.say(say="finishing", state=asdict(state))
            # A loop may close whatever it finds open.
            if reaper is not None and way.is_ours():
                reaper.sendall(encode({"folders": [], "at_end": True}))
            end_python(job.source, status)
    for output in (sys.stdout, sys.stderr):
        # A loop may have put anything there, closed it, or have left None.
        with contextlib.suppress(Exception):
            output.flush()
    kernel.say(say="ended", state=asdict(state))
    if job.workers > 1:
        # One that leaves first takes its end of the connection along, and the others would end in
        # an error within the step they share.
        kernel.stay()
    # Not sys.exit: taking TensorFlow down takes up to a second, and the file is already complete.
    os._exit(0)


def _out_of_the_way(descriptor: int) -> int:
    """Return the same pipe under a number that no loop uses and none of its children inherits."""
    moved = os.dup(descriptor)
    if descriptor > 2:
        os.close(descriptor)
    return moved


def _do(job: Job, kernel: Kernel) -> State:
    if job.arguments is not None:
        from labkit.bench.worker.script import record_script

        return record_script(job, kernel)
    from labkit.bench.worker.recording import record

    return record(job, kernel)


def _redirect(log_path: str, streams: Sequence[int]) -> None:
    """Give the loop the three descriptors of any program: nothing to read, and a log to write.

    Args:
        log_path: The log.
        streams: What they are to be instead; these are closed under their old numbers.
    """
    if streams:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for stream in {*streams} - {0, 1, 2}:
            os.close(stream)
        return
    # On the pipe of our commands, input() would take the kernel's words for the learner's.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # Appending, so that the kernel may cut the file short while we write to it.
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)


if __name__ == "__main__":
    main()
