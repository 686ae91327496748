"""The folders of a run: one for what the bench writes, one for what the loop itself writes."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from labkit.bench.protocol import Job
from labkit.bench.temporary import TemporaryFolder, sweep
from labkit.record import LabkitError

# Folders in it are made by `TemporaryFolder`: private, and of a name that nobody can guess.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108
# A run's log, and some thousand steps; a container may have 64 MB of shared memory in all.
LEAST_FREE_BYTES = 8_000_000


@dataclass(frozen=True)
class RunFolders:
    """Two folders that are made when a run starts and removed when it has ended.

    Args:
        steps: Holds the steps; in memory where the system has such a place with some room.
        scratch: Holds what the loop writes; on disk, for checkpoints belong there.
    """

    steps: TemporaryFolder
    scratch: TemporaryFolder

    @classmethod
    def make(cls) -> RunFolders:
        """Make both.

        Raises:
            LabkitError: If there is no place for one of them.
        """
        in_memory = (SHARED_MEMORY,) if _has_room(SHARED_MEMORY) else ()
        steps = _make("the run's files", "run", (*in_memory, None))
        try:
            return cls(steps, _make("what the loop writes", "scratch", (None,)))
        except LabkitError:
            steps.remove()
            raise

    def of_worker(self, job: Job, number: int) -> Job:
        """Return the job of one worker, with where it writes, and make its scratch folder.

        Raises:
            OSError: If it cannot be made.
        """
        own = self.scratch.path / f"worker-{number}"
        own.mkdir()
        return replace(
            job,
            worker=number,
            steps_path=str(self.steps.path / f"steps-{number}"),
            more_steps_path=str(self.scratch.path / f"steps-{number}"),
            # On disk: where memory is full, a loop that prints would fail.
            log_path=str(self.scratch.path / f"log-{number}"),
            scratch_path=str(own),
        )

    def leave_to_parent(self) -> None:
        """Let go of the locks of both, in a forked process."""
        self.steps.unlock()
        self.scratch.unlock()

    def remove(self) -> None:
        """Remove both, with all that is in them."""
        self.steps.remove()
        self.scratch.remove()


def sweep_abandoned() -> None:
    """Remove what kernels of this user have left that were killed."""
    folders = {SHARED_MEMORY}
    # There is none on a full disk. The run says so itself; here it would be a thread's traceback.
    with suppress(OSError):
        folders.add(Path(tempfile.gettempdir()))
    sweep(folders)


def _make(what: str, purpose: str, parents: tuple[Path | None, ...]) -> TemporaryFolder:
    for parent in parents:
        try:
            return TemporaryFolder(purpose, parent)
        except OSError as error:
            reason = error
    raise LabkitError(
        f"No folder for {what} can be made ({reason.strerror}); "
        "free some disk space or set TMPDIR to a folder you may write to."
    )


def _has_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free >= LEAST_FREE_BYTES
    except OSError:
        return False
