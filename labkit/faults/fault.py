"""A fault: what every one of them can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar


class Fault(ABC):
    """One fault at work.

    Args:
        own: Units that acting it out adds by itself.
    """

    own: ClassVar[int] = 0

    @abstractmethod
    def enlarge(self, units: int) -> None:
        """Add to what is there."""

    @abstractmethod
    def act(self) -> None:
        """Do what the fault does in one step."""
