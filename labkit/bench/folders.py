"""The folders of a run: one for what the bench writes, one for what the loop itself writes."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from labkit.record import LabkitError


@dataclass(frozen=True)
class WorkerPaths:
    """Where one worker writes: its step file, its log, and whatever its loop writes."""

    steps: str
    log: str
    scratch: str


@dataclass(frozen=True)
class RunFolders:
    """Two folders that are made when a run starts and removed when it has ended.

    Args:
        steps: Holds steps and logs; in memory where the system has such a place.
        scratch: Holds what the loop writes; on disk, for checkpoints belong there.
    """

    steps: Path
    scratch: Path

    @classmethod
    def make(cls) -> RunFolders:
        """Make both.

        Raises:
            LabkitError: If there is no place for one of them.
        """
        steps = _make("the run's files", "labkit-", ("/dev/shm", None))
        try:
            return cls(steps, _make("what the loop writes", "labkit-scratch-", (None,)))
        except LabkitError:
            shutil.rmtree(steps, ignore_errors=True)
            raise

    def of_worker(self, number: int) -> WorkerPaths:
        """Return where one worker writes, and make its scratch folder.

        Raises:
            OSError: If it cannot be made.
        """
        own = self.scratch / f"worker-{number}"
        own.mkdir()
        return WorkerPaths(
            str(self.steps / f"steps-{number}"), str(self.steps / f"log-{number}"), str(own)
        )

    def remove(self) -> None:
        """Remove both, with all that is in them."""
        for folder in (self.steps, self.scratch):
            shutil.rmtree(folder, ignore_errors=True)


def _make(what: str, prefix: str, parents: tuple[str | None, ...]) -> Path:
    for parent in parents:
        try:
            return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        except OSError as error:
            reason = error
    raise LabkitError(
        f"No folder for {what} can be made ({reason.strerror}); "
        "free some disk space or set TMPDIR to a folder you may write to."
    )
