"""The bench of a command: a signal stops its run, and what was run until then is told and saved."""

from __future__ import annotations

import contextlib
import os
import signal
from types import FrameType
from typing import Any

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.cli.interrupt import ENDING, SIGNALLED, handled
from labkit.cli.suspension import suspended_together

# What schedulers send so that a training saves what it has, and goes on.
PASSED_ON = [
    getattr(signal, name) for name in ("SIGUSR1", "SIGUSR2", "SIGXCPU") if hasattr(signal, name)
]
AGAIN = "\nlabkit: The run is being stopped and saved; Ctrl-\\ ends it without that.\n"


class CommandBench(Bench):
    """A bench whose runs end at Ctrl-C, SIGTERM and SIGHUP, and that is closed with its context.

    A signal raises nothing: wherever an exception came, in the judging of a run that had ended or
    between its end and its file, it would take the run along.
    """

    def __init__(self) -> None:
        super().__init__(os.environ.get("LABKIT_START", "auto"))
        self._signal = 0
        self._said = False
        self._begun: list[Session] = []
        self._open = contextlib.ExitStack()

    @property
    def status(self) -> int:
        """The exit status that a signal asks for; 0 as long as none came."""
        return SIGNALLED + self._signal if self._signal else 0

    @property
    def ended_early(self) -> bool:
        """Whether a run was ended because enough was known of it."""
        return any(session.timing.ended_early for session in self._begun)

    def begin(self, *what: Any, **options: Any) -> Session:
        session = super().begin(*what, **options)
        self._begun.append(session)
        if self._signal:  # it came while there was no run to stop
            session.stop()
        return session

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self._signal and not self._said:
            self._said = True
            with contextlib.suppress(OSError):
                os.write(2, AGAIN.encode())
        self._signal = self._signal or number
        for session in self.sessions:
            if session.stop_asked and number == signal.SIGINT:
                session.interrupt()
            elif session.stop_asked:
                session.pass_on(number, awaited=True)
            session.stop(number)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        for session in self.sessions:
            session.pass_on(number)

    def _launcher_id(self) -> int | None:
        return None if self.launcher is None else self.launcher.process_id

    def __enter__(self) -> CommandBench:
        self._open.enter_context(handled(ENDING, self._stop))
        self._open.enter_context(handled(PASSED_ON, self._pass_on))
        self._open.enter_context(suspended_together(self._launcher_id))
        self._open.callback(self.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
