"""Whether a run waits before its next step until somebody goes on."""

from __future__ import annotations

from labkit.bench.session.worker_group import WorkerGroup
from labkit.record import LabkitError


class Pause:
    """The pause of a run in progress; whoever holds it keeps others from it meanwhile.

    Args:
        links: The run's workers.
    """

    def __init__(self, links: WorkerGroup) -> None:
        self._links = links
        self.on = False

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
        self.on = on
        self._links.command(do="pause", on=on)
