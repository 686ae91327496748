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
        shutil.rmtree(self.path, ignore_errors=True)
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
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def temporary_folders(parents: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders of this user that are called like ours, in use or not."""
    for parent in parents:
        with contextlib.suppress(OSError):
            for entry in os.scandir(parent):
                with contextlib.suppress(OSError):
                    ours = OURS.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
                    if ours and entry.stat(follow_symlinks=False).st_uid == os.getuid():
                        yield Path(entry.path)


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
