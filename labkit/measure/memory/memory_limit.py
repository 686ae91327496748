"""The memory limit of this process: more than that it can never hold."""

from __future__ import annotations

import functools
import sys

import psutil

from labkit.measure.machine.control_groups import MEMORY_FILES, groups_of, number


@functools.cache
def memory_limit() -> float:
    """Return the bytes of memory that this process can hold at most.

    That is the machine's memory, or less where a control group or ``ulimit`` allows less. Asked
    once: reading it takes a millisecond, and limits stay.
    """
    limits = [float(psutil.virtual_memory().total)]
    for folder in groups_of("memory"):
        limits += [each for name, _ in MEMORY_FILES if (each := number(folder / name)) is not None]
    if sys.platform != "win32":
        import resource

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            soft, _ = resource.getrlimit(kind)
            if soft != resource.RLIM_INFINITY:
                limits.append(float(soft))
    return min(limits)
