"""The quick way to start a worker: forked by a warm launcher, which this side keeps."""

from __future__ import annotations

import contextlib
import itertools
import socket
import subprocess
import threading
from collections.abc import Mapping

from labkit.bench.processes.forked_worker import ForkedWorker, pipe_pairs
from labkit.bench.processes.inherited import Inherited
from labkit.bench.processes.launcher_process import start_launcher
from labkit.bench.processes.start import LastWords
from labkit.bench.protocol import Lines, encode
from labkit.record import LabkitError

CLOSE_SECONDS = 20.0


class ForkStarter:
    """Keeps one launcher warm and has it fork the workers.

    One spare worker is forked ahead, between runs: it has then already paid for its first garbage
    collection (0.15 s, which copies the launcher's pages) and waits for its job.

    A launcher that has died is replaced at the next start; its workers end with it, because their
    sessions close the pipes. So is one whose workers would not be as if they were started now.
    """

    kind = "fork"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._inherited = Inherited({}, frozenset())  # by the launcher
        self._identities = itertools.count(1)
        self._workers: dict[int, ForkedWorker] = {}  # those that have not ended, by identity
        self._spare: ForkedWorker | None = None
        self._ready = threading.Event()
        self._failure = ""

    @property
    def process_id(self) -> int | None:
        """The launcher's process id, for tests and for the curious; None when there is none."""
        with self._lock:
            return self._process.pid if self._process is not None else None

    @property
    def spare_process_id(self) -> int | None:
        """The process id of the spare worker's reaper; None when there is none."""
        with self._lock:
            return self._spare.top_id if self._spare is not None else None

    def warm(self) -> None:
        """Start the launcher if there is none, and a spare worker; returns at once."""
        with self._lock:
            self._warm()
        self.prepare()

    def prepare(self) -> None:
        """Have a spare worker forked if there is none; never while something is being timed."""
        with self._lock:
            if self._control is not None:
                self._spare = self._living_spare() or self._fork_one()

    def wait_until_ready(self, seconds: float) -> bool:
        """Return whether the launcher has imported TensorFlow within this time."""
        return self._ready.wait(seconds)

    def catch_up(self) -> dict[str, str | None] | None:
        """Return the variables that the next worker has to set to be as if it were started now.

        Where that would come too late, the launcher makes room for a new one.

        Returns:
            Their values; None for one to remove. None instead while the launcher has runs.
        """
        now = Inherited.by_a_child()
        with self._lock:
            changes = self._inherited.changes_to(now) if self._control is not None else {}
            if changes is None and all(each is self._spare for each in self._workers.values()):
                self._retire()
                return {}
            return changes

    def _retire(self) -> None:
        """End a launcher that has no run, or that nobody hears because no thread was to be had."""
        assert self._process is not None
        if self._spare is not None:
            self._spare.dismiss()
            self._spare = None
        self._process.kill()
        self._process.communicate()
        self._lose_launcher("")

    def _lose_launcher(self, last_words: str) -> None:
        self._control = self._process = None
        self._ready.clear()
        for worker in self._workers.values():
            worker.lose(last_words)
        self._workers.clear()

    def start(self, environment: Mapping[str, str]) -> ForkedWorker:
        if environment:
            raise LabkitError(
                f"{', '.join(environment)} is read while TensorFlow is imported; "
                "such a run needs a plain start."
            )
        with self._lock:
            self._warm()
            spare = self._living_spare()
            self._spare = None
            return spare or self._fork_one()

    def _living_spare(self) -> ForkedWorker | None:
        """Return the spare worker if it is alive; one that has died is cleared away."""
        if self._spare is not None and not self._spare.lives():
            self._spare.dismiss()
            self._spare = None
        return self._spare

    def _fork_one(self) -> ForkedWorker:
        identity = next(self._identities)
        with pipe_pairs() as (commands, words, *theirs):
            self._send(encode({"do": "fork", "id": identity}), theirs)
        made = self._workers[identity] = ForkedWorker(identity, commands, words, self._kill)
        return made

    def _kill(self, identity: int) -> None:
        with self._lock:
            if self._control is not None:
                self._send(encode({"do": "kill", "id": identity}), [])

    def leave_to_parent(self) -> None:
        """Close our copies of the launcher's and the spare worker's ends, in a forked process."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        if self._spare is not None:
            self._spare.dismiss()
        self._control = self._spare = None

    def close(self) -> None:
        """End the launcher."""
        with self._lock:
            control, process = self._control, self._process
            if self._spare is not None:
                self._spare.dismiss()
                self._spare = None
        if control is not None and process is not None:
            # Shutdown wakes the thread that reads; it then closes the socket itself.
            with contextlib.suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)
            try:
                process.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:  # somebody has stopped it, perhaps
                process.kill()
                process.wait()
            self._hearing.join(timeout=5)  # or what it holds would be open a moment longer

    def _send(self, data: bytes, handles: list[int]) -> None:
        assert self._control is not None
        try:
            socket.send_fds(self._control, [data], handles)
        except OSError as error:
            raise LabkitError(
                "The launcher that starts runs has just ended; press Run again to start a new one."
            ) from error

    def _warm(self) -> None:
        if self._control is not None:
            return
        with contextlib.ExitStack() as undo:
            words = undo.enter_context(contextlib.closing(LastWords()))
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            undo.callback(ours.close)
            # A cell may have given every new socket a time limit; quiet is no end of the launcher.
            ours.settimeout(None)
            theirs.settimeout(None)
            self._inherited = Inherited.by_a_child()
            with theirs:
                self._process = start_launcher(theirs, self._inherited.variables, words.file)
            self._hearing = threading.Thread(
                target=self._hear,
                args=(ours, self._process, words),
                name="labkit-launcher",
                daemon=True,
            )
            self._control, self._failure = ours, ""
            undo.callback(self._retire)
            self._hearing.start()
            undo.pop_all()

    def _hear(
        self, control: socket.socket, process: subprocess.Popen[bytes], words: LastWords
    ) -> None:
        lines = Lines()
        reset = False
        while True:
            try:
                data = control.recv(65536)
            except ConnectionResetError:
                # A launcher that ended before it had read a "fork" resets the connection, and the
                # system tells so ahead of the launcher's last words: read on for those, once.
                if not reset:
                    reset = True
                    continue
                data = b""
            except OSError:
                data = b""
            if not data:
                break
            with self._lock:
                for message in lines.take(data):
                    self._take(message)
        process.communicate()  # ends its input as well, and so one that still imports TensorFlow
        last_words = words.line()
        words.close()
        with self._lock:
            control.close()
            if self._control is control:
                self._lose_launcher(last_words)

    def _take(self, message: Mapping[str, object]) -> None:
        if message["say"] == "ready":
            self._ready.set()
        elif message["say"] == "failed":
            self._failure = str(message["reason"])
        elif (worker := self._workers.get(int(str(message["id"])))) is not None:
            worker.take(message)
            if message["say"] == "exited":
                del self._workers[worker.identity]

    @property
    def failure(self) -> str:
        """Why the last launcher could not import TensorFlow; empty if it could."""
        with self._lock:
            return self._failure
