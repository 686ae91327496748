"""TensorFlow's memory pool: bytes in use, waits for a free block, and the pool's own map.

When TensorFlow's best-fit allocator finds no free block for a request it writes down its pool,
chunk by chunk, wherever ``TF_BFC_MEMORY_DUMP`` says, waits up to ten seconds for another thread to
free something, tries again, and then gives up (``tsl/framework/bfc_allocator.cc``). Those files are
read here, and told as events. They stay: the folder may be the reader's own.
"""

from __future__ import annotations

import glob
import importlib
import math
import os
import time
from collections.abc import Iterable
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from labkit.measure.clock.probe import Row
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.record import Column
from labkit.record.memory_map import KIND, MemoryMap

DUMP_VARIABLE = "TF_BFC_MEMORY_DUMP"  # TensorFlow's own setting: where it is told to write
DUMP_FORMAT = "tensorflow.core.protobuf.bfc_memory_map_pb2"
MOST_MAPS = 20  # each is some 20 kB in the run's record


class AllocatorProbe:
    """Reads the bytes in use and their peak at every step, and looks whether an allocation waited.

    Args:
        context: Its device says whose pool is read; its events take each wait, and the pool's map.

    The folder for TensorFlow's dumps is made where there is none. TensorFlow's default allocator on
    a CPU counts tensors of 256 KiB and more only, and without oneDNN nothing, which is NaN here.
    """

    columns = (
        Column("tensor_bytes", "memory in use by tensors", "bytes", "counter"),
        Column("peak_tensor_bytes", "most memory in use by tensors so far", "bytes", "machine"),
    )

    def __init__(self, context: ProbeContext) -> None:
        self._events = context.events
        self._device = f"{context.device.upper()}:0"
        self._memory_info = context.tensorflow.config.experimental.get_memory_info
        self._counts = True
        self._maps = 0
        self._changed = 0
        self.missing: list[str] = []
        self._format = self._find_format()
        prefix = os.environ.get(DUMP_VARIABLE)
        self._prefix = Path(prefix) if prefix else None
        self._told: set[Path] = set()
        if self._prefix is not None:
            self._prefix.parent.mkdir(parents=True, exist_ok=True)
            self._told = set(self._dumps())  # of runs before this one
            self._changed = os.stat(self._prefix.parent).st_mtime_ns

    def _find_format(self) -> Any:
        try:
            return importlib.import_module(DUMP_FORMAT).MemoryDump
        except (ImportError, AttributeError):
            self.missing.append(DUMP_FORMAT)
            return None

    def read(self, row: Row, place: int) -> None:
        row[place], row[place + 1] = self._bytes_in_use()
        if self._prefix is None:
            return
        # A file more changes the folder: 2 us, where listing it would take ten times as long.
        changed = os.stat(self._prefix.parent).st_mtime_ns
        if changed != self._changed:
            self._tell_of_dumps(failed=False)
            self._changed = os.stat(self._prefix.parent).st_mtime_ns

    def _bytes_in_use(self) -> tuple[float, float]:
        """Return the bytes in use now, and the most since the start or since the loop forgot it."""
        if self._counts:
            try:
                info = self._memory_info(self._device)
                return float(info["current"]), float(info["peak"])
            except ValueError:  # this allocator counts nothing
                self._counts = False
        return math.nan, math.nan

    def failed(self, error: BaseException) -> None:
        """Tell of the wait that ended in an error."""
        if self._prefix is not None:
            self._tell_of_dumps(failed=True)

    def _dumps(self) -> list[Path]:
        """Return TensorFlow's files that are there, the first that was written first."""
        assert self._prefix is not None
        named = self._prefix.parent.glob(f"{glob.escape(self._prefix.name)}_*")
        return sorted((each for each in named if _microseconds(each)), key=_microseconds)

    def _tell_of_dumps(self, *, failed: bool) -> None:
        now = time.time()
        dumps = [each for each in self._dumps() if each not in self._told]
        if not dumps:
            return
        self._told.update(dumps)
        began = _microseconds(dumps[0]) / 1e6
        waited = max(0.0, now - began)
        ending = "and then gave up" if failed else "and then found one"
        self._events.add(
            "stall",
            f"no free block: TensorFlow waited {waited:.1f} s {ending}",
            seconds=waited,
            failed=failed,
        )
        if self._format is not None and self._maps < MOST_MAPS:
            self._maps += 1
            self._tell_of_map(dumps[0])

    def _tell_of_map(self, dump: Path) -> None:
        try:
            dumped = self._format.FromString(dump.read_bytes())
        except Exception:  # cut short by a full disk, or of another format: no map, no harm
            return
        made = memory_map(dumped.chunk)
        self._events.add(
            KIND,
            f"the pool: {made.in_use_bytes / 1e6:,.0f} of {made.pool_bytes / 1e6:,.0f} MB in use, "
            f"{made.free_chunks:,} free blocks, the largest of "
            f"{made.largest_free_bytes / 1e6:,.2f} MB",
            at=...,
            **made.detail(),
        )


def memory_map(chunks: Iterable[Any]) -> MemoryMap:
    """Return the map of a pool from the chunks of a ``MemoryDump``.

    Args:
        chunks: Each has ``address``, ``size`` in bytes and ``in_use``.
    """
    ordered = sorted(chunks, key=lambda chunk: int(chunk.address))
    starts = [0]  # chunks of one region lie end to end
    for before, after in pairwise(ordered):
        starts.append(starts[-1] + (before.address + before.size != after.address))
    regions = groupby(zip(starts, ordered, strict=False), key=lambda pair: pair[0])
    return MemoryMap.of_blocks(
        [(int(chunk.size), bool(chunk.in_use)) for _, chunk in pairs] for _, pairs in regions
    )


def _microseconds(dump: Path) -> int:
    """Return the time since the epoch that TensorFlow put into the name; 0 of any other file."""
    digits = dump.name.rpartition(".")[2]
    return int(digits) if digits.isdecimal() else 0
