"""The death of a worker: what is told of a run whose process ended before it said how."""

from __future__ import annotations

import signal
from dataclasses import replace

from labkit.bench.processes.start import LAUNCHER_GONE, signal_name
from labkit.bench.session.session import Session
from labkit.bench.session.worker_handle import WorkerHandle
from labkit.bench.worker.shutdown import STATUS_AT_END, STATUS_NOT_FLUSHED
from labkit.record import State

PROCESS_ENDED = (
    "What the loop left to Python's end (atexit, files) is not all done: its process was ended {}."
)
# With these labkit, too, ends a process that does not come to its end by itself.
ENDED_FROM_OUTSIDE = (getattr(signal, "SIGKILL", 9), signal.SIGTERM, signal.SIGINT)
UNHEARD = (
    "The script closed labkit's connection, as os.execv and os.closerange do, and went on "
    "unwatched; set what it sets for itself (such as PYTHONHASHSEED) before, and diagnose it again."
)


def death(session: Session, link: WorkerHandle) -> State:
    """Return how a run ended whose worker is gone and has not said its last word."""
    status = link.exit_status
    if link.finishing is not None:
        return _died_finishing(link.finishing, status, script=link.job.arguments is not None)
    at_end = status in (STATUS_AT_END, STATUS_NOT_FLUSHED)
    if link.job.arguments is not None and (at_end or (link.unheard and status == 0)):
        # Not done: what came after nobody has seen, and a gate must not pass on it.
        return State("stopped", UNHEARD)
    kept = f"the {session.count:,} steps up to there are kept"
    last = f" Its last output: {link.last_words}" if link.last_words else ""
    # A launcher that found no TensorFlow says so before its end, and its end may take a while.
    if status in (LAUNCHER_GONE, None) and session.count == 0 and session.failure():
        return State("failed", session.failure())
    if status == LAUNCHER_GONE:
        return State(
            "killed",
            f"The launcher process was ended and the run with it; {kept}. Press Run again.{last}",
        )
    if status is None:
        return State(
            "killed", f"The loop closed labkit's connection to it, so it was ended; {kept}."
        )
    if status < 0:
        name = signal_name(status)
        perhaps = ", perhaps by the system because memory ran out" if name == "SIGKILL" else ""
        reason = f"The worker process was ended by {name}{perhaps}; {kept}."
        known = [one.sentence for one in session.cause.explanations if one.error == name]
        return State("killed", " ".join([reason, *known[:1]]))
    return State(
        "killed",
        f"The worker process ended by itself with status {status}, as by os._exit or os.execv; "
        f"{kept}.{last}",
    )


def _died_finishing(finishing: State, status: int | None, *, script: bool) -> State:
    if status in (STATUS_AT_END, STATUS_NOT_FLUSHED):
        return finishing
    by = f"by {signal_name(status)}" if status is not None and status < 0 else "by itself"
    if script and finishing.completed and status and -status not in ENDED_FROM_OUTSIDE:
        if status > 0:
            by = f"by itself with status {status}"
        return State("killed", PROCESS_ENDED.format(by))
    return replace(finishing, reason=finishing.reason or PROCESS_ENDED.format(by))
