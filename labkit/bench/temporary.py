"""Temporary folders that can be told from abandoned ones: each is locked while its process lives.

A kernel that is killed leaves its folders behind. A lock goes with the process that holds it, on
whatever machine and in whatever container that was; a process id would say nothing there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

# What `tempfile.mkdtemp` adds to our prefixes; nobody calls a folder of their own so.
OURS = re.compile(r"labkit-(run|scratch|cell|exercise|mystery|check)-[a-z0-9_]{8}")


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
            self.path = Path(tempfile.mkdtemp(prefix=f"labkit-{purpose}-", dir=parent))
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
            return

    def remove(self) -> None:
        """Remove it with all that is in it; what cannot be removed now is there for a sweep."""
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


def sweep(parents: Iterable[Path]) -> None:
    """Remove the folders in some places that killed processes of this user have left."""
    for folder in temporary_folders(parents):
        with contextlib.suppress(OSError):  # in use
            lock = lock_folder(folder)
            remove_folder(folder)
            os.close(lock)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as that can be done.

    A loop may have made folders so deep that Python cannot climb down, or taken its own rights to
    them away. The system's own programs are started for these alone.
    """
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.name == "posix" and folder.exists():
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            with contextlib.suppress(OSError):
                subprocess.run(
                    [*command, "--", str(folder)], check=False,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip


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
                if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
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
