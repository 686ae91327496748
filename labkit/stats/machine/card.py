"""What a graphics card said of itself beside the steps: its clock, and what held that back."""

from __future__ import annotations

from dataclasses import dataclass, fields

from labkit.stats.series import Numbers


@dataclass(frozen=True)
class Card:
    """What the card said of itself after steps, each of shape (steps,); NaN where nobody asked.

    Args:
        clock_mhz: Its clock.
        hot: 1 where heat held the clock back, else 0.
        capped: 1 where its power limit did, else 0.
        idle: 1 where the clock was low because the card had nothing to do, else 0.
    """

    clock_mhz: Numbers
    hot: Numbers
    capped: Numbers
    idle: Numbers

    def between(self, start: int, end: int) -> Card:
        """Return the steps from `start` to `end - 1`."""
        return Card(*(getattr(self, each.name)[start:end] for each in fields(self)))
