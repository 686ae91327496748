"""What a probe is handed: TensorFlow, the stopwatch, and where to say what happened."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from labkit.measure.events import Events
from labkit.measure.places import Places


@dataclass(frozen=True)
class Hooks:
    """What a probe may hook into.

    Args:
        tensorflow: The imported module.
        places: The stopwatch.
        events: Takes what happens.
        device: ``"cpu"`` or ``"gpu"``.
        sparing: Whether the loop is to stay as fast as it was: what no diagnosis decides by is not
            counted.
    """

    tensorflow: ModuleType
    places: Places
    events: Events
    device: str
    sparing: bool = False
