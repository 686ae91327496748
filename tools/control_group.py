"""A control group of one's own: what holds its processes to a limit, as a container does."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

GROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
EMPTY_SECONDS = 10.0


@contextlib.contextmanager
def control_group(kind: str, limits: Mapping[str, str]) -> Iterator[Path | None]:
    """Make a group and remove it; its processes should have ended by then.

    Args:
        kind: What it limits: ``memory`` or ``cpu``.
        limits: The text of its file, by the file's name; of a file for each version of control
            groups (Linux, `man 7 cgroups`) the one that is there is written.

    Yields:
        Its folder; None where none can be made, and then nobody is held to anything.
    """
    folder = _made(kind, limits)
    try:
        yield folder
    finally:
        if folder is not None:
            _remove(folder)


def join(folder: Path, process_id: int) -> None:
    """Hold a process, and all that it starts from now on, to the limit."""
    (folder / "cgroup.procs").write_text(str(process_id), "ascii")


def own_folders(kind: str) -> Iterator[Path]:
    """Yield the folders of the groups that this process is in and that may limit a kind."""
    try:
        lines = OWN.read_text("ascii").splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, path = line.split(":", 2)
        if kind in kinds.split(","):
            yield GROUPS / kind / path.lstrip("/")
        elif not kinds:
            yield GROUPS / path.lstrip("/")


def _made(kind: str, limits: Mapping[str, str]) -> Path | None:
    for parent in own_folders(kind):
        folder = parent / f"labkit-{os.getpid()}-{time.monotonic_ns()}"
        try:
            folder.mkdir()
        except OSError:  # not allowed here, as in most containers
            continue
        for name, text in limits.items():
            # A control group of version 2 has the file only where its parent hands the kind down.
            if (folder / name).exists():
                (folder / name).write_text(text, "ascii")
                return folder
        folder.rmdir()
    return None


def _remove(folder: Path) -> None:
    deadline = time.monotonic() + EMPTY_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.1)  # the last of its processes is just ending
