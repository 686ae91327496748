"""What a probe is handed: TensorFlow, the timers, and where to say what happened."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers


@dataclass(frozen=True)
class ProbeContext:
    """What a probe may hook into.

    Args:
        tensorflow: The imported module.
        timers: The timers.
        events: Takes what happens.
        device: ``"cpu"`` or ``"gpu"``.
    """

    tensorflow: ModuleType
    timers: Timers
    events: Events
    device: str
