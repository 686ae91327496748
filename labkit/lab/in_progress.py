"""The runs in progress of one loop: which of them a lab goes on with, and which it ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.bench.starting import whole_source


class RunsInProgress:
    """Starts the runs of a lab, and knows those that an earlier lab of the same loop has started.

    Files in two folders may have the same name, and a file that of a cause: neither is the same
    loop. The same file with other lines, other modules beside it, other variables or in another
    folder, or the same loop with other settings, is not what goes on.

    Args:
        on: The bench that runs them.
        source: The cause's slug, or the path of a file.
        settings: All that the lab was asked for.
        start: Starts a run of it on the bench.
    """

    def __init__(
        self, on: Bench, source: str, settings: object, start: Callable[..., Session]
    ) -> None:
        self._bench = on
        self._source = whole_source(source)
        self._start = start
        self._started_as = (repr(settings), _surroundings(source))

    def same(self) -> list[Session]:
        """Return those with the same lines and settings: a cell run twice goes on with them."""
        return [each for each in self._all() if each.started_as == self._started_as]

    def start(self, **options: object) -> Session:
        """Start a run; those with the lines of before end, for nobody can stop them any more.

        A lab with other settings, or a second one with the same, may stand in the next cell, and a
        run that no lab has started is somebody else's.

        Args:
            options: What differs from run to run, such as toggles.
        """
        settings, surroundings = self._started_as
        for each in self._all():
            if isinstance(each.started_as, tuple):
                then, around = each.started_as
                if then == settings and around != surroundings:
                    each.stop()
        session = self._start(**options)
        session.started_as = self._started_as
        return session

    def _all(self) -> list[Session]:
        return [
            each
            for each in self._bench.sessions
            if each.job.source == self._source and not each.state.ended
        ]


def _surroundings(source: str) -> object:
    """Return what makes a loop another one without another setting: its code, and what it reads."""
    variables = tuple(sorted(os.environ.items()))
    if not source.endswith(".py"):
        return variables
    file = Path(source).absolute()
    modules = [
        (str(each), each.stat().st_mtime_ns)
        for pattern in ("*.py", "*/*.py")
        for each in sorted(file.parent.glob(pattern))
        if each.is_file()
    ]
    return variables, os.getcwd(), sha256(file.read_bytes()).digest(), tuple(modules)
