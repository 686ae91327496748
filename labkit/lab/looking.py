"""Looking at a loop while it is diagnosed, so that it is ended when enough is known."""

from __future__ import annotations

import time

from labkit.bench.session import Session
from labkit.diagnosis import (
    AGAIN,
    Standing,
    enough,
    examine,
    explained,
    same_verdict,
    unsampled,
    until,
)
from labkit.record import Diagnosis, Run

LOOK_SECONDS = 1.5


class Looking:
    """Waits, as `time.sleep` does, and ends the run when enough is known.

    Args:
        session: The run.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: Standing | None = None
        self._settled: Standing | None = None
        self._settled_steps = 0
        self._other_steps = 0
        self._due = time.monotonic() + LOOK_SECONDS

    def __call__(self, seconds: float) -> None:
        """Wait, then look if it is time to."""
        time.sleep(seconds)
        began = self._session.timing.first_step
        now = time.monotonic()
        if began is None or now < self._due or self._settled:
            return
        run = self._session.snapshot()
        censuses = len(run.evidence.get("gc_objects", ()))
        standing = Standing(len(unsampled(run).steps), now - began, examine(run), censuses)
        verdict = standing.diagnosis.verdict
        if not verdict.slower and verdict.label != "too_short":
            self._other_steps = len(run.steps)
        if enough(standing, self._before):
            self._settled, self._settled_steps = standing, len(run.steps)
            self._session.finish()
        elif self._before is None or standing.steps >= AGAIN * self._before.steps:
            self._before = standing
        # Looking takes the processor from the loop: a tenth of the time at most.
        self._due = time.monotonic() + max(LOOK_SECONDS, 10 * (time.monotonic() - now))

    def bears_out(self, run: Run, said: Diagnosis) -> bool:
        """Tell whether a diagnosis claims no slowdown that nobody confirmed.

        Some steps more come until a run is ended for enough, and with them what was quiet twice
        may turn into a slowdown that nobody sees twice: a flat loop on a machine that had become
        27 % slower was called slower so. Where a run's time was up instead, a slowdown without a
        cause must have stood for a while: a healthy training was called 10 % slower for its last
        seconds. What was claimed and then does not hold is withdrawn by the whole run.
        The time alone is asked about: what is kept is counted once more at the end, and for that.

        Args:
            run: The whole run.
            said: What was made of it.
        """
        if not said.verdict.slower:
            return True
        if self._settled:
            return same_verdict(said.verdict, self._settled.diagnosis.verdict)
        return explained(said) or len(run.steps) >= AGAIN * self._other_steps

    def believed(self, run: Run) -> Run:
        """Return the run up to the last look that bore it out, where its end is not.

        Args:
            run: The whole run.
        """
        return until(run, self._settled_steps if self._settled else self._other_steps)
