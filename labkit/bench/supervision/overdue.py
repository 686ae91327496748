"""Overdue: what is over one of a run's limits, and what is done and said about it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, replace

from labkit.bench.session.session import Session
from labkit.bench.session.worker_handle import WorkerHandle
from labkit.bench.supervision.limits import memory_reason
from labkit.record import State, quantity

WATCH_SECONDS = 0.25
EXIT_SECONDS = 2.0
# What a loop is interrupted for.
INTERRUPTED = ("silent", "time_limit")
# Of a loop that nobody asked to end. A script that could not be watched to its end is "stopped".
BY_ITSELF = ("done", "failed", "stopped")
UNMOVED = "It was interrupted as by Ctrl-C, did not end within {:g} s, and was ended."
# Of one who asks for the end of a loop that is over, and only its threads and files are left.
MOST_PATIENCE_SECONDS = 10.0
# A loop may save its model in a function of `atexit`, after its threads were waited for.
FINISH_SECONDS = 20.0
CUT_SHORT = (
    "What the loop left to Python's end (atexit, files) took longer than {:g} s and was cut short."
)


def over_limit(session: Session, now: float) -> State | None:
    """Return how a run ends that is over one of its limits; None of one that is not."""
    limits, timing = session.limits, session.timing
    for link in session.links:
        link.trim_log()
        if limits.memory_bytes and link.loop_bytes() > limits.memory_bytes:
            # The worker looks between two steps; this is for the one step that takes it all.
            link.hear(WATCH_SECONDS)
            return link.state or State(
                "memory_limit", memory_reason(limits.memory_bytes, last_count(session))
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
    if now - timing.first_step > limits.wall_seconds + limits.overtime_seconds:
        return State(
            "time_limit", f"Ended at the time limit of {limits.wall_seconds:g} s, within a step."
        )
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
    if not session.timing.asked_to_end and state.name in BY_ITSELF:
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
        f"Stopped after {quantity.steps(last_count(session))}; the step in progress did not end "
        f"within {session.limits.stop_seconds:g} s, so its process was ended.",
    )


def may_still_end(session: Session, state: State, now: float) -> bool:
    """Ask a loop of the reader's that is over a limit to end as by Ctrl-C; return whether it may.

    Killed in its step, it would take all along that it has written and that is in no file yet.
    """
    timing, job = session.timing, session.job
    if state.name not in INTERRUPTED or job.workers > 1 or not job.is_readers:
        return False
    if timing.interrupted is None:
        timing.interrupted = now
        session.links[0].command(do="interrupt", state=asdict(state))
    return timing.finishing is None and now - timing.interrupted < session.limits.stop_seconds


def unmoved(session: Session, over: State) -> State:
    """Return how a run ends that is over a limit; say it where it did not end when interrupted."""
    if session.timing.interrupted is None or session.timing.finishing is not None:
        return over
    unmoved = UNMOVED.format(session.limits.stop_seconds)
    return replace(over, reason=f"{over.reason} {unmoved}")


def last_count(session: Session) -> int:
    """End what still runs, then count: a step may end while its run's last sentence is written."""
    end_unfinished(session)
    return session.count


def end_unfinished(session: Session) -> None:
    """End the workers that have not said their last word."""
    for link in session.links:
        if link.state is None:
            link.kill()
    wait_for_exits([link for link in session.links if link.state is None])


def wait_for_exits(links: Iterable[WorkerHandle]) -> None:
    deadline = time.monotonic() + EXIT_SECONDS
    for link in links:
        while link.exit_status is None and time.monotonic() < deadline:
            time.sleep(0.005)
