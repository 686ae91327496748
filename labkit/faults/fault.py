"""A fault: what every one of them can do."""

from __future__ import annotations

from typing import Protocol


class Fault(Protocol):
    """One fault at work.

    Args:
        own: Units that acting it out adds by itself.
    """

    own: int

    def enlarge(self, units: int) -> None:
        """Add to what is there."""

    def act(self) -> None:
        """Do what the fault does in one step."""
