"""TensorFlow's threads in another process: whether it computes there, as far as Linux tells.

A process that has imported TensorFlow, or was forked from one that did, has its libraries in its
memory and need not use them: a pool that loads data has, too. What tells of use are the threads
that TensorFlow makes with the first op. Their names, those of 2.19-2.21, are declared here.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

# tf_graph_runner and tf_Compute; those of the pool within an op have no name of their own.
NAMES = "tf_"
PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Work:
    """What a process has worked so far, in seconds of processor time.

    Args:
        seconds: With all its threads, also those that have ended.
        functions_seconds: Those of TensorFlow's threads in which the ops of graphs run, and so
            of functions; an op that is called one by one runs in the thread that calls it.
    """

    seconds: float
    functions_seconds: float


def tensorflow_work(process_id: int) -> Work | None:
    """Return what a process has worked in which TensorFlow has made its threads.

    None of any other process, of one that has ended, and where the system does not say. It takes
    20 us per thread, and nothing of the process itself.

    Args:
        process_id: Of the process.
    """
    process = PROCESSES / str(process_id)
    functions, found = 0.0, False
    with contextlib.suppress(OSError, ValueError):
        for thread in os.listdir(process / "task"):
            with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
                name, seconds = _status(process / "task" / thread / "stat")
                if name.startswith(NAMES):
                    found, functions = True, functions + seconds
        if found:
            return Work(_status(process / "stat")[1], functions)
    return None


def _status(file: Path) -> tuple[str, float]:
    """Return the name of a process or thread, and the seconds of processor time that it took."""
    # A name may hold blanks and brackets of its own.
    before, _, behind = file.read_text(errors="replace").rpartition(")")
    user, system = map(int, behind.split()[11:13])
    return before.partition("(")[2], (user + system) / os.sysconf("SC_CLK_TCK")
