"""The recordings that come with labkit: real runs of each lab, a folder for each.

`python -m tools.recordings` made them; each file says on what and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from labkit.record import LabkitError, Run, load_run
from labkit.record.run_files import run_files

FOLDER = "recordings"


def shipped(slug: str, folder: Path | None = None) -> list[Run]:
    """Return the recordings of one lab that come with labkit, the defaults' first.

    Of one device, for curves of two do not compare: the graphics card, where there are enough.

    Args:
        slug: The lab's cause.
        folder: Where they lie, a folder for each cause; None for those in the package.

    Raises:
        LabkitError: If there is none.
    """
    where = folder or Path(str(resources.files("labkit").joinpath(FOLDER)))
    runs = [load_run(file) for file in run_files(where / slug)] if (where / slug).is_dir() else []
    if not runs:
        raise LabkitError(
            f"No recording of {slug} comes with labkit; make one with:  "
            f"labkit run {slug} --out {slug}.jsonl"
        )
    return of_best_device(runs)


def of_best_device(runs: Sequence[Run]) -> list[Run]:
    """Return the runs of one device: of a graphics card where they show what a toggle changes.

    What a self-check sends from a card is each lab's defaults. By them alone a lab would lose the
    toggles that its recordings from a processor have.
    """
    on_card = [run for run in runs if run.environment.get("gpu")]
    others = [run for run in runs if not run.environment.get("gpu")]
    enough = len({tuple(sorted(run.toggles.items())) for run in on_card}) > 1
    return on_card if enough or not others else others
