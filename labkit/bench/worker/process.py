"""The worker: one process that builds one loop, runs it, records it and says how it ended.

Forked by its reaper, or where a system has no fork started as ``python -m
labkit.bench.worker.process`` with the job on standard input and its words on standard output. What
it does with the loop is in `labkit.bench.worker.recording`, which is imported once the process
stands where it belongs.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from labkit.bench.isolation.isolation import keep_to_itself
from labkit.bench.protocol import Job, encode
from labkit.bench.worker.descriptor import Descriptor
from labkit.bench.worker.earlier_objects import EarlierObjects
from labkit.bench.worker.fault import fault
from labkit.bench.worker.kernel import Kernel
from labkit.bench.worker.shutdown import (
    STATUS_AT_END,
    ForkedChildError,
    end_python,
    wait_for_threads,
)
from labkit.bench.worker.signals import blocked_signals
from labkit.record import State

LEAST_DESCRIPTOR = 200


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
    earlier = EarlierObjects()
    job = Job.from_line(kernel.first_line())
    if not job.is_readers:
        earlier.forget()
    clock = time.monotonic  # bound now: a loop may put one of its own in its place
    ends_at = clock() + job.end_seconds
    folders = (Path(job.steps_path).parent, Path(job.scratch_path).parent)
    way = None if reaper is None else Descriptor(reaper.fileno())
    if reaper is not None:
        reaper.sendall(encode({"folders": [str(folder) for folder in folders]}))
    _redirect(job.log_path, job.streams)
    if reaper is not None:
        socket.send_fds(reaper, [b"\n"], [2])  # where it may say what it ends
    state, status = _carry_out(job, kernel, reaper, folders)
    if state is None:
        with contextlib.suppress(BaseException):
            # Its parent may wait for what its threads save; both have the time of the whole.
            if left := wait_for_threads(seconds=ends_at - clock()):
                print(f"labkit: {left}", file=sys.stderr, flush=True)
        end_python(job.source, status, earlier, forked=True)
    if job.is_readers:
        state = _without_threads(state, kernel, ends_at - clock())
        if job.workers == 1:
            kernel.say(say="finishing", state=asdict(state))
            # A loop may close whatever it finds open.
            if reaper is not None and way is not None and way.is_ours():
                reaper.sendall(encode({"folders": [], "at_end": True}))
            end_python(job.source, status, earlier)
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


def _carry_out(
    job: Job, kernel: Kernel, reaper: socket.socket | None, folders: Sequence[Path]
) -> tuple[State | None, int]:
    """Run the job; return how it ended, and the exit status.

    None in place of how it ended: this is a process that the loop has forked.
    """
    try:
        try:
            keep_to_itself(job, reaper)
        finally:
            kernel.listen(*folders)  # on a thread, and a process with two cannot be moved
        return _do(job, kernel), STATUS_AT_END
    except ForkedChildError as child:
        return None, child.status
    except BaseException as error:
        # BaseException: a loop that calls sys.exit() or is interrupted has ended, too, and the
        # learner must read why.
        return fault(error), STATUS_AT_END


def _without_threads(state: State, kernel: Kernel, seconds: float) -> State:
    """Wait for the threads of a loop that has ended, and return how it ended with what they left.

    Args:
        state: How it ended.
        kernel: Hears of it before, for this may take long.
        seconds: For how long.
    """
    kernel.say(say="finishing", state=asdict(state))
    left = ""
    with contextlib.suppress(BaseException):  # whatever a loop has done to Python meanwhile
        hurried = kernel.finishing or kernel.ending
        left = wait_for_threads(patient=not kernel.stopping, seconds=0 if hurried else seconds)
    return replace(state, reason=" ".join(filter(None, [state.reason, left])))


def _out_of_the_way(descriptor: int) -> int:
    """Return the same pipe under a number that no loop uses and none of its children inherits."""
    moved = _copied_high(descriptor)
    if descriptor > 2:
        os.close(descriptor)
    return moved


def _copied_high(descriptor: int) -> int:
    """Copy to a number that no shell gives: a script may write to 3 without having opened it."""
    with contextlib.suppress(ImportError, OSError):  # Windows, or so many are not allowed
        from fcntl import F_DUPFD_CLOEXEC, fcntl

        return fcntl(descriptor, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR)
    return os.dup(descriptor)


def _do(job: Job, kernel: Kernel) -> State:
    if job.arguments is not None:
        with blocked_signals():
            from labkit.bench.worker.script.record_script import record_script

        return record_script(job, kernel)
    from labkit.bench.worker.recording import record

    return record(job, kernel)


def _redirect(log_path: str, streams: Sequence[int]) -> None:
    """Give the loop the three descriptors of any program: nothing to read, and a log to write.

    Args:
        log_path: The log.
        streams: What they are to be instead, the first three; these are closed under their old
            numbers, and the others are left alone.
    """
    if streams:
        for number, stream in enumerate(streams[:3]):
            os.dup2(stream, number)
        for stream in {*streams[:3]} - {0, 1, 2}:
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
