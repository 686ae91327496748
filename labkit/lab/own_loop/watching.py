"""Watching a loop in this process: the reader's own kernel, script or test.

The same probes as in a worker, hooked in when watching begins and taken away when it ends.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from array import array
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType

from labkit.bench.processes.interruption import uninterrupted
from labkit.bench.supervision.supervisor import what_is_gone
from labkit.bench.worker.environment import describe, gpu_name
from labkit.bench.worker.sampling_plan import HEAP, StacksLook, closing_look, looks
from labkit.bench.worker.standard_probes import any_loop_probes
from labkit.lab.own_loop.step_events import StepEvents
from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import HoldingProbe, Probe
from labkit.measure.clock.sampling import Sampling
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.reach.object_sizes import reach, reach_names
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.record import Event, LabkitError, Run, State, Steps, quantity

EAGER_SHARE = 0.5
COUNT_PAUSE_SECONDS = 0.1
WAITING = ("data_waiting", "waiting for data")
# A step takes about 550 bytes of the reader's own process, and a training may last for days: these
# are 165 MB, and a day of steps of 5 ms would be 9 GB.
MOST_STEPS = 300_000
FULL = "Only the first {} were watched, to save memory; what came later was not recorded."


class Watching:
    """Records the steps of a loop in this process, from now to `close`.

    Args:
        title: What the loop is called.
        step: What can be reached from it is measured as well; None where the loop has no function.
        lines: Whether it is looked for the lines of code that take the time, which takes a quarter
            of a second at a time: of a loop that lasts a second little would be left to judge.

    ``begin()`` begins a step, and forgets one that was begun and not ended; ``end()`` ends it.
    ``recorder`` has the rows, ``probes`` fill them, and ``looks`` are the expensive looks, in order
    of importance.

    Raises:
        LabkitError: If TensorFlow is not installed, or no file descriptor is left.
    """

    def __init__(
        self, title: str, step: Callable[[], object] | None = None, *, lines: bool = True
    ) -> None:
        try:
            import tensorflow as tf
        except ImportError as error:
            raise LabkitError(
                "TensorFlow is not installed in this Python; run:  python -m pip install tensorflow"
            ) from error
        self.open = False
        self.probes: list[Probe] = []
        try:
            # Interrupted half-way, what is patched already would stay so.
            with uninterrupted():
                self._begin_watching(tf, title, step, lines)
        except BaseException as error:
            if self.open:
                self.close()
            else:
                self._unhook()
            if isinstance(error, OSError):
                raise LabkitError(f"The loop cannot be watched: {what_is_gone(error)}") from error
            raise

    def _begin_watching(
        self,
        tf: ModuleType,
        title: str,
        step: Callable[[], object] | None,
        lines: bool,
        clock: Callable[[], float] = time.perf_counter,  # and none that the loop has put there
    ) -> None:
        self._title = title
        self.timers = Timers(clock)
        self._told = StepEvents(SourceNames().running)
        self._evidence: dict[str, array[float]] = {}
        self._sampling = Sampling(clock, self._take)
        self.waiting = self.timers.add(*WAITING)
        card = gpu_name()
        device = "cpu" if card is None else "gpu"
        context = ProbeContext(tf, self.timers, self._told, device, card)
        self.probes.append(self._sampling)
        self.probes.extend(any_loop_probes(context))
        self.probes.append(self.timers)
        self.recorder = OpenRecorder(clock, self.probes, MOST_STEPS, self._stop_looking)
        # No folder: a loop in this process writes where it likes.
        self.looks = looks(_sizes(step), None, self.timers)
        # A loop in a notebook may be over in two seconds, and one count takes a tenth.
        self.looks[0].eager_share, self.looks[0].pause_seconds = EAGER_SHARE, COUNT_PAUSE_SECONDS
        for each in self.looks:
            if isinstance(each.look, StacksLook):
                each.wait_seconds = each.pause_seconds if lines else math.inf
        self._sampling.attach(self.looks)
        missing = [name for each in self.probes for name in getattr(each, "missing", ())]
        self._environment = describe(tf, device, card, missing)
        self._told.step = self.recorder.step
        # The recorder's own: one call more costs 1 us in a step that has emptied the caches.
        self.begin, self.end = self.recorder.begin, self.recorder.end
        self.open = True
        self._counted: dict[str, float] | None = None
        self._counted_last = False
        self._full = False

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return len(self.recorder.rows) // len(self.recorder.columns)

    def _stop_looking(self) -> None:
        """Record nothing from now on: what is kept later would count for the steps until now."""
        self._full = self._counted_last = True
        self._told.step = lambda: None
        self._sampling.close()

    def forget(self) -> None:
        """Forget a step that was begun, and a look that began with it: what comes now is none."""
        self.recorder.forget()
        # It would go on through a whole validation and take that for one step.
        self._sampling.close()

    def look(self) -> None:
        """Count what lives before the next step, and from then on only when asked again."""
        self.looks[0].due, self.looks[0].pause_seconds = -math.inf, math.inf

    def look_last(self) -> None:
        """Note what a collection and emptied caches give back; no step may follow."""
        self.count_last()
        self._take(self.steps, closing_look())

    def count_now(self) -> None:
        """Count when the last step is over, in case `count_last` comes much later.

        Of both counts the smaller is kept: what was made in between belongs to no step, and what
        went in between was kept by nobody.
        """
        if self.steps and self._counted is None:
            self._counted = self._count()

    def count_last(self) -> None:
        """Count once more, without what was garbage: what falls back then was not kept by anybody.

        The loop should be over, and with it what holds on to its last step.
        """
        if self._counted_last or not self.steps:
            return
        self._counted_last = True
        found, before = self._count(), self._counted or {}
        found = {name: min(value, before.get(name, value)) for name, value in found.items()}
        # A training holds its iterator to its end, and afterwards whoever asks has loaded modules:
        # a short eager one was said to leak. So of the heap the end tells only what fell back.
        heap = self._evidence.get(HEAP)
        if heap and HEAP in found and found[HEAP] - self._own_bytes() > heap[-1]:
            del found[HEAP]
        self._take(self.steps, found)

    def _count(self) -> dict[str, float]:
        # Where the reader has switched collections off, garbage is kept for ever. And who is left
        # half gone through at Python's end finds modules without their names.
        if not gc.isenabled() or sys.is_finalizing():
            return {}
        gc.collect()
        counts = self.looks[0].look
        counts.start()
        return dict(counts.stop(0))

    def _take(self, step: int, found: Mapping[str, float]) -> None:
        if HEAP in found:
            # In a worker all this lies elsewhere. Here a healthy loop would seem to leak.
            found = {**found, HEAP: found[HEAP] - self._own_bytes()}
        for name, value in found.items():
            self._evidence.setdefault(name, array("d")).extend((step, value))

    def _own_bytes(self) -> int:
        """Return what the recording itself holds on the heap."""
        return sum(map(sys.getsizeof, (self.recorder.rows, *self._evidence.values())))

    def run(self) -> Run:
        """Return what was recorded so far."""
        columns = self.recorder.columns
        width = len(columns)
        rows = self.recorder.rows
        reason = FULL.format(quantity.steps(self.steps)) if self._full else ""
        named = {column.name: rows[at::width] for at, column in enumerate(columns)}
        return Run(
            cause="own_loop",
            title=self._title,
            state=State("running" if self.open else "done", reason),
            columns=columns,
            steps=Steps(named),
            events=self._events(),
            evidence={name: _pairs(found) for name, found in self._evidence.items()},
            environment=self._environment,
        )

    def _events(self) -> tuple[Event, ...]:
        # What happens when the last step is over is of none.
        steps = self.steps + self.open
        return tuple(event for event in self._told.events if event.step < steps)

    def close(self) -> None:
        """Put back all that was patched; may be called twice."""
        if not self.open:
            return
        with uninterrupted():
            self.open = False
            self.forget()
            # A look that is going on may have hooked itself in last, over the probes.
            self._sampling.close()
            self._unhook()

    def _unhook(self) -> None:
        for probe in reversed(self.probes):
            if isinstance(probe, HoldingProbe):
                probe.close()

    def __del__(self) -> None:
        # Of a training that raised nobody may ever ask again: its hooks go when it is forgotten.
        if getattr(self, "open", False):  # TensorFlow may be missing
            self.close()


def _pairs(found: array[float]) -> tuple[tuple[int, float], ...]:
    return tuple((int(step), value) for step, value in zip(found[::2], found[1::2], strict=True))


def _sizes(step: Callable[[], object] | None) -> Callable[[], dict[str, float]]:
    """Return what tells how large what the step holds is, or what the running functions hold."""
    if step is not None:
        return partial(reach, step)
    names = SourceNames()
    return lambda: reach_names(names.names_in_use())
