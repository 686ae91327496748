"""What a worker does with its loop: builds it, runs it step by step, and records every step."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from labkit.bench.processes.search_path import change_environment, find_also_in, is_safe
from labkit.bench.protocol import Job
from labkit.bench.step_file.writer import StepFileWriter
from labkit.bench.supervision.limits import memory_reason
from labkit.bench.worker.equipment import Equipment, equip
from labkit.bench.worker.fault import fault
from labkit.bench.worker.interruption import Interruption
from labkit.bench.worker.kernel import Kernel
from labkit.cause import Explanation, Loop, switchboard
from labkit.cause.step import whole_step
from labkit.causes import load
from labkit.measure.clock.events import Events
from labkit.measure.clock.recorder import Recorder, recorded_columns
from labkit.measure.clock.recursion import recursion
from labkit.measure.clock.stacks import PROFILER
from labkit.measure.memory.allocator import DUMP_VARIABLE
from labkit.record import State, quantity

NOT_IMPORTED = (
    "Nothing is imported from {}, because others may write there: keep the loop and its modules in "
    "a folder of your own, and start it there."
)


def record(job: Job, kernel: Kernel) -> State:
    """Carry out a job, and return how it ended.

    Args:
        job: What to run.
        kernel: Hears when the loop is ready and what happens in it, and may ask for its end.
    """
    _take_over(job)
    unsafe = _import_beside(job) if job.source.endswith(".py") else []
    cause = load(job.source, stay=False)
    kernel.leave_if_forked()
    looks = kernel.say_evidence if job.diagnosing else None
    if job.diagnosing and job.device == "gpu":
        # TensorFlow asks for it whenever a request finds no free block.
        os.environ.setdefault(DUMP_VARIABLE, str(Path(job.scratch_path) / "pool" / "map"))
    equipment = equip(job.device, job.seed, cause, looks, job.workers)
    # What TensorFlow takes, and a forked process shares with the launcher, is not the loop's. With
    # it a room of 0.6 GB, which Binder may leave, is used up before the first step.
    held_bytes = equipment.memory.resident_bytes()
    columns = recorded_columns(equipment.probes)
    store = StepFileWriter(job.steps_path, len(columns), job.more_steps_path)
    toggles = switchboard(job.toggles)
    synchronise = equipment.synchronise
    if synchronise is not None and cause.device_wait:
        synchronise = partial(_wait_if_asked, synchronise, toggles, cause.device_wait)
    recorder = Recorder(time.perf_counter, store, equipment.probes, synchronise)
    count = itertools.count()
    # One of several workers would leave the others in the step that they share.
    alone = job.is_readers and job.workers == 1
    interruption = Interruption(kernel) if alone else None
    try:
        made = cause.make_step(toggles, seed=job.seed, **job.sizes)
        kernel.leave_if_forked()
        loop = made if isinstance(made, Loop) else Loop(made)
        equipment.counters.attach(loop.counters)
        equipment.look_at(loop.step, Path(job.scratch_path))
        kernel.say(
            say="ready",
            columns=[vars(column) for column in columns],
            environment=equipment.environment,
            pid=os.getpid(),
            held_bytes=held_bytes,
        )
        limit_bytes = held_bytes + job.memory_bytes if job.memory_bytes else sys.maxsize
        state = _loop(job, kernel, toggles, recorder, loop.step, equipment, count, limit_bytes)
        if interruption is not None:
            interruption.end()
        if job.diagnosing and not kernel.stopping:
            kernel.say_evidence(store.committed[0], equipment.last_looks())
        return state
    except BaseException as error:
        kernel.leave_if_forked(error)
        done = max(0, next(count) - 1)
        if interruption is not None:
            interruption.end()
            if (ended := interruption.state(error, done)) is not None:
                return ended
        # What happened within the step that failed is often the reason.
        equipment.last_look(error)
        _tell(kernel, equipment.events, done)
        kernel.say_evidence(done, recursion(error))
        unseen = [
            Explanation("ModuleNotFoundError", "", NOT_IMPORTED.format(place))
            for place in unsafe[:1]
        ]
        return fault(error, (*cause.explanations, *unseen))


def _take_over(job: Job) -> None:
    """Become as a process is that the kernel starts now: a launcher has what held when it began."""
    change_environment(job.environment)
    # A launcher's own arguments are none of the loop's, which may read what stands here.
    sys.argv = [job.source]
    if job.umask is not None:
        os.umask(job.umask)
    with contextlib.suppress(OSError):
        os.chdir(job.folder)
    # Whatever the loop writes goes where it will be removed, however the run ends.
    os.environ["TMPDIR"] = tempfile.tempdir = job.scratch_path


def _import_beside(job: Job) -> list[Path]:
    """Let a loop's file import what lies beside it; return the folders that are not safe for it."""
    # First, or a tensorflow.py beside the loop would be imported in its place.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    for module in ("tensorflow", *((PROFILER,) if job.diagnosing else ())):
        with contextlib.suppress(ImportError):  # which is told once it is needed
            importlib.import_module(module)
    source = Path(job.source)
    places = [source.parent, *([Path(job.folder)] if job.folder else [])]
    unsafe = [place for place in places if not is_safe(place, source)]
    find_also_in(*(place for place in places if place not in unsafe))
    return unsafe


def _wait_if_asked(wait: Callable[[], object], toggles: Any, toggle: str) -> None:
    if getattr(toggles, toggle):
        wait()


def _tell(kernel: Kernel, events: Events, step: int) -> None:
    for event in events.take():
        kernel.say(say="event", step=step, kind=event.kind, text=event.text, detail=event.detail)


def _loop(
    job: Job,
    kernel: Kernel,
    toggles: Any,
    recorder: Recorder,
    step: Callable[[], object],
    equipment: Equipment,
    count: Iterator[int],
    limit_bytes: int,
) -> State:
    clock = time.monotonic  # bound now: a loop may put one of its own in its place
    ends_at = clock() + job.wall_seconds
    events = equipment.events
    body = whole_step(step) if job.is_readers else step
    for index in itertools.islice(count, job.steps):
        if kernel.paused:
            before = clock()
            if kernel.wait_while_paused():
                kernel.say(say="resumed")
            paused = clock() - before
            ends_at += paused  # no step was due
            recorder.leave_out(paused)
        for message in kernel.messages():
            setattr(toggles, message["name"], message["value"])
            kernel.say(say="event", step=index, kind="toggle", text=message["text"],
                       detail={"name": message["name"], "value": message["value"]})  # fmt: skip
        if kernel.stopping:
            when = f"after {quantity.steps(index)}" if index else "before the first step"
            return State("stopped", f"Stopped {when}.")
        if kernel.finishing and index:
            return State("done")
        recorder.step(body)
        body = step
        kernel.leave_if_forked()
        _tell(kernel, events, index)
        if clock() > ends_at:
            return State(
                "time_limit",
                f"Ended at the time limit of {job.wall_seconds:g} s, "
                f"after {quantity.steps(index + 1)}.",
            )
        if equipment.memory.last_bytes > limit_bytes:
            return State("memory_limit", memory_reason(job.memory_bytes or 0, index + 1))
    return State("done")
