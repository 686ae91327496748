"""Temporary folders that can be told from abandoned ones: each is locked while its process lives.

A kernel that is killed leaves its folders behind. A lock goes with the process that holds it, on
whatever machine and in whatever container that was; a process id would say nothing there.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from labkit.record.saving.shared_folder import others_may_write

# What `tempfile.mkdtemp` adds to our prefixes. With the ending and its rights nobody makes a folder
# of their own so: ``labkit-run-20261123`` was somebody's, and was swept away.
ENDING, RIGHTS = ".tmp", 0o700
OURS = re.compile(
    rf"labkit-(run|scratch|cell|exercise|mystery|check)-[a-z0-9_]{{8}}{re.escape(ENDING)}"
)


class TemporaryFolder:
    """A new folder, locked until it is removed.

    Args:
        purpose: A word of the folder's name, one of those in `OURS`.
        parent: Where; None for the system's folder for temporary files.

    Raises:
        OSError: If it cannot be made.
    """

    def __init__(self, purpose: str, parent: Path | None = None) -> None:
        while True:
            made = tempfile.mkdtemp(prefix=f"labkit-{purpose}-", suffix=ENDING, dir=parent)
            self.path = Path(made)
            try:
                self._lock: int | None = lock_folder(self.path)
            except BlockingIOError:
                continue  # somebody sweeps it away just now
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE):
                    os.rmdir(self.path)
                    raise
                if not self.path.exists():
                    continue
                self._lock = None  # no locks here: it works as well, and is never swept away
            self._made = _identity(self.path)
            return

    def remove(self) -> None:
        """Remove it with all that is in it; what cannot be removed now is there for a sweep.

        What somebody else has put in its place is not ours to remove.
        """
        if _identity(self.path) == self._made:
            remove_folder(self.path)
        self.unlock()

    def unlock(self) -> None:
        """Let go of the lock; whoever else has a copy of it keeps it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> str:
        return str(self.path)

    def __exit__(self, *_: object) -> None:
        self.remove()


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what a folder keeps when it is renamed; None where there is none."""
    try:
        found = folder.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def sweep(parents: Iterable[Path]) -> None:
    """Remove the folders in some places that killed processes of this user have left.

    Where others may rename what is ours, a name says nothing of what it is: nothing is removed.
    """
    for folder in temporary_folders(each for each in parents if not _others_may_rename(each)):
        with contextlib.suppress(OSError):  # in use
            lock = lock_folder(folder)
            remove_folder(folder)
            os.close(lock)


def _others_may_rename(parent: Path) -> bool:
    """Tell whether others may rename our folders in one; in /tmp they may not (``man 1 chmod``)."""
    try:
        found = parent.stat()
    except OSError:
        return False
    return not found.st_mode & stat.S_ISVTX and others_may_write(parent, found)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as that can be done.

    A loop may have made folders so deep that Python cannot climb down, or taken its own rights to
    them away. The system's own programs are started for these alone. What it has mounted there is
    somebody's data: it is let go of first, and where that cannot be done the folder stays.
    """
    if folder.is_symlink():  # somebody who may has put it there, and it leads anywhere
        with contextlib.suppress(OSError):
            folder.unlink()
        return
    for mounted in mounts_below(folder):
        _unmount(mounted)
    if mounts_below(folder):
        return
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.name == "posix" and folder.exists():
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            with contextlib.suppress(OSError):
                subprocess.run(
                    [*command, "--", str(folder)], check=False,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip


def mounts_below(folder: Path) -> list[Path]:
    """Return where something is mounted in a folder, the innermost first (``man 5 proc``)."""
    top = os.fsencode(os.path.realpath(folder)) + b"/"
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            mounted = [line.split(b" ")[4] for line in file]
    except OSError:  # not Linux: nobody mounts there without being asked
        return []
    # A space, a tab, a line's end and a backslash are written in octal.
    paths = [re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), path) for path in mounted]
    return [Path(os.fsdecode(path)) for path in reversed(paths) if path.startswith(top)]


def _unmount(path: Path) -> None:
    detach = 2  # MNT_DETACH, man 2 umount: who still uses it may go on
    ctypes.CDLL(None).umount2(os.fsencode(path), detach)


def temporary_folders(parents: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders of this user that are called like ours, in use or not."""
    for parent in parents:
        try:
            names = [name for name in os.listdir(parent) if OURS.fullmatch(name)]
        except OSError:
            continue
        for folder in (parent / name for name in names):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                # Made in a set-gid folder, as groups have them on clusters, it is set-gid, too.
                rights = stat.S_IMODE(found.st_mode) & ~stat.S_ISGID
                ours = found.st_uid == os.getuid() and rights == RIGHTS
                if stat.S_ISDIR(found.st_mode) and ours:
                    yield folder


def lock_folder(folder: Path) -> int:
    """Return a new descriptor that holds the lock on a folder for as long as it is open.

    Raises:
        BlockingIOError: If another process holds it.
        OSError: If there are no such locks on this system or this file system, or no descriptors.
    """
    try:
        import fcntl
    except ModuleNotFoundError as error:  # Windows
        raise OSError("no locks on folders") from error
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(folder)  # another may have removed it between its making and its lock
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
