"""The reaper: a small process above each worker that ends all that its run has started.

A loop may start processes that outlive it, and a step may hold Python's lock for ever, so a worker
can neither clear up after its loop nor be sure to notice that its kernel is gone. The reaper is the
worker's parent, sleeps, and does both. It ends everything below it

- when the worker has ended,
- when it is told to by SIGTERM, which the system also sends it when the launcher ends,
- when the kernel has closed the worker's commands and the worker does not go by itself.

If the kernel is gone, nobody else can remove the run's folders: the reaper does. Then it ends as
the worker ended, so that its own parent sees the worker's exit status.

Forked by the launcher, or started as ``python -m labkit.bench.processes.reaper`` with the worker's
two pipe ends as standard input and output: the plain start. It imports nothing that starts a
thread; the worker is forked from it, and a process with one thread is all that may be forked
safely.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import socket
import time
from pathlib import Path
from typing import NoReturn

from labkit.bench.isolation.loopback_only import SocketMaker
from labkit.bench.processes.process_tree import (
    become_subreaper,
    end_tree,
    end_with_parent,
    has_children,
    hear_signals,
    programs_of_tree,
    reap,
    work_of_tree,
)
from labkit.bench.protocol import Lines
from labkit.bench.temporary import remove_folder

# How long a worker whose kernel is gone has to leave by itself.
LEAVE_SECONDS = 1.0
# How long the children of a loop that has ended may work on, and how long one may do nothing.
CHILDREN_SECONDS = 12.0
RESTING_SECONDS = 3.0
LOOK_SECONDS = 0.05
MOST_TOLD = 5


def reap_one_worker(commands: int, words: int) -> NoReturn:
    """Fork a worker, stay until nothing of it is left, and end as it ended.

    Args:
        commands: The descriptor it is told its job on.
        words: The descriptor it answers on.
    """
    become_subreaper()
    ours, theirs = socket.socketpair()
    reaper = os.getpid()
    worker = os.fork()
    if worker == 0:
        try:
            ours.close()
            end_with_parent(signal.SIGKILL, reaper)
            os.setsid()
            from labkit.bench.worker import process

            process.main(commands, words, theirs)
        finally:
            os._exit(1)  # never back into the reaper's or the launcher's loop
    gc.disable()  # it would copy the launcher's pages, and there is nothing to collect
    theirs.close()
    os.close(words)  # or the kernel would wait for more words of a worker that has ended
    status = Reaper(worker, commands, ours).watch()
    _end_like(status)


class Reaper:
    """Watches one worker.

    Args:
        worker: Its process id.
        commands: The end of its command pipe that is read from; we only look whether the other
            end is still open.
        channel: On which the worker hands over where its errors go, names its run's folders, in
            JSON lines, and hands over the making of its sockets, if it has to.
    """

    def __init__(self, worker: int, commands: int, channel: socket.socket) -> None:
        self._worker = worker
        self._commands = commands
        self._channel = channel
        self._lines = Lines()
        self._folders: list[str] = []
        self._errors: int | None = None  # a descriptor of where the loop's errors go
        self._sockets: dict[int, SocketMaker] = {}
        self._poll = select.poll()
        self._told_to_end = False
        self._at_end = False  # whether the worker has gone through Python's own end
        self._leaves_by: float | None = None  # set once the kernel has closed the commands
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _end(self, *_: object) -> None:
        self._told_to_end = True

    def watch(self) -> int:
        """Return the worker's exit status when no process of its tree is left."""
        poll = self._poll
        poll.register(self._commands, 0)  # a hang-up is told of whatever one asks for
        poll.register(self._woken, select.POLLIN)
        poll.register(self._channel, select.POLLIN)
        ended = reap()
        while self._worker not in ended and not self._told_to_end and not self._overdue():
            for descriptor, event in poll.poll(self._patience_milliseconds()):
                if descriptor == self._woken:
                    os.read(self._woken, 4096)
                elif descriptor in self._sockets and event & select.POLLIN:
                    self._sockets[descriptor].serve()
                elif descriptor == self._commands:
                    self._leaves_by = time.monotonic() + LEAVE_SECONDS
                    poll.unregister(descriptor)
                elif descriptor != self._channel.fileno() or not self._hear():
                    poll.unregister(descriptor)
            ended |= reap()
        # A program that becomes a daemon leaves by os._exit, and so past Python's own end.
        if self._at_end or ended.get(self._worker, -1) >= 0:
            ended |= self._let_children_work()
            self._tell_of(programs_of_tree() if has_children() else [])
        ended |= end_tree()
        self._clear_up()
        return ended.get(self._worker, -signal.SIGKILL)

    def _let_children_work(self) -> dict[int, int]:
        """Wait for what the loop has started, as long as it works; return their exit statuses.

        A program at the end of a pipe of the loop's, such as one that sorts or encodes, begins to
        write when the pipe is closed. At a script's end nobody ends it.
        """
        ended = reap()
        ends_at = time.monotonic() + CHILDREN_SECONDS
        rests_at, before = time.monotonic() + RESTING_SECONDS, work_of_tree()
        while has_children() and not self._told_to_end and not hung_up(self._commands):
            if time.monotonic() > min(rests_at, ends_at):
                break
            time.sleep(LOOK_SECONDS)
            ended |= reap()
            if (work := work_of_tree()) != before:
                rests_at, before = time.monotonic() + RESTING_SECONDS, work
        return ended

    def _tell_of(self, programs: list[str]) -> None:
        """Say among the loop's own errors which programs of its are ended, and were not done."""
        if not programs or self._errors is None or self._told_to_end or hung_up(self._commands):
            return
        more = f" and {len(programs) - MOST_TOLD} more" if len(programs) > MOST_TOLD else ""
        said = (
            f"labkit: This was left running, and is ended now: {', '.join(programs[:MOST_TOLD])}"
            f"{more}. Start what is to stay without labkit.\n"
        )
        room = select.poll()
        room.register(self._errors, select.POLLOUT)
        with contextlib.suppress(OSError):
            if room.poll(0):  # where nobody reads, nobody waits
                os.write(self._errors, said.encode(errors="replace"))

    def _overdue(self) -> bool:
        return self._leaves_by is not None and time.monotonic() >= self._leaves_by

    def _patience_milliseconds(self) -> int | None:
        if self._leaves_by is None:
            return None
        return max(1, int(1000 * (self._leaves_by - time.monotonic())))

    def _hear(self) -> bool:
        """Take in what the worker says; return whether more may come."""
        with contextlib.suppress(OSError):
            data, descriptors, _, _ = socket.recv_fds(self._channel, 65536, 1)
            if descriptors and self._errors is None:
                self._errors = descriptors.pop(0)
            for descriptor in descriptors:
                self._sockets[descriptor] = SocketMaker(descriptor)
                self._poll.register(descriptor, select.POLLIN)
            for message in self._lines.take(data):
                self._folders += message["folders"]
                self._at_end |= bool(message.get("at_end"))
            return bool(data)
        return False

    def _clear_up(self) -> None:
        """Remove the run's folders if the kernel is gone; else it still wants to read them."""
        if self._leaves_by is None and not hung_up(self._commands):
            return
        self._hear_the_rest()
        for folder in self._folders:
            remove_folder(Path(folder))

    def _hear_the_rest(self) -> None:
        self._channel.setblocking(False)
        while self._hear():
            pass


def hung_up(descriptor: int) -> bool:
    """Return whether nobody holds the other end of a pipe any more."""
    looking = select.poll()
    looking.register(descriptor, 0)  # a hang-up is told of whatever one asks for
    return bool(looking.poll(0))


def _end_like(status: int) -> NoReturn:
    if status < 0:
        # Of a worker that crashed there is one core dump, and of its reaper none.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 1)


def main() -> None:
    """Take the worker's pipe ends from standard input and output."""
    hear_signals()
    commands, words = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    reap_one_worker(commands, words)


if __name__ == "__main__":
    main()
