"""The keeper: the thread that hears a session's workers, holds it to its limits and ends it."""

from __future__ import annotations

import errno
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, replace

from labkit.bench.death import death
from labkit.bench.limits import memory_reason
from labkit.bench.session import Session
from labkit.bench.worker_handle import WorkerHandle
from labkit.record import LabkitError, State, quantity

# What a run ended by already; that something failed in clearing up after it says less.
FAULTS = ("failed", "killed", "memory_limit", "silent")
WATCH_SECONDS = 0.25
EXIT_SECONDS = 2.0
# What a loop is interrupted for.
INTERRUPTED = ("silent", "time_limit")
BY_ITSELF = ("done", "failed")
OVERTIME_SECONDS = 2.0
UNMOVED = "It was interrupted as by Ctrl-C, did not end within {:g} s, and was ended."
# Of one who asks for the end of a loop that is over, and only its threads and files are left.
MOST_PATIENCE_SECONDS = 10.0
# A loop may save its model in a function of `atexit`, after its threads were waited for.
FINISH_SECONDS = 20.0
CUT_SHORT = (
    "What the loop left to Python's end (atexit, files) took longer than {:g} s and was cut short."
)
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
    state = _tried(lambda: _watch(session))
    ending: tuple[Callable[[Session], None], ...] = (
        _end_unfinished,
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


def _watch(session: Session) -> State:
    watched = 0.0
    before = time.monotonic()
    while True:
        for number, link in enumerate(session.links):
            for message in link.hear(WATCH_SECONDS / len(session.links)):
                session.take_words(number, message)
        now = time.monotonic()
        if now - before > FROZEN_SECONDS:
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
            over = _over_limit(session, now)
            if over is not None and not _may_still_end(session, over, now):
                return _unmoved(session, over)


def _may_still_end(session: Session, state: State, now: float) -> bool:
    """Ask a loop of the reader's that is over a limit to end as by Ctrl-C; return whether it may.

    Killed in its step, it would take all along that it has written and that is in no file yet.
    """
    timing, job = session.timing, session.links[0].job
    if state.name not in INTERRUPTED or job.workers > 1 or not job.is_readers:
        return False
    if timing.interrupted is None:
        timing.interrupted = now
        session.links[0].command(do="interrupt", state=asdict(state))
    return timing.finishing is None and now - timing.interrupted < session.limits.stop_seconds


def _unmoved(session: Session, over: State) -> State:
    """Return how a run ends that is over a limit; say it where it did not end when interrupted."""
    if session.timing.interrupted is None or session.timing.finishing is not None:
        return over
    unmoved = UNMOVED.format(session.limits.stop_seconds)
    return replace(over, reason=f"{over.reason} {unmoved}")


def _of_worker(session: Session, state: State, worker: int) -> State:
    if state.name == "stopped" and session.count:  # of those on show, whichever heard it first
        return replace(state, reason=f"Stopped after {quantity.steps(_last_count(session))}.")
    return replace(state, reason=f"Worker {worker}: {state.reason}")


def _last_count(session: Session) -> int:
    """End what still runs, then count: a step may end while its run's last sentence is written."""
    _end_unfinished(session)
    return session.count


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
    if link.exit_status is None and (link.words_open or link.finishing is not None):
        return None
    deadline = time.monotonic() + EXIT_SECONDS
    while link.words_open and time.monotonic() < deadline:
        link.hear(0.05)  # its last words may still be in the pipe
    while link.exit_status is None and time.monotonic() < deadline:
        time.sleep(0.01)
    link.state = link.state or death(session, link)
    return link.state


def _over_limit(session: Session, now: float) -> State | None:
    limits, timing = session.limits, session.timing
    for link in session.links:
        link.trim_log()
        if limits.memory_bytes and link.loop_bytes() > limits.memory_bytes:
            # The worker looks between two steps; this is for the one step that takes it all.
            link.hear(WATCH_SECONDS)
            return link.state or State(
                "memory_limit", memory_reason(limits.memory_bytes, _last_count(session))
            )
    # As long as one worker is still at its steps, the others' ends may take what time they need.
    if timing.finishing is not None and all(link.finishing for link in session.links):
        return _finishing_too_long(session, timing.finishing, now)
    if timing.stop_asked is not None and now - timing.stop_asked > limits.stop_seconds:
        return _stopped_by_force(session)
    if timing.first_step is None:
        if now - timing.asked > limits.setup_seconds:
            return State("silent", f"No step came within {limits.setup_seconds:g} s of the start.")
        return None
    if now - timing.first_step > limits.wall_seconds + OVERTIME_SECONDS:
        return State("time_limit", f"The run's {limits.wall_seconds:g} s were up within a step.")
    if now - timing.last_progress > limits.silent_seconds:
        return State(
            "silent",
            f"No step came for {limits.silent_seconds:g} s after step {session.count:,}; "
            "the run was ended.",
        )
    return None


def _finishing_too_long(session: Session, since: float, now: float) -> State | None:
    """Return how a run ended whose loop is over, and what it left to Python's end is not."""
    stop_asked, patience = session.timing.stop_asked_last, FINISH_SECONDS
    # Who asked for its end before gets what was written; who asks now wants no more of it.
    if stop_asked is not None and stop_asked > since:
        since, patience = stop_asked, min(session.limits.stop_seconds, MOST_PATIENCE_SECONDS)
    late = [link.finishing for link in session.links if link.state is None]
    state = next(filter(None, late), State("done"))
    if not session.asked_to_end and state.name in BY_ITSELF:
        patience = max(patience, session.timing.asked + session.limits.end_seconds - since)
    if now - since <= patience:
        return None
    reason = " ".join(filter(None, [state.reason, CUT_SHORT.format(patience)]))
    return replace(state, reason=reason)


def _stopped_by_force(session: Session) -> State:
    if session.count == 0:
        return State("stopped", "Stopped before the first step.")
    return State(
        "stopped",
        f"Stopped after {quantity.steps(_last_count(session))}; the step in progress did not end "
        f"within {session.limits.stop_seconds:g} s, so its process was ended.",
    )


def _end_unfinished(session: Session) -> None:
    """End the workers that have not said their last word."""
    for link in session.links:
        if link.state is None:
            link.kill()
    _wait_for_exits([link for link in session.links if link.state is None])


def _let_go(session: Session) -> None:
    """See that no process is left: a moment to go by itself, then an end."""
    for link in session.links:
        link.hang_up()
    _wait_for_exits(session.links)
    for _ in range(2):  # who does not do as told is not told a second time
        stubborn = [link for link in session.links if link.exit_status is None]
        for link in stubborn:
            link.kill()
        _wait_for_exits(stubborn)
    for link in session.links:
        link.end_rest()


def _wait_for_exits(links: list[WorkerHandle]) -> None:
    deadline = time.monotonic() + EXIT_SECONDS
    for link in links:
        while link.exit_status is None and time.monotonic() < deadline:
            time.sleep(0.005)
