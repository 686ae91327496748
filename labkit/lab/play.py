"""The blocking way: a run that the cell, or the terminal, waits for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial

from labkit.bench.session import Session
from labkit.record import Run
from labkit.show.progress import follow


def wait_for(session: Session, title: str, show: Callable[..., None] | None = None) -> Run:
    """Show progress until a run has ended, and return it; an interrupt stops the run.

    Args:
        session: The run in progress.
        title: What the progress line says.
        show: Shows the progress until the run has ended; None for a bar.
    """
    show = show or partial(follow, sleep=session.wait)
    try:
        show(session, session.steps_asked, title)
    except KeyboardInterrupt:
        # Kernel interrupt or Ctrl-C: the learner wants the loop ended, not its steps lost.
        session.stop()
    except Exception as error:
        # A pipe that is closed, an output that was set to None: no reason to lose the run.
        warnings.warn(f"The progress of {title} cannot be shown ({error!r}).", stacklevel=2)
    session.wait()
    return session.snapshot()
