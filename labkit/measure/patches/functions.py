"""Functions of the loop's own: the time spent in them, each on a place of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labkit.measure.clock.timers import Timers
from labkit.measure.patches.patch import timed_patch


class _Names:
    """A module's names as attributes; the file of a cause need not be an imported module."""


class OwnFunctions:
    """Records the time of some functions of one module; they are found again by their names.

    Args:
        module: The module's names, as ``function.__globals__`` gives them.
        titles: For each function's name, the title of its place.
        timers: The timers.

    Raises:
        AttributeError: If the module has no such function.
    """

    def __init__(self, module: dict[str, Any], titles: Mapping[str, str], timers: Timers) -> None:
        owner = _Names()
        # It shares the module's own dictionary: what is set on it is set there.
        owner.__dict__ = module
        self._patches = [
            timed_patch(owner, name, timers, timers.add(name, title))
            for name, title in titles.items()
        ]

    def close(self) -> None:
        """Put the originals back."""
        for patch in reversed(self._patches):
            patch.close()
        self._patches.clear()
