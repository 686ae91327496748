"""A file that is written whole or not at all."""

from __future__ import annotations

import errno
import itertools
import os
import select
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from labkit.record.errors import LabkitError
from labkit.record.saving.part_file import part_beside, remove_left_parts
from labkit.record.saving.permissions import Permissions, give_permissions, permissions_of
from labkit.record.saving.shared_folder import (
    MOST_LINKS,
    NOFOLLOW,
    NONBLOCK,
    check_opened,
    check_ours,
    followed,
)

LONGEST_WAIT_SECONDS = 10.0
# What file systems answer that cannot write a file through to the disk, such as a drive of Colab's.
NO_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


def write_whole(target: Path, data: bytes, what: str, *, replace: bool = True) -> Path:
    """Write a file through to the disk, and return it.

    What is replaced keeps its permissions, owner and group, as far as we may give them; a link
    stays one, and the file it leads to is replaced.

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
    if "\0" in str(target):
        raise LabkitError(
            f"{what} could not be saved to {str(target)!r} (no file's name has a zero character); "
            "choose another name."
        )
    try:
        place = target
        try:
            number = open_descriptor(target)
        except PermissionError:  # another user's link: the next free name passes it over
            if replace:
                raise
            number = None
        if number is not None:
            _pour(os.dup(number), data)
            return target
        if replace:
            place = followed(target)
            check_ours(place)
            if place.exists() and not place.is_file():
                # A pipe or a device: renaming would put a file in its place.
                _pour(_opened(place), data)
                return target
        # Written beside the target and renamed, or a full disk would leave half a file behind.
        remove_left_parts(place.parent)
        part = part_beside(place)
        _write(part, data, permissions_of(place) if replace else None)
        if not replace:
            target = _moved_to_free_name(part, target)
        else:
            os.replace(part, place)
        _sync_folder(place.parent)
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


def open_descriptor(target: Path) -> int | None:
    """Return which of our open descriptors a name such as ``/dev/stdout`` means; None if none.

    Where a shell has sent it into a file, the name leads to that file. Replaced, what the file held
    would be gone, and what is written later would go where nobody finds it.

    Raises:
        OSError: If another user's link leads there.
    """
    folders = {os.path.realpath("/proc/self/fd"), "/dev/fd"}  # the latter where it is no link
    for _ in range(MOST_LINKS):
        if target.name.isdecimal() and os.path.realpath(target.parent) in folders:
            return int(target.name)
        if not target.is_symlink():
            return None
        check_ours(target)
        target = target.parent / os.readlink(target)
    return None


def pour(descriptor: int, data: bytes, longest_wait_seconds: float | None = None) -> None:
    """Write all of it to a descriptor, also to one that does not block.

    Args:
        descriptor: Stays open.
        data: What is written.
        longest_wait_seconds: How long a reader may take nothing; None for as long as it likes.

    Raises:
        OSError: If nobody reads.
    """
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            if not select.select([], [descriptor], [], longest_wait_seconds)[1]:
                raise TimeoutError(errno.ETIMEDOUT, "nobody reads from it") from None


def _pour(descriptor: int, data: bytes) -> None:
    """Write to a descriptor and close it; a pipe must have a reader."""
    try:
        pour(descriptor, data, LONGEST_WAIT_SECONDS)
    finally:
        os.close(descriptor)


def _opened(target: Path) -> int:
    # Blocked, a pipe that nobody has opened to read would be waited for without end.
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        try:
            descriptor = os.open(target, os.O_WRONLY | NONBLOCK | NOFOLLOW)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > deadline:
                raise TimeoutError(errno.ETIMEDOUT, "nobody reads from it") from error
            time.sleep(0.02)
            continue
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):  # it was none when it was looked at
                raise PermissionError(errno.EACCES, "what has this name there was exchanged")
            check_opened(descriptor, target)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor


def _write(file: Path, data: bytes, replaced: Permissions | None) -> None:
    """Write a new file, with the permissions of the one that it replaces, if there is one."""
    # Not even while it is written may others read what they could not read before. And where all
    # users look for files, a new one is private: a report holds lines of somebody's program.
    first = 0o600 if replaced is not None or _is_temporary(file.parent) else 0o666
    with open(file, "xb", opener=lambda path, flags: os.open(path, flags, first)) as opened:
        opened.write(data)
        if replaced is not None and os.name == "posix":
            give_permissions(opened.fileno(), replaced)
        # Else the name may reach the disk before the data: a power cut then leaves an empty file
        # where the whole one was before.
        opened.flush()
        _sync(opened.fileno())
    if replaced is not None and os.name != "posix":  # which sets nothing by a descriptor
        give_permissions(file, replaced)


def _sync(descriptor: int) -> None:
    """Wait until a file is on the disk, where the file system can tell."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in NO_SYNC:  # a disk that is full may say so here for the first time
            raise


def _sync_folder(folder: Path) -> None:
    """Wait until a folder's names are on the disk; the file in it is whole by now in any case."""
    with suppress(OSError):  # not all systems open a folder
        descriptor = os.open(folder, os.O_RDONLY | NONBLOCK)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_temporary(folder: Path) -> bool:
    """Tell whether a folder is that for temporary files, which the users of a machine share."""
    try:
        return os.path.samefile(folder, tempfile.gettempdir())
    except OSError:  # there is none
        return False


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
