"""A file that is written whole or not at all."""

from __future__ import annotations

import errno
import itertools
import os
import secrets
import select
import stat
import time
from contextlib import suppress
from pathlib import Path

from labkit.record.errors import LabkitError

LONGEST_WAIT_SECONDS = 10.0


def write_whole(target: Path, data: bytes, what: str, *, replace: bool = True) -> Path:
    """Write a file, and return it.

    What is replaced keeps its permissions; a link stays one, and the file it leads to is replaced.

    Args:
        target: Where.
        data: All of it.
        what: What is saved, for the sentence of an error, e.g. ``"The run"``.
        replace: Whether a file of that name is replaced; else the next free name is taken, e.g.
            ``run-2.jsonl``, even where two programs ask for one at the same time.

    Raises:
        LabkitError: If it cannot be written there; what was there before is untouched.
    """
    part = None
    try:
        if replace and target.exists() and not target.is_file():
            # A pipe or a device, such as /dev/stdout: renaming would put a file in its place.
            _pour(target, data)
            return target
        # Written beside the target and renamed, or a full disk would leave half a file behind.
        place = Path(os.path.realpath(target)) if replace else target
        part = place.with_name(f".labkit-{secrets.token_hex(8)}.part")
        _write(part, data, _permissions(place) if replace else None)
        if not replace:
            return _moved_to_free_name(part, target)
        os.replace(part, place)
        return target
    except OSError as error:
        raise LabkitError(
            f"{what} could not be saved to {str(target)!r} ({error.strerror}); choose a folder "
            "that exists, has room and that you may write to."
        ) from error
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _pour(target: Path, data: bytes) -> None:
    """Write into a pipe or a device that somebody must be reading from.

    Raises:
        OSError: If nobody does.
    """
    descriptor = _opened(target)
    try:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(descriptor, rest) :]
            except BlockingIOError:
                if not select.select([], [descriptor], [], LONGEST_WAIT_SECONDS)[1]:
                    raise TimeoutError(errno.ETIMEDOUT, "nobody reads from it") from None
    finally:
        os.close(descriptor)


def _opened(target: Path) -> int:
    # Blocked, a pipe that nobody has opened to read would be waited for without end.
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        try:
            return os.open(target, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > deadline:
                raise TimeoutError(errno.ETIMEDOUT, "nobody reads from it") from error
            time.sleep(0.02)


def _permissions(file: Path) -> int | None:
    """Return the permissions of a file; None if there is none."""
    try:
        return stat.S_IMODE(os.stat(file).st_mode)
    except FileNotFoundError:
        return None


def _write(file: Path, data: bytes, permissions: int | None) -> None:
    """Write a new file; without permissions those that the user gives to every new file."""
    # Not even while it is written may others read what they could not read before.
    first = 0o666 if permissions is None else 0o600
    with open(file, "xb", opener=lambda path, flags: os.open(path, flags, first)) as opened:
        opened.write(data)
    if permissions is not None:
        os.chmod(file, permissions)


def _moved_to_free_name(part: Path, wanted: Path) -> Path:
    for name in _names(wanted):
        try:
            os.link(part, name)
        except FileExistsError:
            continue
        except OSError:  # a file system without links, such as a drive mounted on Colab
            if not _moved(part, name):
                continue
        return name
    raise AssertionError("names do not run out")


def _moved(part: Path, name: Path) -> bool:
    """Move a file to a name if that is free; return whether it was."""
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return False
    try:
        os.replace(part, name)
    except OSError:
        os.unlink(name)
        raise
    return True


def _names(wanted: Path) -> itertools.chain[Path]:
    """Return ``run.jsonl.gz``, ``run-2.jsonl.gz``, ``run-3.jsonl.gz`` and so on."""
    stem, ending = os.path.splitext(wanted.name)
    if ending == ".gz":
        stem, inner = os.path.splitext(stem)
        ending = inner + ending
    others = (wanted.with_name(f"{stem}-{place}{ending}") for place in itertools.count(2))
    return itertools.chain((wanted,), others)
