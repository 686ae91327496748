"""Loading a file of the reader's own: first in a process of its own, for it may end its process.

``os._exit(0)`` at the top of a file ends whoever loads it, with the exit status of success: a check
in CI that had run nothing passed. A file that comes to its end, or raises, is then loaded here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from labkit.bench.processes.process_tree import become_subreaper, end_tree, end_with_parent
from labkit.bench.processes.search_path import child_environment, python_command
from labkit.bench.processes.start import HAS_REAPER, signal_name
from labkit.cause import Cause, names_defined
from labkit.causes import load
from labkit.record import LabkitError
from labkit.record.plain_text import one_line

# No file ends its process with this status by chance.
CAME_BACK = 41
LONGEST_SECONDS = 60.0


def loaded(source: str) -> Cause:
    """Return a cause; it takes 0.1 s longer for a file that defines ``CAUSE``.

    Args:
        source: The slug of a cause, or the path of a ``.py`` file.

    Raises:
        LabkitError: If it cannot be loaded.
    """
    # A file with make_step() is only read here; it is run where the loop is.
    if source.endswith(".py") and "CAUSE" in names_defined(Path(source)):
        _try_in_a_process(source)
    return load(source)


def _try_in_a_process(source: str) -> None:
    name = one_line(source)
    try:
        done = subprocess.run(
            [*python_command("labkit.cli.loading"), source, str(os.getpid())],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=child_environment({}), timeout=LONGEST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise LabkitError(
            f"{name} was not loaded within {LONGEST_SECONDS:g} s; let the file define things "
            "only, and build the loop in its make_step()."
        ) from error
    status = done.returncode
    if status != CAME_BACK:
        how = f"with status {status}" if status >= 0 else f"by {signal_name(status)}"
        raise LabkitError(
            f"{name} ends its own process while it is loaded, {how}; let the file define things "
            "only, and build the loop in its make_step()."
        )


def main() -> None:
    """Load the file that is named, and say by the exit status that it came to an end."""
    become_subreaper()
    end_with_parent(signal.SIGKILL, int(sys.argv[2]))
    with contextlib.suppress(Exception):  # raised again, and told, where it is loaded for use
        load(sys.argv[1])
    if HAS_REAPER:
        end_tree()  # what the file has started
    os._exit(CAME_BACK)
