"""This kernel: its one bench, made when it is first asked for, and how its runs are shown.

They are shown live, in a panel, or by a cell that waits for them with a bar.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import warnings
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from labkit.bench.bench import Bench
from labkit.bench.machine import usable_cores
from labkit.bench.session.session import Session
from labkit.record import ChoiceError, Run
from labkit.show.live.guess import Guess
from labkit.show.live.source import Player
from labkit.show.progress import follow

MODES = ("panel", "blocking")
# So often an interrupt is handed on to a run that is being stopped.
MOST_INTERRUPTS = 5
# Between two looks at a run where no progress is shown.
SHORT_SECONDS = 0.2
# Each answer costs the browser and Jupyter some 95 ms of two cores (the kernel is shown as busy and
# as idle again): asked every 0.3 s they made one step of 0.5 ms in a hundred 1.9 times as long, and
# every 0.7 s 1.4 times (docs/benchmarks.md, "Disturbance by the open panel").
POLL_SECONDS = 0.7
# Where one core is all there is, each question of the browser takes it from the loop on show.
SLOW_POLL_SECONDS = 1.0
# Binder tells its servers where they came from, in variables that begin so.
BINDER = "BINDER_"


def bench() -> Bench:
    """Return this kernel's bench; a process that is forked from it gets one of its own.

    One a kernel, because the launcher it keeps warm holds TensorFlow in memory. The variable
    ``LABKIT_START`` may force ``plain`` or ``fork``.
    """
    return _bench_of(os.getpid())


@cache
def _bench_of(_process_id: int) -> Bench:
    made = Bench(os.environ.get("LABKIT_START", "auto"))
    atexit.register(made.close)
    return made


def runs() -> tuple[Session, ...]:
    """Return the latest runs of this kernel, oldest first: a reloaded page finds its run here.

    All that go on are there, and at least the last that has ended. When the runs after one take
    more than 100 MB of memory, it is no longer there; if you hold it, it keeps its steps.
    """
    return bench().sessions


def wait_for(
    session: Session,
    title: str,
    show: Callable[..., None] | None = None,
    wait: Callable[[float], object] | None = None,
) -> Run:
    """Show progress until a run has ended, and return it; an interrupt stops the run.

    Each further interrupt reaches a script at once, as a second Ctrl-C does.

    Whoever starts another run after it asks ``session.stop_asked`` first: an interrupt that comes
    just as a run ends by itself stops nothing, and its state does not tell of it.

    Args:
        session: The run in progress.
        title: What the progress line says.
        show: Shows the progress until the run has ended; None for a bar.
        wait: Waits so many seconds, or until the run has ended, and does what is to be done
            meanwhile; None to wait only.
    """
    wait = wait or session.wait
    show = show or partial(follow, sleep=wait)
    try:
        try:
            show(session, session.job.steps, title)
        except Exception as error:
            # A pipe that is closed, an output that was set to None: no reason to lose the run.
            warnings.warn(f"The progress of {title} cannot be shown ({error!r}).", stacklevel=2)
            with contextlib.suppress(Exception):  # it may be what has failed
                while not session.wait(0):
                    wait(SHORT_SECONDS)
        session.wait()
        return session.snapshot()
    except KeyboardInterrupt:
        # Kernel interrupt or Ctrl-C: the learner wants the loop ended, not its steps lost.
        session.stop()
    for _ in range(MOST_INTERRUPTS):
        try:
            session.wait()
            return session.snapshot()
        except KeyboardInterrupt:
            session.interrupt()
    session.wait()  # whoever presses Stop even now wants the kernel back
    return session.snapshot()


def live_mode() -> str:
    """Return how labs are shown live: as a ``panel``, or by ``blocking`` cells.

    The variable ``LABKIT_LIVE`` may force one.

    Raises:
        ChoiceError: If it names none of these.
    """
    forced = os.environ.get("LABKIT_LIVE")
    if forced is not None:
        if forced not in MODES:
            raise ChoiceError("live mode (LABKIT_LIVE)", forced, MODES)
        return forced
    return "panel" if find_spec("anywidget") else "blocking"


def view_of(player: Player, *, presenter: bool = False, guess: Guess | None = None) -> Any:
    """Return a widget with a player's controls; None where no live view works.

    Args:
        player: What the controls act on.
        presenter: Large type and keys, for a projector.
        guess: Who has the curve that was guessed, to be drawn under the measured one.
    """
    if live_mode() != "panel":
        return None
    from labkit.show.live.panel import Panel

    small = usable_cores() < 2 or any(name.startswith(BINDER) for name in os.environ)
    poll_seconds = SLOW_POLL_SECONDS if small else POLL_SECONDS
    return Panel(player, poll_seconds=poll_seconds, presenter=presenter, guess=guess)
