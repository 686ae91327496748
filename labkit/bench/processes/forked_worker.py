"""A worker that the launcher has forked, and the pipes it is talked to on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping

import psutil

from labkit.bench.processes.process_tree import end_session
from labkit.bench.processes.start import LAUNCHER_GONE


class ForkedWorker:
    """A worker forked by the launcher, which alone may reap and kill it while it lives itself.

    The launcher tells of the worker's reaper. Where it is gone, the reaper is looked at directly.

    Args:
        identity: A number that no other worker of this kernel has.
        commands: Our end of the pipe it is told its job on.
        words: Our end of the pipe it answers on.
        have_killed: Has the launcher end the worker of a number.
    """

    def __init__(
        self, identity: int, commands: int, words: int, have_killed: Callable[[int], None]
    ) -> None:
        self.identity = identity
        self.commands = commands
        self.words = words
        self.top_id: int | None = None  # as long as it was not told
        self._reaper: psutil.Process | None = None
        self._have_killed = have_killed
        self._status: int | None = None
        self._last_words = ""

    def take(self, message: Mapping[str, object]) -> None:
        """Take in that its reaper was forked or has exited."""
        if message["say"] == "exited":
            self._last_words = str(message.get("words", ""))
            self._status = int(str(message["status"]))
        else:
            self.top_id = int(str(message["pid"]))
            # It has ended already, or no descriptor is left to look at it with.
            with contextlib.suppress(psutil.Error, OSError):
                self._reaper = psutil.Process(self.top_id)

    def lose(self, last_words: str) -> None:
        """Note that nobody will tell of it any more: the launcher has ended, with these words."""
        self._last_words = last_words
        self._status = LAUNCHER_GONE

    def lives(self) -> bool:
        """Tell whether it can be given a job, also before the launcher tells that it has died."""
        return self._status is None and (self._reaper is None or self._reaper_lives())

    def exit_status(self) -> int | None:
        """Return None while it runs, then its exit status; `LAUNCHER_GONE` if nobody can tell."""
        # The reaper of a launcher which is gone takes a moment to end what is below it.
        return None if self._status == LAUNCHER_GONE and self._reaper_lives() else self._status

    def kill(self) -> None:
        if self._status is None:
            self._have_killed(self.identity)
        elif self._status == LAUNCHER_GONE and self._reaper is not None:
            # psutil compares when the process began, so it is never another of that number.
            with contextlib.suppress(psutil.Error, OSError):
                for descendant in (*self._reaper.children(recursive=True), self._reaper):
                    descendant.kill()

    def last_words(self) -> str:
        """Return why it was not made, or the last line of a launcher that ended itself."""
        return self._last_words

    def end_rest(self, process: psutil.Process | None) -> None:
        if process is not None and self.exit_status() == LAUNCHER_GONE:
            end_session(process)

    def close(self) -> None:
        """Hold nothing: the last words are the launcher's."""

    def dismiss(self) -> None:
        """Close the pipes of a worker that never got a job; it ends at the end of file."""
        os.close(self.commands)
        os.close(self.words)

    def _reaper_lives(self) -> bool:
        with contextlib.suppress(psutil.Error, OSError):
            # In a container nobody may take in a process that has lost its parent.
            return self._reaper is not None and self._reaper.status() != psutil.STATUS_ZOMBIE
        return False


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
