"""Whether a run waits before its next step until somebody goes on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from labkit.bench.session.worker_group import WorkerGroup
from labkit.bench.worker.kernel import LONGEST_PAUSE_SECONDS
from labkit.record import LabkitError

# A worker says so when it goes on by itself; one that has not by then hangs, and its time runs.
STUCK_SECONDS = LONGEST_PAUSE_SECONDS + 30.0


class Pause:
    """The pause of a run in progress; whoever holds it keeps others from it meanwhile.

    Args:
        links: The run's workers.
        clock: Returns seconds.
    """

    def __init__(self, links: WorkerGroup, clock: Callable[[], float] = time.monotonic) -> None:
        self._links = links
        self._clock = clock
        self._stuck_at = -math.inf

    @property
    def on(self) -> bool:
        """Whether the worker waits, as far as it has not said otherwise."""
        return self._clock() < self._stuck_at

    def is_over(self) -> None:
        """Note that the worker goes on."""
        self._stuck_at = -math.inf

    def switch(self, on: bool, *, ended: bool) -> None:
        """Tell the worker to wait, or to go on.

        Raises:
            LabkitError: If the run has ended, or must not be kept waiting.
        """
        if ended:
            raise LabkitError("The run has ended, so it cannot be paused; press Run.")
        if len(self._links) > 1:
            raise LabkitError(
                "Two workers meet in each step, and the one that waits would be timed; stop the "
                "run instead."
            )
        if self._links[0].job.is_readers:
            raise LabkitError("A loop of your own cannot be paused; stop it instead.")
        self._stuck_at = self._clock() + STUCK_SECONDS if on else -math.inf
        self._links.command(do="pause", on=on)
