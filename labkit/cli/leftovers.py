"""What a command would leave behind: processes that a file has started, and matplotlib's folder."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import tempfile
import threading
from pathlib import Path

MATPLOTLIB = "MPLCONFIGDIR"
# What matplotlib calls the folder that it makes (`matplotlib._get_config_or_cache_dir`).
MADE_BY_MATPLOTLIB = re.compile(r"matplotlib-[a-z0-9_]{8}")


class Leftovers:
    """Made before anything is started, and cleared up however the command ends.

    What a shell had started before its process became this command is not ours to end:
    ``labkit run ... > >(gzip > log.gz)`` makes gzip a child of the command in bash, and so does
    ``job & exec labkit ...``.
    """

    def __init__(self) -> None:
        self._inherited = _children()
        self._configured = os.environ.get(MATPLOTLIB)

    def clear_up(self) -> None:
        """End what was started since, and remove what was made; where nothing was, load nothing."""
        # Without a home matplotlib makes a folder, which it would remove where we do not come to.
        # A file may have named one as well, that is the user's: the current folder was removed so.
        made = Path(os.environ.get(MATPLOTLIB, ""))
        if (
            str(made) != self._configured
            and MADE_BY_MATPLOTLIB.fullmatch(made.name)
            and made.parent == Path(tempfile.gettempdir())
        ):
            from labkit.bench.temporary import remove_folder

            remove_folder(made)
        # Only a command that was loaded can have started anything.
        start = sys.modules.get("labkit.bench.processes.start")
        if getattr(start, "HAS_REAPER", False):
            from labkit.bench.processes.process_tree import end_tree

            end_tree(keep=self._inherited.__contains__)


def _children() -> frozenset[int]:
    with contextlib.suppress(OSError):
        listed = Path(f"/proc/self/task/{threading.get_native_id()}/children")
        return frozenset(map(int, listed.read_text("ascii").split()))
    import psutil  # a kernel that does not list them, or another system

    try:
        return frozenset(child.pid for child in psutil.Process().children())
    except psutil.Error:  # no /proc at all, as in some sandboxes
        return frozenset()


def tell_exit_statuses() -> None:
    """See that the system tells how children end: some daemons start others with that ignored."""
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
