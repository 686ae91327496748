"""The launcher: a child of the kernel that imports TensorFlow once and forks a fresh worker a run.

Between the two stands the worker's reaper (`labkit.bench.processes.reaper`): it is what the
launcher forks, kills and reaps, and it ends as the worker ended.

It does nothing else with TensorFlow: no op, no device, no session. One eager op before the fork,
and some later jobs hang for ever. No ``gc.freeze()`` either: it would carry over into the workers
and erase the lesson about garbage collection.

Started with the argument CONTROL, CONTROL the descriptor of a socket that keeps message boundaries,
and with a pipe as standard input that the kernel holds open. The kernel sends
``{"do": "fork", "id"}`` with the worker's two pipe ends attached, or ``{"do": "kill", "id"}``; the
launcher says ``{"say": "ready"}`` or ``{"say": "failed", "reason"}``,
``{"say": "forked", "id", "pid"}`` and ``{"say": "exited", "id", "status"}``. It alone reaps and
kills, because process ids are used again.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

from labkit.bench.processes.process_tree import (
    become_subreaper,
    end_tree,
    end_with_parent,
    hear_signals,
    reap,
)
from labkit.bench.processes.reaper import hung_up, reap_one_worker
from labkit.bench.protocol import Lines, encode
from labkit.bench.worker.fault import NO_TENSORFLOW

MESSAGE_BYTES = 65536


class Launcher:
    """Answers the kernel until it goes.

    Args:
        control: The socket to the kernel.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._reapers: dict[int, int] = {}  # process id by the kernel's id of the run
        self._asked: set[int] = set()  # the ids of those that were told to end
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        self._waker = waker
        become_subreaper()

    def serve(self) -> None:
        """Fork, kill and reap until the kernel closes its end."""
        import selectors

        selector = selectors.DefaultSelector()
        selector.register(self._control, selectors.EVENT_READ)
        selector.register(self._woken, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd == self._woken:
                    os.read(self._woken, 4096)
                    self._reap()
                elif not self._take_message():
                    for reaper in self._reapers.values():  # the system tells them, but wakes none
                        os.kill(reaper, signal.SIGTERM)
                        os.kill(reaper, signal.SIGCONT)
                    return

    def _take_message(self) -> bool:
        data, handles, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 2)
        if not data:
            return False
        for message in Lines().take(data):
            if message["do"] == "fork":
                self._fork(int(message["id"]), handles)
            elif message["do"] == "kill" and int(message["id"]) in self._reapers:
                self._kill(int(message["id"]))
        return True

    def _kill(self, identity: int) -> None:
        # A reaper that does not do as it is told, because somebody has stopped it perhaps, is ended
        # itself; its worker ends with it, and what that has started becomes ours.
        asked_before = identity in self._asked
        self._asked.add(identity)
        os.kill(self._reapers[identity], signal.SIGKILL if asked_before else signal.SIGTERM)
        os.kill(self._reapers[identity], signal.SIGCONT)  # its loop may have stopped it

    def _fork(self, identity: int, handles: list[int]) -> None:
        launcher = os.getpid()
        try:
            process = os.fork()
            if process == 0:
                self._become_reaper(handles, launcher)
        except OSError as error:  # a limit on processes: of this run alone, not of those in work
            words = f"no process could be started ({error.strerror})"
            self._say(say="exited", id=identity, status=os.EX_OSERR, words=words)
            return
        finally:
            # At once, or the next worker would inherit these ends and this one's pipes never close.
            for handle in handles:
                os.close(handle)
        self._reapers[identity] = process
        self._say(say="forked", id=identity, pid=process)

    def _become_reaper(self, handles: list[int], launcher: int) -> NoReturn:
        try:
            end_with_parent(signal.SIGTERM, launcher)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            self._control.close()
            os.close(self._woken)
            os.close(self._waker)
            reap_one_worker(*handles)
        finally:
            os._exit(1)  # never back into the launcher's loop, whatever went wrong

    def _reap(self) -> None:
        ended = reap()
        if any(process in ended for process in self._reapers.values()):
            ended |= end_tree(keep=set(self._reapers.values()).__contains__)
        for identity, process in list(self._reapers.items()):
            if process in ended:
                del self._reapers[identity]
                self._asked.discard(identity)
                self._say(say="exited", id=identity, status=ended[process])

    def _say(self, **words: Any) -> None:
        self._control.sendall(encode(words))


@contextlib.contextmanager
def ending_with_kernel() -> Iterator[None]:
    """Leave it to the system to end this process as soon as the kernel goes.

    An import may take half a minute, and a thread that looks could come too late: a library is
    loaded under Python's lock. The kernel has asked for a signal at the end of standard input
    (`labkit.bench.processes.launcher_process`). Afterwards that is empty, as whoever is forked
    expects.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    if hung_up(0):  # before the kernel could ask, or while the signal was ignored
        os._exit(0)
    try:
        yield
    finally:
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)


def main() -> None:
    """Import TensorFlow, say so, and serve."""
    hear_signals()
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    # Python warns of forks in a process with threads; TensorFlow's import starts some, idle.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
    try:
        with ending_with_kernel():
            import tensorflow  # noqa: F401

            # A forked worker has it already.
            from labkit.bench.worker import process, recording  # noqa: F401

            # What importing left is gone and the rest is old before the first fork: else each
            # worker would begin with young objects of TensorFlow's, and collect them in its steps.
            gc.collect()
    except Exception as error:
        # Another error is of what is read meanwhile, such as a settings file that cannot be.
        advice = "; reinstall it" if isinstance(error, ImportError) else ""
        reason = f"TensorFlow cannot be imported ({type(error).__name__}: {error}){advice}."
        if isinstance(error, ModuleNotFoundError):
            reason = NO_TENSORFLOW if error.name == "tensorflow" else str(error)
        # What was asked meanwhile is read first: left unread it would reset the connection, and the
        # reason could be lost with it.
        control.setblocking(False)
        with contextlib.suppress(OSError):
            while control.recv(MESSAGE_BYTES):
                pass
        control.setblocking(True)
        control.sendall(encode({"say": "failed", "reason": reason}))
        return
    control.sendall(encode({"say": "ready"}))
    Launcher(control).serve()


if __name__ == "__main__":
    main()
