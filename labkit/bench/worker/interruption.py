"""Interrupts a step that does not end, as Ctrl-C would a script in it."""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import psutil

from labkit.bench.worker.kernel import Kernel
from labkit.record import State, quantity

# A step is waited for; who has pressed Stop does not wait long.
STEP_SECONDS = 1.0
# Where nobody has, a script is interrupted between two of its steps, if it comes to that: amid one
# it may be writing its checkpoint.
SCRIPT_STEP_SECONDS = 10.0
# What a script has started may end by the script's own hand, where nobody has pressed Ctrl-C.
OTHERS_SECONDS = 2.0
INTERRUPTED = "Stopped{}; the step in progress was interrupted."
SCRIPT_INTERRUPTED = "Stopped; the script was interrupted."


class Interruption:
    """Interrupts this process's main thread where its loop does not end as it is told to.

    What the step leaves half done is then for its own ``finally``, and what the loop has in open
    files can still be written.

    Args:
        kernel: Says when the loop shall end.
        of_script: Whether it is a script that it interrupts.
    """

    def __init__(self, kernel: Kernel, *, of_script: bool = False) -> None:
        self._kernel, self._of_script = kernel, of_script
        self._sleep = time.sleep  # bound now: a loop may put a function of its own in its place
        self._over = self._delivered = self._waits = False
        # Whoever started all this may ignore it, and what is ignored is inherited.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        kernel.asked_to_end, kernel.pass_on = self._ask, _pass_on

    def end(self) -> None:
        """Interrupt nothing from now on: the loop is over."""
        self._over = True

    def wait_for_step(self) -> None:
        """Interrupt a script that is to end amid its step only where that goes on for long."""
        if not self._waits:
            self._waits = True
            self._interrupt_later(SCRIPT_STEP_SECONDS)

    def deliver(self) -> bool:
        """Tell whether the one interruption that was asked for is due, and take it as delivered.

        A script may have a handler of its own, which ends it at the second one only.
        """
        due = not self._over and not self._delivered
        self._delivered = True
        return due

    def interrupt(self) -> None:
        """Interrupt the loop as Ctrl-C does, and with it what it has started.

        A terminal sends Ctrl-C to all of a program's processes: one that saves its work at that
        and is waited for would not end. At the end of a run that is long enough nobody has pressed
        it, and a pool that its script closes by itself prints no errors.
        """
        asked = self._kernel.stop_signal
        number = asked if _is_awaited(asked) else signal.SIGINT
        if asked == signal.SIGINT:
            seconds = 0.0 if self._kernel.stopping else OTHERS_SECONDS
            with contextlib.suppress(RuntimeError):  # as in _ask
                _thread.start_new_thread(self._interrupt_others, (seconds,))
        raise_in_main_thread(number)

    def _interrupt_others(self, seconds: float) -> None:
        self._sleep(seconds)
        if seconds and self._over:
            return
        group = os.getpgid(0)
        for each in psutil.pids():
            with contextlib.suppress(OSError):  # another user's, or gone
                if each != os.getpid() and os.getpgid(each) == group:
                    os.kill(each, signal.SIGINT)

    def state(self, error: BaseException, steps: int | None = None) -> State | None:
        """Return how a run ended that was interrupted; None where the loop itself raised.

        Args:
            error: What the loop has raised.
            steps: How many of its steps are done; None of a script, whose steps others count.
        """
        if not isinstance(error, KeyboardInterrupt):
            return None
        if self._kernel.finishing:
            return State("done")
        if self._kernel.stopping:
            if steps is None:
                return State("stopped", SCRIPT_INTERRUPTED)
            when = f" after {quantity.steps(steps)}" if steps else " before the first step"
            return State("stopped", INTERRUPTED.format(when))
        return self._kernel.ending

    def _ask(self) -> None:
        again = self._kernel.urgent
        patient = self._of_script and not self._kernel.stopping
        seconds = SCRIPT_STEP_SECONDS if patient else STEP_SECONDS
        hurried = again or self._kernel.ending is not None
        self._interrupt_later(0.0 if hurried else seconds, again=again)

    def _interrupt_later(self, seconds: float, *, again: bool = False) -> None:
        with contextlib.suppress(RuntimeError):  # the loop left no thread to be had
            # None of the program's threads, as the one that this is asked on.
            _thread.start_new_thread(self._interrupt, (seconds, again))

    def _interrupt(self, seconds: float, again: bool) -> None:
        self._sleep(seconds)
        if not self._over if again else self.deliver():
            self.interrupt()


def _pass_on(number: int, *, awaited: bool) -> None:
    """Give this process a signal that was sent to the command.

    Args:
        number: Of the signal.
        awaited: Whether only if the loop has a handler for it, or a thread that waits for it.
    """
    if not awaited or _is_awaited(number):
        raise_in_main_thread(number)


def _is_awaited(number: int) -> bool:
    """Tell whether the loop does something of its own at a signal."""
    return callable(signal.getsignal(number)) or _is_blocked(number)


def _is_blocked(number: int) -> bool:
    """Tell whether the main thread blocks a signal, as one does whose thread waits for it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = Path(f"/proc/self/task/{os.getpid()}/status").read_text("utf-8", "replace")
        return bool(int(text.partition("SigBlk:")[2].split()[0], 16) >> (number - 1) & 1)
    return False


def raise_in_main_thread(number: int) -> None:
    """Have the loop hear of a signal, in whichever of its threads waits for that."""
    main = threading.main_thread().ident
    if _is_blocked(number):
        os.kill(os.getpid(), number)  # for the thread that waits for it
    elif main is not None:
        signal.pthread_kill(main, number)  # and so wake it if it sleeps
