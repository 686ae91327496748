"""The workers of a run: told together, and gathered together."""

from __future__ import annotations

from labkit.bench.session.worker_handle import WorkerHandle
from labkit.record import Steps


class WorkerGroup(tuple[WorkerHandle, ...]):
    """The workers of one run, in their order; the first is the one on show."""

    __slots__ = ()

    @property
    def kept_bytes(self) -> int:
        """What their steps take in memory, once they were gathered."""
        return sum(each.kept_bytes for each in self)

    def command(self, **command: object) -> None:
        """Send a command to each."""
        for each in self:
            each.command(**command)

    def recorded(self) -> list[Steps]:
        """Return the steps of each so far."""
        return [each.recorded() for each in self]

    def gather(self) -> None:
        """Take the steps of each from its file into memory.

        Raises:
            OSError: If some cannot be read; what can be is taken all the same.
        """
        failed: OSError | None = None
        for each in self:
            try:
                each.detach_steps()
            except OSError as error:
                failed = error
        if failed is not None:
            raise failed

    def leave_to_parent(self) -> None:
        """Close what a forked process has inherited of each, without a word to anybody."""
        for each in self:
            each.leave_to_parent()
