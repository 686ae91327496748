"""What a worker does with a script: runs it whole, watched, and says how it ended."""

from __future__ import annotations

import contextlib
import os

from labkit.bench.processes.search_path import change_environment
from labkit.bench.protocol import Job
from labkit.bench.worker.interruption import Interruption
from labkit.bench.worker.kernel import Kernel
from labkit.bench.worker.script.program import run_program
from labkit.bench.worker.script.script_end import ended_by
from labkit.bench.worker.script.watched_script import WatchedScript
from labkit.record import State

NOT_BEGUN = "Stopped before the script began."


def record_script(job: Job, kernel: Kernel) -> State:
    """Run a script to its end, and return how it ended.

    Args:
        job: What to run.
        kernel: Hears of its loops and what happens in them, and may ask for its end.
    """
    with contextlib.suppress(OSError):
        os.chdir(job.folder)
    change_environment(job.environment)
    interruption = Interruption(kernel, of_script=True)
    # What was asked before it could be interrupted has reached nobody.
    if kernel.stopping or kernel.ending is not None:
        interruption.end()
        return kernel.ending or State("stopped", NOT_BEGUN)
    watched = WatchedScript(job, kernel, interruption)
    try:
        run_program(
            job.source, job.arguments or (), module=job.module, compiled=watched.sources.compile
        )
        state = State("done")
    except BaseException as error:
        interruption.end()
        kernel.leave_if_forked(error)
        watched.say_recursion(error)
        state = interruption.state(error) or ended_by(error)
    kernel.leave_if_forked()
    interruption.end()
    watched.close()
    return watched.told(state)
