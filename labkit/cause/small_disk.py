"""A small disk: a real file system of a few megabytes that can be filled, and harms no other.

A child process makes a user and a mount namespace of its own, which needs no privileges, and mounts
a tmpfs there. Others of this user see its files below ``/proc/PID/root``. It goes with the child,
and the child with this process: its standard input ends then. Linux only, and some systems forbid
user namespaces.
"""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

from labkit.record import LabkitError

MOUNT = 'mount -t tmpfs -o size="$1" small-disk /tmp && echo mounted && exec cat'


def small_disk(size_bytes: int) -> str:
    """Return a folder on a file system of so many bytes; it is there until this process ends.

    Raises:
        LabkitError: If this system gives no such file system.
    """
    command = shutil.which("unshare")
    said = "there is no command unshare"
    if command is not None:
        asked = (command, "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh")
        child, said = _start((*asked, str(size_bytes)))
        folder = Path("/proc", str(child), "root", "tmp")
        if said == "mounted" and folder.is_dir():
            return str(folder)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    raise LabkitError(
        f"This system gives no small disk of its own ({said}), and labkit fills no other; choose "
        "disk = 0."
    )


def _start(command: tuple[str, ...]) -> tuple[int, str]:
    """Start a child that ends with this process; return its number and the first line it says."""
    stdin, _ = os.pipe()  # its other end stays open for as long as this process runs
    told, stdout = os.pipe()
    ends = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in ((stdin, 0), (stdout, 1),
                                                                      (stdout, 2))]  # fmt: skip
    child = os.posix_spawn(command[0], command, os.environ, file_actions=ends)
    os.close(stdin)
    os.close(stdout)
    with open(told, encoding="utf-8", errors="replace") as lines:
        return child, lines.readline().strip()
