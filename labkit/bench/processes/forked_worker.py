"""A worker that the launcher has forked, and the pipes it is talked to on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Protocol

import psutil

from labkit.bench.processes.process_tree import end_session
from labkit.bench.processes.start import LAUNCHER_GONE


class Starter(Protocol):
    """Who keeps the launcher, and so knows what became of its workers."""

    def exit_status(self, identity: int) -> int | None:
        """Return a worker's exit status, None while it runs."""

    def kill(self, identity: int) -> None:
        """End a worker."""

    def last_words_of(self, identity: int) -> str:
        """Return why a worker was not made, or why its launcher ended."""


class ForkedWorker:
    """A worker forked by the launcher, which alone may reap and kill it while it lives itself."""

    def __init__(self, identity: int, commands: int, words: int, starter: Starter) -> None:
        self.identity = identity
        self.commands = commands
        self.words = words
        self._starter = starter

    def exit_status(self) -> int | None:
        return self._starter.exit_status(self.identity)

    def kill(self) -> None:
        self._starter.kill(self.identity)

    def last_words(self) -> str:
        return self._starter.last_words_of(self.identity)

    def end_rest(self, process: psutil.Process | None) -> None:
        if process is not None and self.exit_status() == LAUNCHER_GONE:
            end_session(process)

    def close(self) -> None:
        """Hold nothing: the last words are the launcher's."""

    def dismiss(self) -> None:
        """Close the pipes of a worker that never got a job; it ends at the end of file."""
        os.close(self.commands)
        os.close(self.words)


@contextlib.contextmanager
def pipe_pairs() -> Iterator[tuple[int, int, int, int]]:
    """Make the pipes of a worker: our end for commands and for words, then its own two.

    Its ends are closed at the end of the block, when they have been sent; all four are if it fails.
    """
    with contextlib.ExitStack() as undo:
        its_commands, commands = _closed_by(undo, os.pipe())
        words, its_words = _closed_by(undo, os.pipe())
        yield commands, words, its_commands, its_words
        undo.pop_all()
    os.close(its_commands)
    os.close(its_words)


def _closed_by(undo: contextlib.ExitStack, ends: tuple[int, int]) -> tuple[int, int]:
    for end in ends:
        undo.callback(os.close, end)
    return ends
