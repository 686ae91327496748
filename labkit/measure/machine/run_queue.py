"""Run-queue delay: how long threads stood ready to run and had no processor.

Linux counts it for each thread: the second number of ``/proc/self/task/TID/schedstat``, in
nanoseconds (``Documentation/scheduler/sched-stats.rst``). No privileges are needed. A step that
sleeps, or waits for a disk, a network or a lock, is not ready and has none: what is counted here
was taken by other threads, and nearly always by other programs. Where the system does not count it,
the columns say not measured.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable

from labkit.measure.clock.probe import Row
from labkit.record import Column

TASKS = "/proc/self/task"
# The file that each thread's delay is read from; who counts open files leaves these out.
DELAY_FILE = "schedstat"
NANOSECOND = 1e-9
# Reading a thread takes 1.2 us, so seven of them 10 us: at nearly every step of 0.3 ms.
SHARE_OF_TIME = 0.03
# How often it is looked which threads there are, and their files are opened.
LISTING_SECONDS = 0.25


class RunQueueProbe:
    """Reads the run-queue delay of the thread that runs the steps, and its processor time.

    What is neither is sleep: the thread waited for something, if only for a pool of threads. Both
    are read at a step's end for the next one's beginning, where next to nothing lies between them.
    A reading takes 2 to 5 us.

    Args:
        delay: Returns the delay so far, in seconds; by default that of the thread which first asks.
        processor: Returns the processor seconds of the thread that asks.
    """

    columns = (
        Column("run_queue_seconds", "waiting for a processor", "s", "machine"),
        Column("thread_seconds", "processor time of the steps' thread", "s", "machine"),
    )

    def __init__(
        self,
        delay: Callable[[], float] | None = None,
        processor: Callable[[], float] = time.thread_time,
    ) -> None:
        self._delay = delay
        self._processor = processor
        self._descriptor: int | None = None
        self._before = self._used_seconds = 0.0

    def resume(self) -> None:
        if self._delay is None:
            self._delay = self._own_delay()
        self._before, self._used_seconds = self._delay(), self._processor()

    def read(self, row: Row, place: int) -> None:
        assert self._delay is not None
        delay, seconds = self._delay(), self._processor()
        row[place], row[place + 1] = delay - self._before, seconds - self._used_seconds
        self._before, self._used_seconds = delay, seconds

    def _own_delay(self) -> Callable[[], float]:
        try:
            descriptor = os.open(f"{TASKS}/{threading.get_native_id()}/{DELAY_FILE}", os.O_RDONLY)
        except OSError:  # not Linux, or a kernel that does not count
            return lambda: math.nan
        self._descriptor, pread = descriptor, os.pread
        return lambda: int(pread(descriptor, 64, 0).split()[1]) * NANOSECOND

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            self._delay = lambda: math.nan


class PoolQueueProbe:
    """Reads the run-queue delay of the other thread that had most of it since the last reading.

    TensorFlow computes in pools of threads, and the step waits for the last of them. What the step
    lost there lies between nothing and this. It is read at every step where that is cheap enough,
    and the column goes on rising, so that nothing is lost where it is not.

    Args:
        clock: Returns seconds.
        delays: Where the delays of the threads are read.
    """

    lasting = False
    columns = (
        Column("pool_queue_seconds", "pool threads waiting for a processor", "s",
               "machine"),
    )  # fmt: skip

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        delays: ThreadDelays | None = None,
    ) -> None:
        self._clock = clock
        self._delays = ThreadDelays() if delays is None else delays
        self._listed = -math.inf
        self._so_far = 0.0
        self.due = -math.inf

    def read(self, row: Row, place: int) -> None:
        now = self._clock()
        if now < self.due:
            row[place] = math.nan
            return
        self._so_far += self._delays.most()
        row[place] = self._so_far
        self.due = now + (self._clock() - now) / SHARE_OF_TIME
        if now >= self._listed + LISTING_SECONDS:
            self._listed = now
            self._delays.list()

    def close(self) -> None:
        self._delays.close()
        self.due = math.inf


class ThreadDelays:
    """The run-queue delays of the threads of this process but the one that asks.

    Args:
        tasks: The folder with a folder for each thread.
    """

    def __init__(self, tasks: str = TASKS) -> None:
        self._tasks = tasks
        self._descriptors: dict[int, int] = {}
        self._before: dict[int, int] = {}

    def list(self) -> None:
        """Look which threads there are; new ones count from now on."""
        try:
            threads = set(map(int, os.listdir(self._tasks))) - {threading.get_native_id()}
        except OSError:  # not Linux
            threads = set()
        for gone in self._descriptors.keys() - threads:
            self._drop(gone)
        for thread in threads - self._descriptors.keys():
            try:
                self._descriptors[thread] = os.open(
                    f"{self._tasks}/{thread}/{DELAY_FILE}", os.O_RDONLY | os.O_CLOEXEC
                )
                self._before[thread] = self._nanoseconds(thread)
            except (OSError, IndexError):  # it has just ended, or nobody counts
                self._drop(thread)

    def most(self) -> float:
        """Return the longest delay of any of them since it was asked last, in seconds.

        Not a number where the system counts none.
        """
        if not self._descriptors:
            self.list()
            return 0.0 if self._descriptors else math.nan
        most, before = 0, self._before
        for thread in tuple(self._descriptors):
            try:
                delay = self._nanoseconds(thread)
            except (OSError, IndexError):
                self._drop(thread)
                continue
            if delay - before[thread] > most:
                most = delay - before[thread]
            before[thread] = delay
        return most * NANOSECOND

    def _nanoseconds(self, thread: int) -> int:
        return int(os.pread(self._descriptors[thread], 64, 0).split()[1])

    def _drop(self, thread: int) -> None:
        self._before.pop(thread, None)
        if (descriptor := self._descriptors.pop(thread, None)) is not None:
            os.close(descriptor)

    def close(self) -> None:
        """Close their files."""
        for thread in tuple(self._descriptors):
            self._drop(thread)
