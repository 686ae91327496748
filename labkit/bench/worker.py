"""The worker: one process that builds one loop, runs it, records it and says how it ended.

Started plainly (``python -m labkit.bench.worker``) or forked by the launcher; both call `main`,
with the job on descriptor 0 and the words pipe on descriptor 1.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from labkit.bench.equipment import Equipment, equip
from labkit.bench.fault import fault
from labkit.bench.protocol import Job, Lines, encode
from labkit.bench.stepfile import StepFileWriter
from labkit.cause import Loop, switchboard
from labkit.causes import load
from labkit.measure.allocator import DUMP_VARIABLE
from labkit.measure.events import Events
from labkit.measure.recorder import Recorder, recorded_columns
from labkit.record import State, quantity

# Beyond the wall limit the kernel of the operating system ends the process, which works even where
# an op holds Python's lock for ever.
ALARM_GRACE_SECONDS = 10.0
KERNEL_GONE_STATUS = 7


class Kernel:
    """The other end: takes its messages on a thread of its own, sends it ours."""

    def __init__(self, commands: int, words: int) -> None:
        self._commands = commands
        self._words = words
        self._lines = Lines()
        self._waiting: deque[dict[str, Any]] = deque()
        self._folders: tuple[Path, ...] = ()
        self._process_id = os.getpid()
        self.stopping = False
        self.finishing = False

    def first_line(self) -> bytes:
        """Wait for the job."""
        line = b""
        while not line.endswith(b"\n"):
            piece = os.read(self._commands, 1)
            if not piece:
                os._exit(KERNEL_GONE_STATUS)
            line += piece
        return line

    def listen(self, *folders: Path) -> None:
        """Take messages from now on; when the kernel is gone, remove the folders and end."""
        self._folders = folders
        threading.Thread(target=self._take_all, name="labkit-commands", daemon=True).start()

    def _take_all(self) -> None:
        while data := os.read(self._commands, 65536):
            for message in self._lines.take(data):
                if message["do"] == "stop":
                    self.stopping = True
                elif message["do"] == "finish":
                    self.finishing = True
                else:
                    self._waiting.append(message)
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(KERNEL_GONE_STATUS)

    def messages(self) -> list[dict[str, Any]]:
        """Return what has arrived since the last call; costs next to nothing when empty."""
        if not self._waiting:
            return []
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def leave_if_forked(self) -> None:
        """End a child that the loop forked and that came back from there: it has no run."""
        if os.getpid() != self._process_id:
            os._exit(0)

    def stay(self) -> None:
        """Wait until the kernel hangs up, which ends the process."""
        threading.Event().wait()

    def say_evidence(self, step: int, found: Mapping[str, float]) -> None:
        """Send numbers that are read rarely."""
        for name, value in found.items():
            self.say(say="evidence", name=name, step=step, value=value)

    def say(self, **words: Any) -> None:
        """Send one message."""
        data = encode(words)
        while data:
            data = data[os.write(self._words, data) :]


def main() -> None:
    """Run the job that comes on descriptor 0, then end the process."""
    words = os.dup(1)
    kernel = Kernel(0, words)
    # A first collection in a forked process copies the pages it touches. A spare worker pays for
    # that before it has a job; left for later it would be booked on whatever step it fell into.
    gc.collect()
    job = Job.from_line(kernel.first_line())
    _redirect_output(job.log_path)
    kernel.listen(Path(job.steps_path).parent, Path(job.scratch_path))
    try:
        state = _run(job, kernel)
    except BaseException as error:
        # BaseException: a loop that calls sys.exit() or is interrupted has ended, too, and the
        # learner must read why.
        state = fault(error)
    kernel.say(say="ended", state=state.name, reason=state.reason, traceback=state.traceback)
    sys.stdout.flush()
    sys.stderr.flush()
    if job.workers > 1:
        # One that leaves first takes its end of the connection along, and the others would end in
        # an error within the step they share.
        kernel.stay()
    # Not sys.exit: taking TensorFlow down takes up to a second, and the file is already complete.
    os._exit(0)


def _run(job: Job, kernel: Kernel) -> State:
    os.environ.update(job.environment)
    # Whatever the loop writes goes where it will be removed, however the run ends.
    os.environ["TMPDIR"] = tempfile.tempdir = job.scratch_path
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        limit = job.setup_seconds + job.wall_seconds + ALARM_GRACE_SECONDS
        signal.setitimer(signal.ITIMER_REAL, limit)
    cause = load(job.source)
    looks = kernel.say_evidence if job.diagnosing else None
    if job.diagnosing and job.device == "gpu":
        # TensorFlow asks for it whenever a request finds no free block.
        os.environ.setdefault(DUMP_VARIABLE, str(Path(job.scratch_path) / "pool" / "map"))
    equipment = equip(job.device, job.seed, cause, looks)
    # What TensorFlow takes, and a forked process shares with the launcher, is not the loop's. With
    # it a room of 0.6 GB, which Binder may leave, is used up before the first step.
    held_bytes = equipment.memory.resident_bytes()
    columns = recorded_columns(equipment.probes)
    store = StepFileWriter(job.steps_path, len(columns), job.steps)
    recorder = Recorder(time.perf_counter, store, equipment.probes, equipment.synchronise)
    toggles = switchboard(job.toggles)
    count = itertools.count()
    try:
        with equipment.device_scope:
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
            if job.diagnosing and not kernel.stopping:
                kernel.say_evidence(store.committed[0], equipment.last_looks())
            return state
    except BaseException as error:
        kernel.leave_if_forked()
        # What happened within the step that failed is often the reason.
        equipment.last_look(error)
        _tell(kernel, equipment.events, max(0, next(count) - 1))
        return fault(error, cause.explanations)


def _tell(kernel: Kernel, events: Events, step: int) -> None:
    for each in events.take():
        kernel.say(say="event", step=step, kind=each.kind, text=each.text, detail=each.detail)


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
    ends_at = time.monotonic() + job.wall_seconds
    events = equipment.events
    for index in itertools.islice(count, job.steps):
        for message in kernel.messages():
            setattr(toggles, message["name"], message["value"])
            kernel.say(say="event", step=index, kind="toggle", text=message["text"],
                       detail={"name": message["name"], "value": message["value"]})  # fmt: skip
        if kernel.stopping:
            said = f"after {quantity.steps(index)}" if index else "before the first step"
            return State("stopped", f"Stopped {said}.")
        if kernel.finishing and index:
            return State("done")
        recorder.step(step)
        kernel.leave_if_forked()
        _tell(kernel, events, index)
        if time.monotonic() > ends_at:
            return State(
                "time_limit",
                f"The run's {job.wall_seconds:g} s were up after {quantity.steps(index + 1)}.",
            )
        if equipment.memory.last_bytes > limit_bytes:
            return State("memory_limit", memory_reason(job.memory_bytes or 0, index + 1))
    return State("done")


def memory_reason(limit_bytes: int, steps: int) -> str:
    """Say that a run was ended because of its memory."""
    return (
        f"The run was ended after {quantity.steps(steps)} because its loop held more than the "
        f"limit of {limit_bytes / 1e6:,.0f} MB of memory; the steps up to there are kept."
    )


def _redirect_output(log_path: str) -> None:
    # Appending, so that the kernel may cut the file short while we write to it.
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)


if __name__ == "__main__":
    main()
