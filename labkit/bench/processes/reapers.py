"""What a kernel knows of its workers' reapers: whether each lives, and how it ended.

The launcher tells of them. Where it is gone itself, they are looked at directly.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import psutil

from labkit.bench.processes.start import LAUNCHER_GONE


class Reapers:
    """The reapers a launcher was asked for, by the kernel's id of each."""

    def __init__(self) -> None:
        self._statuses: dict[int, int | None] = {}
        self._words: dict[int, str] = {}
        self._process_ids: dict[int, int] = {}
        self._processes: dict[int, psutil.Process] = {}

    def asked(self, identity: int) -> None:
        """Note that one was asked for."""
        self._statuses[identity] = None

    def take(self, message: Mapping[str, object]) -> None:
        """Take in that one was forked or has exited."""
        identity = int(str(message["id"]))
        if message["say"] == "exited":
            self._statuses[identity] = int(str(message["status"]))
            self._words[identity] = str(message.get("words", ""))
            self._processes.pop(identity, None)
        else:
            self._process_ids[identity] = int(str(message["pid"]))
            # It has ended already, or no descriptor is left to look at it with.
            with contextlib.suppress(psutil.Error, OSError):
                self._processes[identity] = psutil.Process(self._process_ids[identity])

    def lose(self) -> None:
        """Note that nobody will tell of them any more: the launcher has ended."""
        for identity, status in self._statuses.items():
            if status is None:
                self._statuses[identity] = LAUNCHER_GONE

    def process_id(self, identity: int) -> int | None:
        """Return one's process id; None as long as it was not told."""
        return self._process_ids.get(identity)

    def exit_status(self, identity: int) -> int | None:
        """Return how one ended, None while it lives; `LAUNCHER_GONE` if nobody can tell."""
        status = self._statuses[identity]
        # That of a launcher which is gone takes a moment to end what is below it.
        return None if status == LAUNCHER_GONE and self._alive(identity) else status

    def last_words(self, identity: int) -> str:
        """Return why one was never made; empty as a rule."""
        return self._words.get(identity, "")

    def kill(self, identity: int) -> bool:
        """End one and what is below it if its launcher is gone; return False if that must do it."""
        if self._statuses[identity] is None:
            return False
        process = self._processes.get(identity)
        if self._statuses[identity] == LAUNCHER_GONE and process is not None:
            # psutil compares when the process began, so it is never another of that number.
            with contextlib.suppress(psutil.Error, OSError):
                for descendant in (*process.children(recursive=True), process):
                    descendant.kill()
        return True

    def _alive(self, identity: int) -> bool:
        process = self._processes.get(identity)
        with contextlib.suppress(psutil.Error, OSError):
            # In a container nobody may take in a process that has lost its parent.
            return process is not None and process.status() != psutil.STATUS_ZOMBIE
        return False
