"""A session: one run in progress, as the kernel holds it.

It can be read at any time and from any thread; nothing here waits for the loop but `wait`.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.bench.folders import RunFolders
from labkit.bench.isolation.isolation import Isolation
from labkit.bench.log import read_log
from labkit.bench.protocol import Job
from labkit.bench.session.live_toggles import LiveToggles
from labkit.bench.session.messages import Messages
from labkit.bench.session.pause import Pause
from labkit.bench.session.snapshot import recorded_so_far
from labkit.bench.session.worker_group import WorkerGroup
from labkit.bench.session.worker_handle import WorkerHandle
from labkit.bench.supervision.limits import Limits, Timing
from labkit.cause import Cause
from labkit.record import Column, Event, Plain, Run, State, ToggleValue
from labkit.record.plain_text import one_line

if TYPE_CHECKING:  # loaded once the workers are started (`WorkerHandle`)
    import numpy as np
    from numpy.typing import NDArray


class Session:
    """One run in progress, and the same run when it has ended.

    Args:
        name: A name no other run of this kernel has.
        cause: What is run.
        links: Its workers, already started; the first is the one on show.
        limits: When it is ended.
        folders: Where they write.
        isolation: Where they listen.
        settings: Sizes, seed, steps and so on, for the record.
        environment: Date and such, for the record.
        failure: Tells why workers could not be started at all; empty if they could.
    """

    def __init__(
        self,
        name: str,
        cause: Cause,
        links: list[WorkerHandle],
        limits: Limits,
        folders: RunFolders,
        isolation: Isolation,
        *,
        settings: Mapping[str, Plain],
        environment: Mapping[str, Plain],
        failure: Callable[[], str],
    ) -> None:
        self.name = name
        self.cause = cause
        self.links = WorkerGroup(links)
        self.limits = limits
        self.folders, self._isolation = folders, isolation
        self.timing = Timing()
        self.failure = failure
        self.started_as: object = None  # whatever whoever started it knows it by
        # What else was chosen for it, and is shown among its toggles.
        self.shown_with: Mapping[str, ToggleValue] = {}
        self._settings, self._environment = dict(settings), dict(environment)
        self._pause = Pause(self.links)
        self._toggles = LiveToggles(cause, self.job.toggles)
        self._messages = Messages()
        self._state, self._log = State("starting"), ""
        self._lock, self._ended = threading.RLock(), threading.Event()

    def __repr__(self) -> str:
        return f"Session({one_line(self.name)}: {self.state.name}, {self.count:,} steps)"

    @property
    def state(self) -> State:
        with self._lock:
            return self._state

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.links[0].columns

    @property
    def toggles(self) -> Mapping[str, ToggleValue]:
        with self._lock:
            return {**self._toggles.values(), **self.shown_with}

    @property
    def events(self) -> tuple[Event, ...]:
        with self._lock:
            return self._messages.events()

    @property
    def environment(self) -> Mapping[str, Plain]:
        """Versions and machine; complete once the worker is ready."""
        return {**self._environment, **self.links[0].environment}

    @property
    def count(self) -> int:
        return self.links[0].count

    @property
    def job(self) -> Job:
        """What its workers do, as the first was told."""
        return self.links[0].job

    @property
    def paused(self) -> bool:
        """Whether it waits before its next step, until somebody goes on."""
        return self._pause.on and not (self._state.ended or self.timing.asked_to_end)

    @property
    def stop_asked(self) -> bool:
        """Whether somebody asked it to stop, even if it had ended by itself just before."""
        return self.timing.stop_asked is not None

    @property
    def workers(self) -> int:
        return len(self.links)

    def read(self, column: str, start: int, end: int, worker: int = 0) -> NDArray[np.float64]:
        return self.links[worker].read(column, start, end)

    def snapshot(self) -> Run:
        """Return the run so far as a plain value."""
        with self._lock:
            return recorded_so_far(
                self.cause, self.links, self._messages, self._state, self._settings,
                self.environment, self.log(),
            )  # fmt: skip

    def log(self) -> str:
        """Return what the loop printed: head and tail."""
        return self._log or read_log(Path(self.job.log_path), self.job.device)

    def set(self, name: str, value: object) -> None:
        """Flip a live toggle; the loop sees it before its next step.

        Raises:
            ChoiceError: If there is no such toggle or value.
            LabkitError: If it is a launch toggle, or the run has ended.
        """
        with self._lock:
            command = self._toggles.flip(name, value, ended=self._state.ended)
            if command is not None:
                self.links.command(**command)

    def stop(self, number: int = signal.SIGINT) -> None:
        """Ask the loop to end after its current step; returns at once.

        Of a run that has ended it is noted, too: whoever asks may want no run after it either.

        Args:
            number: The signal that asks for it: a loop that has a handler of its own for that one
                hears of it, any other is ended as by Ctrl-C.
        """
        with self._lock:
            if self.timing.stop():
                self.links.command(do="stop", number=int(number))

    def pause(self, on: bool) -> None:
        """Have the loop wait before its next step, or go on; `Pause.switch` may refuse."""
        with self._lock:
            self._pause.switch(on, ended=self._state.ended)

    def pass_on(self, number: int, *, awaited: bool = False) -> None:
        """Give the loop's process a signal that somebody sent to ours; returns at once.

        Args:
            number: Of the signal.
            awaited: Whether only if the loop has a handler for it, or a thread that waits for it.
        """
        with self._lock:
            if not self._state.ended:
                self.links.command(do="signal", number=int(number), awaited=awaited)

    def interrupt(self) -> None:
        """Interrupt a script that was asked to stop once more, as a second Ctrl-C does."""
        with self._lock:
            if self.stop_asked and not self._state.ended:
                self.links.command(do="again")

    def finish(self) -> None:
        """Ask the loop to end after its current step, because enough is known; returns at once."""
        with self._lock:
            if not self._state.ended:
                self.timing.ended_early = True
                self.links.command(do="finish")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the run has ended; return whether it has."""
        return self._ended.wait(seconds)

    # what its keeper does

    def began(self) -> None:
        """Note that steps are coming."""
        with self._lock:
            if self._state.name == "starting":
                self._state = State("running")

    def take_words(self, worker: int, message: Mapping[str, object]) -> None:
        """Take in what a worker says of its loop; the first one speaks for the run."""
        if message["say"] == "resumed":
            self._pause.is_over()
        if message["say"] == "finishing":
            self.timing.finishing = time.monotonic()
        if worker == 0:
            with self._lock:
                self._messages.take(message)

    def gather(self) -> None:
        """Take into memory all that the workers have left in files.

        Raises:
            OSError: If steps cannot be read; what can be is taken all the same.
        """
        with self._lock:
            self._log = self.log()
            self.links.gather()

    def end(self, state: State) -> None:
        """Note how the run ended and clear up after it; it has ended whatever fails in this."""
        try:
            with self._lock, contextlib.ExitStack() as each_of:
                each_of.callback(setattr, self, "_state", state)
                each_of.callback(self.folders.remove)
                each_of.callback(self._isolation.close)
                for link in self.links:
                    each_of.callback(link.close)
        finally:
            self._ended.set()

    def leave_to_parent(self) -> None:
        """Close what a forked process has inherited of this run, without a word to anybody."""
        self.links.leave_to_parent()
        self.folders.leave_to_parent()
        self._isolation.leave_to_parent()
