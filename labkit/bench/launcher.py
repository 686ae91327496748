"""The launcher: a child of the kernel that imports TensorFlow once and forks a fresh worker a run.

It does nothing else with TensorFlow: no op, no device, no session. One eager op before the fork,
and some later jobs hang for ever. No ``gc.freeze()`` either: it would carry over into the workers
and erase the lesson about garbage collection.

Started as ``python -m labkit.bench.launcher CONTROL`` with CONTROL the descriptor of a socket that
keeps message boundaries. The kernel sends ``{"do": "fork", "id"}`` with the worker's two pipe ends
attached, or ``{"do": "kill", "id"}``; the launcher says ``{"say": "ready"}`` or
``{"say": "failed", "reason"}``, ``{"say": "forked", "id", "pid"}`` and
``{"say": "exited", "id", "status"}``. It alone reaps and kills, because process ids are used again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import warnings
from typing import Any, NoReturn

from labkit.bench import worker
from labkit.bench.fault import NO_TENSORFLOW
from labkit.bench.protocol import Lines, encode

MESSAGE_BYTES = 65536


class Launcher:
    """Answers the kernel until it goes.

    Args:
        control: The socket to the kernel.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._workers: dict[int, int] = {}  # process id by the kernel's id of the run
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        self._waker = waker

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
                    return

    def _take_message(self) -> bool:
        data, handles, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 2)
        if not data:
            return False
        for message in Lines().take(data):
            if message["do"] == "fork":
                self._fork(int(message["id"]), handles)
            elif message["do"] == "kill" and int(message["id"]) in self._workers:
                os.kill(self._workers[int(message["id"])], signal.SIGKILL)
        return True

    def _fork(self, identity: int, handles: list[int]) -> None:
        process = os.fork()
        if process == 0:
            self._become_worker(handles)
        # At once, or the next worker would inherit these ends and this one's pipes never close.
        for handle in handles:
            os.close(handle)
        self._workers[identity] = process
        self._say(say="forked", id=identity, pid=process)

    def _become_worker(self, handles: list[int]) -> NoReturn:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            self._control.close()
            os.close(self._woken)
            os.close(self._waker)
            for target, handle in enumerate(handles):
                os.dup2(handle, target)
                os.close(handle)
            worker.main()
        finally:
            os._exit(1)  # never back into the launcher's loop, whatever went wrong

    def _reap(self) -> None:
        for identity, process in list(self._workers.items()):
            done, status = os.waitpid(process, os.WNOHANG)
            if done:
                del self._workers[identity]
                self._say(say="exited", id=identity, status=os.waitstatus_to_exitcode(status))

    def _say(self, **words: Any) -> None:
        self._control.sendall(encode(words))


def main() -> None:
    """Import TensorFlow, say so, and serve."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    # Python warns of forks in a process with threads; TensorFlow's import starts some, idle.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
    try:
        import tensorflow as tf
    except ModuleNotFoundError as error:
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
    control.sendall(encode({"say": "ready", "tensorflow": tf.__version__}))
    Launcher(control).serve()


if __name__ == "__main__":
    main()
