"""The bench: starts runs and remembers them; one a kernel."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from labkit.bench.device.answer import answer_of_card
from labkit.bench.device.choice import DeviceChoice
from labkit.bench.early_settings import as_they_are, settings_of_job
from labkit.bench.folders import RunFolders, sweep_abandoned
from labkit.bench.isolation.isolation import ExposedError, Isolation, Isolator
from labkit.bench.machine import small_machine
from labkit.bench.processes.fork import ForkStarter
from labkit.bench.processes.interruption import in_children
from labkit.bench.processes.start import CAN_FORK, PlainStarter, Starter
from labkit.bench.processes.workers import current_folder, launch_environment, start_workers
from labkit.bench.protocol import Job
from labkit.bench.remembered import forget_oldest
from labkit.bench.session.session import Session
from labkit.bench.starting import check_range, whole, whole_source
from labkit.bench.supervision.limits import Limits
from labkit.bench.supervision.supervisor import FAULTS, keep
from labkit.cause import Cause
from labkit.causes import load
from labkit.record import ChoiceError, LabkitError

STARTS = ("auto", "fork", "plain")
MOST_STEPS = 1_000_000


class Bench:
    """Starts runs in fresh processes.

    Args:
        start: How workers start: ``"fork"`` from a warm launcher (0.1 s), ``"plain"`` as fresh
            interpreters (3 s), or ``"auto"``: fork where that is safe.

    Raises:
        ChoiceError: If `start` is none of these.
        LabkitError: If forking is asked for on a system where it is not safe.
    """

    def __init__(self, start: str = "auto") -> None:
        if start not in STARTS:
            raise ChoiceError("way to start a run", start, STARTS)
        if start == "fork" and not CAN_FORK:
            raise LabkitError("Workers cannot be forked safely on this system; use start='plain'.")
        self._fork = ForkStarter() if CAN_FORK and start != "plain" else None
        self._numbers = itertools.count(1)
        self._isolator = Isolator()
        self.devices = DeviceChoice(partial(answer_of_card, self))
        self._sessions: list[Session] = []
        self._process_id = os.getpid()
        in_children(self.leave_to_parent)

    def leave_to_parent(self) -> None:
        """Let go of everything, in a process that was forked from the one this bench belongs to.

        As long as any copy of a run's ends is open, its worker takes its kernel to be there.
        """
        for session in self._sessions:
            session.leave_to_parent()
        if self._fork is not None:
            self._fork.leave_to_parent()
        self._sessions.clear()

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The runs of this bench that it remembers (`remembered`), oldest first."""
        return tuple(self._sessions)

    @property
    def launcher(self) -> ForkStarter | None:
        """The launcher's keeper; None where every run starts plainly."""
        return self._fork

    def warm(self) -> None:
        """Import TensorFlow in the launcher ahead of the first run; returns at once."""
        if self._fork is not None:
            self._fork.warm()
        self.devices.begin()

    def forget(self, session: Session) -> None:
        """Remember a run no longer."""
        with contextlib.suppress(ValueError):  # it is forgotten already, as old runs are
            self._sessions.remove(session)

    def start(
        self,
        source: str,
        *,
        toggles: Mapping[str, object] | None = None,
        sizes: Mapping[str, object] | None = None,
        steps: int | None = None,
        seed: int = 0,
        device: str = "auto",
        limits: Limits | None = None,
        workers: int = 1,
        exposed: bool = False,
        diagnosing: bool = False,
    ) -> Session:
        """Start a run; returns at once.

        Args:
            source: A cause's slug, or the path of a ``.py`` file that defines ``CAUSE`` or
                ``make_step()``.
            toggles: What differs from the defaults.
            sizes: What differs from the defaults.
            steps: How many steps at most; None for the number that makes the effect clear.
            seed: Seed of the loop's random numbers.
            device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the graphics card where one works
                (`DeviceChoice`).
            limits: When the run is ended, all workers together.
            workers: How many processes run the loop at the same time.
            exposed: Whether several may run where nothing keeps others from their ports.
            diagnosing: Measure everything that can tell why the loop gets slower, expensive looks
                now and then included.

        Raises:
            ChoiceError: If a name or value is not one of the choices; the sentence lists them.
            ExposedError: If there are several workers, others could reach them, and they may not.
            LabkitError: If a number is out of range, or the run cannot be started.
        """
        if os.getpid() != self._process_id:
            raise LabkitError(
                "This bench belongs to the process that this one was forked from; make a new one, "
                "or call lk.run, which has one for each process."
            )
        chosen = self.devices.for_run(device)
        with whole() as started:
            cause = load(source)
            source = whole_source(source)
            values = cause.toggle_values(toggles or {})
            small = small_machine()
            counts = cause.size_values(sizes or {}, small=bool(small))
            steps = cause.expectation.steps if steps is None else steps
            steps = check_range("steps", steps, 1, MOST_STEPS)
            seed = check_range("seed", seed, 0, 2**32 - 1)
            workers = check_range("workers", workers, 1, 64)
            workers = max(workers, cause.workers(values))
            limits = (limits or Limits()).of_one_worker(workers)
            job = Job(
                source=source, toggles=values, sizes=counts, steps=steps, seed=seed,
                device=chosen.name, folder=current_folder(), wall_seconds=limits.wall_seconds,
                memory_bytes=limits.memory_bytes, workers=workers, diagnosing=diagnosing,
            )  # fmt: skip
            told = {"fitted_to": small or None, "no_gpu": chosen.reason or None}
            started.append(self.begin(cause, job, limits, exposed=exposed, told=told))
        return started[0]

    def begin(
        self,
        cause: Cause,
        job: Job,
        limits: Limits,
        *,
        exposed: bool = False,
        told: Mapping[str, str | None] | None = None,
    ) -> Session:
        """Begin a run of which all is known; for `start`, and for what starts another kind of job.

        Args:
            cause: What the run is of.
            job: What its workers do.
            limits: When it is ended, of one worker.
            exposed: As for `start`.
            told: What its record has beside versions and machine.
        """
        read = launch_environment(cause, job.toggles)
        early = settings_of_job(job)
        read["import"].update(early)
        starter: Starter = PlainStarter(job.streams)
        changes: Mapping[str, str | None] = {}
        forks = self.devices.forks or job.device == "cpu"
        if self._fork is not None and forks and not read["import"] and job.arguments is None:
            found = self._fork.catch_up()
            if found is not None:
                starter, changes = self._fork, found
        # Not waited for: what was left may be gigabytes of checkpoints.
        with contextlib.suppress(RuntimeError):  # no thread is to be had: the next run will sweep
            threading.Thread(target=sweep_abandoned, name="labkit-sweep", daemon=True).start()
        folders = RunFolders.make()
        with contextlib.ExitStack() as undo:
            undo.callback(folders.remove)
            isolation = self._isolator.isolate(exposed) if job.workers > 1 else Isolation("")
            undo.callback(isolation.close)
            job = replace(
                job, network=isolation.process_id, loopback_only=isolation.kind == "loopback",
                environment={**job.environment, **changes},
            )  # fmt: skip
            if job.arguments is not None:
                job = replace(job, environment={**as_they_are(early), **job.environment})
            links = start_workers(job, folders, starter, read)
            for link in links:
                undo.callback(link.close)  # a worker ends at the end of its input
            counts = {"steps": job.steps, "seed": job.seed, "workers": job.workers}
            session = Session(
                f"{cause.slug}-{next(self._numbers)}", cause, links, limits, folders, isolation,
                settings={**job.sizes, **counts},
                environment={
                    "started": datetime.now(UTC).isoformat(timespec="seconds"),
                    "start": starter.kind,
                    "network": isolation.kind or None,
                    **(told or {}),
                },
                failure=lambda: self._fork.failure if self._fork is not None else "",
            )  # fmt: skip
            self._sessions.append(session)
            undo.callback(self.forget, session)
            keep(session, partial(self._ended, session))
            undo.pop_all()
        forget_oldest(self._sessions)
        return session

    def refused(self) -> ExposedError | None:
        """Return why several workers may not run here unless exposed; None where they may."""
        try:
            self._isolator.isolate(exposed=False).close()
        except ExposedError as error:
            return error
        return None

    def _ended(self, session: Session) -> None:
        """Make ready for the next run, unless one is still being timed."""
        if session.job.device == "gpu" and session.state.name in FAULTS:
            self.devices.forget()  # the card may be lost
        if self._fork is not None and all(session.state.ended for session in self.sessions):
            # A launcher that cannot fork now will say so when the next run is started.
            with contextlib.suppress(LabkitError, OSError):
                self._fork.prepare()

    def close(self) -> None:
        """Stop every run and end the launcher; in a forked process, nothing."""
        if os.getpid() != self._process_id:
            return
        for session in self.sessions:
            session.stop()
        deadline = time.monotonic() + 10.0
        for session in self.sessions:
            session.wait(max(0.0, deadline - time.monotonic()))
        if self._fork is not None:
            self._fork.close()
