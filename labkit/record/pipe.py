"""A file that is opened to be read; a named pipe that stays silent is waited for a while only.

A pipe of the shell, ``<(...)`` or ``/dev/stdin``, is waited for as long as its program runs: that
may be a training, whose first lines come after minutes.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from pathlib import Path

from labkit.record.saving.shared_folder import NONBLOCK
from labkit.record.saving.whole_file import LONGEST_WAIT_SECONDS, open_descriptor


def open_to_read(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a file; what the kernel makes up as it is read (``/proc``) is an empty one.

    Raises:
        OSError: If it cannot be opened, or is a named pipe and nothing comes from it in ten
            seconds.
    """
    found = os.stat(path)
    # Such as /proc/kmsg: a plain file of no size, and who reads it waits for ever.
    if stat.S_ISREG(found.st_mode) and not found.st_size:
        return open(os.devnull, "rb")
    if not stat.S_ISFIFO(found.st_mode) or open_descriptor(Path(path)) is not None:
        return open(path, "rb")
    # Blocked, a pipe that nobody has opened to write would be waited for without end.
    descriptor = os.open(path, os.O_RDONLY | NONBLOCK)
    try:
        if not select.select([descriptor], [], [], LONGEST_WAIT_SECONDS)[0]:
            raise TimeoutError(
                errno.ETIMEDOUT, f"nothing came from it in {LONGEST_WAIT_SECONDS:g} s"
            )
        os.set_blocking(descriptor, True)
    except BaseException:  # Ctrl-C as well
        os.close(descriptor)
        raise
    return open(descriptor, "rb")
