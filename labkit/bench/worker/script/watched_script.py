"""Watches a script: finds its loops, and records their turns.

The script is the reader's program and stays that: what it reads from the environment, what it
prints, how it ends. Nothing is imported that it does not import. Once it has imported TensorFlow
the probes are hooked in, and once TensorFlow works in a loop its turns are recorded.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from itertools import chain

from labkit.bench.protocol import Job
from labkit.bench.step_file.writer import StepFileWriter
from labkit.bench.worker.environment import describe, gpu_name
from labkit.bench.worker.interruption import Interruption
from labkit.bench.worker.kernel import Kernel
from labkit.bench.worker.sampling_plan import closing_look, looks
from labkit.bench.worker.standard_probes import any_loop_probes
from labkit.measure.clock.events import Events
from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import Probe
from labkit.measure.clock.recursion import recursion
from labkit.measure.clock.sampling import Sampling
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.measure.loops.batch_waiting import BatchWaiting, Iterator
from labkit.measure.loops.fitting import TRAINER_MODULE, Fitting
from labkit.measure.loops.imports import AfterImport, Sources, compile_imports
from labkit.measure.loops.training import TrainingProbe
from labkit.measure.loops.turns import Turns
from labkit.measure.memory.collector import CollectorProbe
from labkit.measure.memory.reach.object_sizes import reach_names
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.record import State, quantity
from labkit.record.loop import (
    CHILDREN_SECONDS,
    LOOP_EVENT,
    OUTSIDE,
    UNSEEN_CHANGES,
    UNSEEN_SECONDS,
    UNSEEN_TRAININGS,
    SourceLoop,
)

# A loop that is over is looked at once more, unless it was none to speak of.
FEWEST_ROWS_TO_LOOK = 50
WATCHING_FAILED = "The script was not watched to its end ({})."
WATCHED_LONGEST = "The script was not watched to its end: {} are the most that are recorded."
TIME_IS_UP = "The {:g} s for which the script was to be watched were up."


class WatchedScript:
    """Watches a script from its first line to its end.

    Args:
        job: What is run.
        kernel: Hears of it.
        interruption: Ends it where it does not come to its next turn.

    ``sources`` compiles its files.
    """

    def __init__(self, job: Job, kernel: Kernel, interruption: Interruption) -> None:
        self._job, self._kernel, self._interruption = job, kernel, interruption
        # Bound now: a script may put clocks of its own in their places.
        self._clock, self._timer, self._times = time.monotonic, time.perf_counter, os.times
        self._ends_at = math.inf
        self._turns = Turns(self._timer)
        self._recorder: OpenRecorder | None = None
        self._sampling: Sampling | None = None
        self._probes: list[Probe] = []
        self._names = SourceNames()
        self._events = Events(self._names.running)
        self._fitting: Fitting | None = None
        self._waiting: BatchWaiting | None = None
        self._training: TrainingProbe | None = None
        self._looked_at = 0
        self._is_full = False
        self.sources = Sources(OUTSIDE + 1, self._found)
        awaited = {"tensorflow": self._tensorflow_is_there, TRAINER_MODULE: self._keras_is_there}
        sys.meta_path.insert(0, AfterImport(awaited))
        compile_imports(self.sources)
        self._turns.install()
        self._turns.rows.after_row = self._tell
        self._turns.after_loop = self._look_once_more

    def _found(self, number: int, loop: SourceLoop) -> None:
        if self._job.place is not None and loop.contains(*self._job.place):
            self._turns.never_quiet.add(number)
        self._kernel.say(say="event", step=self._rows(), kind=LOOP_EVENT, text=loop.kind,
                         detail=loop.as_detail(number))  # fmt: skip

    def _rows(self) -> int:
        return self._recorder.step() if self._recorder is not None else 0

    def _keras_is_there(self) -> None:
        self._fitting = Fitting(self._turns, self.sources.number)
        self._fitting.batch_begins = self._batch_begins

    def _batch_begins(self, iterator: Iterator) -> None:
        if self._waiting is not None:
            self._waiting.batch_begins(iterator)

    def _sizes(self) -> dict[str, float]:
        """Return how large what the script's running functions and Keras's callbacks hold is."""
        callbacks = self._fitting.callbacks() if self._fitting is not None else ()
        passing = self.sources.passing
        names = self._names.names_in_use(passing)
        return reach_names(chain(names, (("self", each) for each in callbacks)), passing)

    def _tensorflow_is_there(self) -> None:
        import tensorflow as tf

        self._timers = timers = Timers(self._timer)
        context = ProbeContext(tf, timers, self._events, "cpu")
        self._sampling = Sampling(self._timer, self._kernel.say_evidence)
        self._sampling.left_alone = self._turns.rows.left_alone
        self._probes += [self._sampling, self._turns.rows, *any_loop_probes(context), timers]
        self._training = TrainingProbe(
            context, self._turns.unseen, between=self._turns.rows.outside
        )
        self._probes.append(self._training)
        # Its counters stand among the timers' since it was made.
        self._turns.look(self._begin, self._done(timers, self._training))

    def _done(self, timers: Timers, training: TrainingProbe) -> Callable[[], float]:
        values, gathering = timers.values, timers.gathering
        # Python's collector works in any loop that makes lists, a million lines read in, for one.
        collector = {each.first for each in self._probes if isinstance(each, CollectorProbe)}

        def done() -> float:
            for gather in gathering:
                gather()
            # Most of these begin anew with each row, and a row is of something done.
            counted = math.fsum(value for value in values if value == value)
            counted -= math.fsum(values[at] for at in collector if values[at] == values[at])
            return 1e9 * self._rows() + counted + training.callable_runs

        return done

    def _begin(self) -> OpenRecorder:
        """Begin to record: TensorFlow works, so that what is asked of it starts nothing."""
        import tensorflow as tf

        assert self._sampling is not None
        self._ends_at = self._clock() + self._job.wall_seconds
        card = gpu_name()
        probes = self._probes
        width = sum(len(probe.columns) for probe in probes) + 2
        store = StepFileWriter(self._job.steps_path, width, self._job.more_steps_path)
        self._recorder = OpenRecorder(self._timer, probes, self._job.steps, self._full, store)
        self._waiting = BatchWaiting(self._timer, self._recorder.columns)
        self._recorder.complete = self._waiting.complete
        taken = looks(self._sizes, None, self._timers)
        patched = (*probes, self._waiting, self._fitting, *(looked.look for looked in taken))
        missing = [name for each in patched for name in getattr(each, "missing", ())]
        self._sampling.attach(taken, thin_after_seconds=self._job.thin_after_seconds)
        self._kernel.say(
            say="ready",
            columns=[vars(column) for column in self._recorder.columns],
            environment=describe(tf, "cpu" if card is None else "gpu", card, missing),
            pid=os.getpid(),
            held_bytes=0,
        )
        return self._recorder

    def _full(self) -> None:
        self._is_full = True
        self._turns.stop()

    def _tell(self, between_steps: bool) -> None:
        step = self._rows() - 1
        for event in self._events.take():
            self._kernel.say(say="event", step=step, kind=event.kind, text=event.text,
                             detail=event.detail)  # fmt: skip
        kernel = self._kernel
        if kernel.ending is None and self._clock() > self._ends_at:
            kernel.ending = State("time_limit", TIME_IS_UP.format(self._job.wall_seconds))
        if kernel.stopping or kernel.finishing or kernel.ending is not None:
            self._ends_at = math.inf
            if not between_steps:
                if not kernel.stopping:  # who has pressed Stop waits for it a second, and no longer
                    self._interruption.wait_for_step()
                return
            due = self._interruption.deliver()
            self._look_once_more()
            self._turns.stop()
            if due:  # as by Ctrl-C: the script may have a handler of its own
                self._interruption.interrupt()

    def _look_once_more(self) -> None:
        """See what is kept while a loop that is over still holds all that is its own."""
        rows, sampling = self._rows(), self._sampling
        if sampling is None or rows - self._looked_at < FEWEST_ROWS_TO_LOOK:
            return
        self._looked_at = rows
        sampling.close()
        self._kernel.say_evidence(rows, closing_look(sampling.looks[0].look))
        sampling.begin_anew()

    def say_recursion(self, error: BaseException) -> None:
        """Tell which line called itself too often, if that has ended the script."""
        if rows := self._rows():
            self._kernel.say_evidence(rows - 1, recursion(error))

    def told(self, state: State) -> State:
        """Return how the script ended, and why it was not watched to its end if it was not."""
        why = ""
        if (error := self._turns.failed) is not None:
            why = WATCHING_FAILED.format(f"{type(error).__name__}: {error}")
        elif self._is_full:
            why = WATCHED_LONGEST.format(quantity.steps(self._job.steps))
        # Not done: what came after nobody has seen, and a gate must not pass on it.
        if why and state.completed:
            return State("stopped", why)
        # Of processes that it has waited for, all that they did as well.
        values = {CHILDREN_SECONDS: sum(self._times()[2:4])}
        if (training := self._training) is not None:
            values |= {
                UNSEEN_TRAININGS: training.unseen,
                UNSEEN_CHANGES: training.unseen_changes,
                UNSEEN_SECONDS: training.unseen_seconds,
            }
        self._kernel.say_evidence(self._rows(), values)
        return state

    def close(self) -> None:
        """Record no more."""
        self._turns.stop()
        if self._sampling is not None:
            self._sampling.close()
