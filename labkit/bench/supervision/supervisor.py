"""The keeper: the thread that hears a session's workers, holds it to its limits and ends it."""

from __future__ import annotations

import errno
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace

from labkit.bench.session.session import Session
from labkit.bench.session.worker_handle import WorkerHandle
from labkit.bench.supervision.children import Children
from labkit.bench.supervision.death import death
from labkit.bench.supervision.overdue import (
    EXIT_SECONDS,
    WATCH_SECONDS,
    end_unfinished,
    last_count,
    may_still_end,
    over_limit,
    unmoved,
    wait_for_exits,
)
from labkit.record import LabkitError, State, quantity
from labkit.record.loop import TENSORFLOW_CHILDREN_SECONDS

# What a run ended by already; that something failed in clearing up after it says less.
FAULTS = ("failed", "killed", "memory_limit", "silent")
# Who watches several times a second and was away for so long was stopped, and the run with it: by
# the pause of a container or a virtual machine.
FROZEN_SECONDS = 5.0


def keep(session: Session, afterwards: Callable[[], object]) -> None:
    """Start the thread that keeps a session until it has ended, and then does what is wanted.

    Raises:
        LabkitError: If no thread is to be had.
    """
    thread = threading.Thread(
        target=_keep, args=(session, afterwards), name=f"labkit-{session.name}", daemon=True
    )
    try:
        thread.start()
    except RuntimeError as error:
        raise LabkitError(
            f"The run cannot be watched ({error}); stop other runs or restart the kernel, then try "
            "again."
        ) from error


def _keep(session: Session, afterwards: Callable[[], object]) -> None:
    # Each of these may fail where descriptors or files are gone, and whatever fails, the run ends.
    first = session.links[0]
    children = Children(lambda: first.top_id) if first.job.arguments is not None else None
    state = _tried(lambda: _watch(session, children))
    if children is not None and children.seconds > 0:
        session.take_words(0, {"say": "evidence", "name": TENSORFLOW_CHILDREN_SECONDS,
                               "step": session.count, "value": children.seconds})  # fmt: skip
    ending: tuple[Callable[[Session], None], ...] = (
        end_unfinished,
        Session.gather,  # before a worker's input is closed: then the folders go
        _let_go,
    )
    for do in ending:
        failed = _tried(lambda do=do: do(session))  # type: ignore[misc]
        if failed is not None and (state is None or state.name not in FAULTS):
            state = failed
    try:
        session.end(state or State("failed", "The run was given up."))
    finally:
        afterwards()


def _tried(do: Callable[[], State | None]) -> State | None:
    """Return what a call returns, or what a run is told that it failed in."""
    try:
        return do()
    except OSError as error:
        what = what_is_gone(error)
        return State("failed", f"The run could not be read any more: {what}", _traceback(error))
    except Exception as error:
        reason = f"labkit itself failed while watching the run ({error!r}); please report it."
        return State("failed", reason, _traceback(error))


def what_is_gone(error: OSError) -> str:
    """Say in a sentence what a run lacks that the system refused something, and what to do."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "no file descriptor is left here; close files or restart the kernel, then run again."
    if isinstance(error, FileNotFoundError):
        return f"{error.filename} was removed while it was in use; run again."
    return f"{error.strerror or error}; run again."


def _traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def _watch(session: Session, children: Children | None) -> State:
    watched = 0.0
    before = time.monotonic()
    while True:
        for number, link in enumerate(session.links):
            for message in link.hear(WATCH_SECONDS / len(session.links)):
                session.take_words(number, message)
        now = time.monotonic()
        if now - before > FROZEN_SECONDS or session.paused:
            session.timing.shift(now - before)
        before = now
        _note_progress(session, now)
        for number, link in enumerate(session.links):
            state = _ending(session, link)
            # One worker that is done waits for the others; any other ending ends the run.
            if state is not None and state.name != "done":
                return _of_worker(session, state, number) if len(session.links) > 1 else state
        states = [link.state for link in session.links if link.state is not None]
        if len(states) == len(session.links):
            return next((state for state in states if state.reason), State("done"))
        if now - watched >= WATCH_SECONDS:
            watched = now
            if children is not None:
                children.look()
            over = over_limit(session, now)
            if over is not None and not may_still_end(session, over, now):
                return unmoved(session, over)


def _of_worker(session: Session, state: State, worker: int) -> State:
    if state.name == "stopped" and session.count:  # of those on show, whichever heard it first
        return replace(state, reason=f"Stopped after {quantity.steps(last_count(session))}.")
    return replace(state, reason=f"Worker {worker}: {state.reason}")


def _note_progress(session: Session, now: float) -> None:
    timing = session.timing
    count = sum(link.count for link in session.links)
    if count > timing.last_count:
        timing.last_count = count
        timing.last_progress = now
        if timing.first_step is None:
            timing.first_step = now
            session.began()


def _ending(session: Session, link: WorkerHandle) -> State | None:
    if link.state is not None:
        return link.state
    # One whose loop is over may have children that go on for a while; how long, is limited.
    going_on = link.words_open or link.finishing is not None or link.unheard
    if link.exit_status is None and going_on:
        return None
    deadline = time.monotonic() + EXIT_SECONDS
    while link.words_open and time.monotonic() < deadline:
        link.hear(0.05)  # its last words may still be in the pipe
    while link.exit_status is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if link.exit_status is None and link.state is None and link.job.arguments is not None:
        link.unheard = True  # a script that closed all descriptors, or became another program
        return None
    link.state = link.state or death(session, link)
    return link.state


def _let_go(session: Session) -> None:
    """See that no process is left: a moment to go by itself, then an end."""
    for link in session.links:
        link.hang_up()
    wait_for_exits(session.links)
    for _ in range(2):  # who does not do as told is not told a second time
        stubborn = [link for link in session.links if link.exit_status is None]
        for link in stubborn:
            link.kill()
        wait_for_exits(stubborn)
    for link in session.links:
        link.end_rest()
