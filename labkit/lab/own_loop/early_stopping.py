"""Looking at a loop while it is diagnosed, so that it is ended when enough is known."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from labkit.bench.session.session import Session
from labkit.diagnosis import (
    AGAIN,
    Standing,
    enough,
    examine,
    same_verdict,
    until,
)
from labkit.record import Diagnosis, Run

LOOK_SECONDS = 1.5


class Looking:
    """Waits, as the session does, and ends the run when enough is known.

    Args:
        session: The run.
        view: Returns what is looked at of the run so far; None as long as there is nothing.
        may_end: Tells whether it may be ended when enough is known, given the diagnosis so far and
            for how many seconds it has run. None where it is never ended: then it is judged once,
            which reads in while it goes on what judging its end needs.
    """

    def __init__(
        self,
        session: Session,
        view: Callable[[Run], Run | None] = lambda run: run,
        *,
        may_end: Callable[[Diagnosis, float], bool] | None = lambda said, seconds: True,
    ) -> None:
        self._session = session
        self._view = view
        self._may_end = may_end
        self._before: Standing | None = None
        self._settled: Standing | None = None
        self._settled_steps = 0
        self._other_steps = 0
        self._due = time.monotonic() + LOOK_SECONDS

    def __call__(self, seconds: float) -> None:
        """Wait, then look if it is time to."""
        if self._session.wait(seconds):
            return  # it will be judged as a whole
        began = self._session.timing.first_step
        now = time.monotonic()
        if began is None or now < self._due or self._settled:
            return
        run = self._view(self._session.snapshot())
        if run is None:
            return
        if self._may_end is not None or self._before is None:
            self._look(run, now - began)
        # Looking takes the processor from the loop: a tenth of the time at most.
        self._due = time.monotonic() + max(LOOK_SECONDS, 10 * (time.monotonic() - now))

    def _look(self, run: Run, seconds: float) -> None:
        said = examine(run)
        censuses = len(run.evidence.get("gc_objects", ()))
        standing = Standing(len(said.judged.steps), seconds, said, censuses)
        verdict = said.verdict
        if not verdict.slower and verdict.label != "too_short":
            self._other_steps = len(run.steps)
        may_end = self._may_end is not None and self._may_end(said, seconds)
        if may_end and enough(standing, self._before):
            self._settled, self._settled_steps = standing, len(run.steps)
            self._session.finish()
        elif self._before is None or standing.steps >= AGAIN * self._before.steps:
            self._before = standing

    def told(self, run: Run) -> Diagnosis:
        """Return the diagnosis of a run that was looked at, with no slowdown seen only once.

        Some steps more come until a run is ended for enough, and with them what was quiet twice
        may turn into a slowdown that nobody sees twice: a flat loop on a machine that had become
        27 % slower was called slower so. Where a run's time was up, a slowdown must have stood for
        a while: a healthy training was called 10 % slower for its last seconds. Then the steps are
        judged up to the last look that saw none. A cause makes it no surer: of a step that is
        nearly all compiling, whatever the machine does is compiling that takes longer. What was
        claimed and does not hold is withdrawn by the whole run; what is kept is always that of the
        whole run, which is counted once more at its end.

        Args:
            run: The whole run, ended.
        """
        said = examine(run)
        if self._borne_out(run, said):
            return said
        part = until(run, self._settled_steps if self._settled else self._other_steps)
        late = 0 if self._settled else len(run.steps) - len(part.steps)
        return replace(examine(part, whole=run), late_steps=late)

    def _borne_out(self, run: Run, said: Diagnosis) -> bool:
        if not said.verdict.slower:
            return True
        if self._settled:
            return same_verdict(said.verdict, self._settled.diagnosis.verdict)
        return run.state.name != "time_limit" or len(run.steps) >= AGAIN * self._other_steps
