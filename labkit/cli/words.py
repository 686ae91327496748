"""Words: what a command says and keeps. Files come first, so that no listener takes a run along.

A reader who leaves (``| head -1``) and a disk that is full raise nothing in the middle of a
command. They decide at its end what its exit status is: never 0 where nobody was told and no file
was asked for. A reader who leaves a pipe makes it 141, as a shell says of every program that
SIGPIPE ends: there is nothing to explain to them. All else makes it 2, with a sentence.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import click

from labkit.cli.interrupt import held_back
from labkit.cli.stream import Stream
from labkit.record import LabkitError
from labkit.record.plain_text import LONGEST_LINE, one_line, plain_text

UNTOLD = UNSAVED = 2
READER_LEFT = 128 + 13  # SIGPIPE, which Windows does not know
# A pipe without a reader, a descriptor that was closed before we began, a terminal that is gone.
NOBODY_LISTENS = (errno.EPIPE, errno.EBADF, errno.EIO)


def say(text: str, *, err: bool = False) -> None:
    """Print words, which may quote anything, so that no terminal obeys them.

    All words of a command go this way; JSON does not, for there an escape of ours would be damage.

    Args:
        text: What is said.
        err: Whether it goes to standard error.
    """
    click.echo(plain_text(text), err=err)


def say_saved(written: Path, instead_of: Path | None = None) -> None:
    """Say on standard error where a file is, and where it was asked for if that is elsewhere."""
    instead = "" if instead_of is None else f" instead of {file_name(instead_of)}"
    say(f"saved to {file_name(written)}{instead}", err=True)


def file_name(path: str | Path) -> str:
    """Return a path as it may stand in a line: all of it, for it may be looked for."""
    return one_line(str(path), LONGEST_LINE)


class Save(Protocol):
    """Writes a file and returns it; a name that is taken is replaced, or the next free one used."""

    def __call__(self, path: Path, *, replace: bool = True) -> Path: ...


class Words:
    """What a command says and keeps, from its beginning to its exit status."""

    def __init__(self) -> None:
        self.out = Stream(sys.stdout)
        self.error = Stream(sys.stderr)
        self._kept = False
        self._unsaved: Exception | None = None

    @contextlib.contextmanager
    def spoken(self) -> Iterator[None]:
        """Let all that is printed go this way, what the libraries print for us included."""
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.error):
            yield

    @property
    def in_vain(self) -> bool:
        """Whether nobody takes the words and no file keeps them: nothing is left to work for."""
        return self.out.lost is not None and not self._kept

    def keep(self, save: Save, out: Path, *, replace: bool = True) -> bool:
        """Write a file before anything is said of it, and say where it is.

        Where it cannot be written there, for the folder is gone, the disk has become full or nobody
        reads the pipe, it goes to the current folder, or to that for temporary files. The command
        then ends with an error, and tells its words before.

        Args:
            save: Writes it.
            out: Where it was asked for.
            replace: Whether what is there may be replaced; if not, the next free name is taken.

        Returns:
            Whether it is kept in any place.
        """
        self._kept = False
        with held_back():
            try:
                written = save(out, replace=replace)
                self._said_kept(written, None if replace or written == out else out)
            except LabkitError as error:
                self._unsaved = error
                # Who has read enough of a pipe asks for no file in its place.
                if getattr(error.__cause__, "errno", None) != errno.EPIPE:
                    self._keep_elsewhere(save, out)
            except Exception as error:  # a fault of ours must not take the words along
                self._unsaved = error
        return self._kept

    def _keep_elsewhere(self, save: Save, out: Path) -> None:
        for folder in (os.getcwd, tempfile.gettempdir):
            with contextlib.suppress(LabkitError, OSError):  # there may be no such folder, either
                written = save(Path(folder(), out.name), replace=False)
                self._said_kept(written, out)
                return

    def _said_kept(self, written: Path, instead_of: Path | None = None) -> None:
        say_saved(written, instead_of)
        self._kept = True

    def status(self, status: int) -> int:
        """Say what could not be said or saved, and return the exit status.

        Args:
            status: What it would be if all were told and saved.
        """
        if self._unsaved is not None:
            if not isinstance(self._unsaved, LabkitError):
                raise self._unsaved
            say(f"labkit: {self._unsaved}", err=True)
            status = status or UNSAVED
        lost = self.out.lost
        if lost is None or (self._kept and lost.errno in NOBODY_LISTENS):
            return status
        if lost.errno == errno.EPIPE:
            return status or READER_LEFT
        say(
            f"labkit: The answer could not be written to standard output ({lost.strerror}); send "
            "it to a terminal, a program that reads it, or a disk that has room.",
            err=True,
        )
        return status or UNTOLD
