"""What the caller of a viewer knows about a diagnosis, and this room cannot know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Background:
    """What belongs beside a run and its diagnosis; every part may be left out.

    Args:
        labs: The notebook that teaches a cause, by the cause's slug.
        titles: What a reader calls the counters that were read rarely, by name.
        slower_lines: Lines of the loop that take longer at the end than at the start, most first:
            the place, and how many seconds a step more.
        looked_at: How many steps were left out because they were looked at closely.
        late_steps: How many more came at the end, and got slower too late to be sure of it.
    """

    labs: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    slower_lines: tuple[tuple[str, float], ...] = ()
    looked_at: int = 0
    late_steps: int = 0
