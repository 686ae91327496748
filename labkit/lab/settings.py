"""What a lab or a run is asked for by name: toggles and sizes, and the limits it has here."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.bench.machine import memory_room
from labkit.bench.supervision.limits import Limits
from labkit.cause import Cause
from labkit.record import ChoiceError, LabkitError

LARGEST_MEMORY_BYTES = 4_000_000_000


def run_limits(seconds: float) -> Limits:
    """Return a run's limits here: its loop may take half of the free memory, 4 GB at most."""
    return Limits(wall_seconds=seconds, memory_bytes=min(memory_room() // 2, LARGEST_MEMORY_BYTES))


def check_seconds(seconds: float) -> None:
    """Refuse a limit of time that no diagnosis has.

    Raises:
        LabkitError: If it is not from 1 to 3,600.
    """
    if not 1 <= seconds <= 3600:
        raise LabkitError(f"seconds = {seconds!r} is not allowed; choose from 1 to 3,600.")


def split_settings(
    cause: Cause, settings: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Tell toggles from sizes, and check both.

    Raises:
        ChoiceError: If a name is neither.
    """
    toggles = {toggle.name for toggle in cause.toggles}
    sizes = {size.name for size in cause.sizes}
    for name in settings:
        if name not in toggles | sizes:
            known = [toggle.name for toggle in cause.toggles] + [size.name for size in cause.sizes]
            raise ChoiceError(f"setting of {cause.slug}", name, known)
    chosen = {name: value for name, value in settings.items() if name in toggles}
    counts = {name: value for name, value in settings.items() if name in sizes}
    cause.toggle_values(chosen)
    cause.size_values(counts)
    return chosen, counts
