"""Functions of the loop's own: the time spent in them, each on a place of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labkit.measure.choke import ChokePoint
from labkit.measure.places import Places


class _Names:
    """A module's names as attributes; the file of a cause need not be an imported module."""


class OwnFunctions:
    """Books the time of some functions of one module; they are found again by their names.

    Args:
        module: The module's names, as ``function.__globals__`` gives them.
        titles: For each function's name, the title of its place.
        places: The stopwatch.

    Raises:
        AttributeError: If the module has no such function.
    """

    def __init__(self, module: dict[str, Any], titles: Mapping[str, str], places: Places) -> None:
        owner = _Names()
        # It shares the module's own dictionary: what is set on it is set there.
        owner.__dict__ = module
        self._points = [
            ChokePoint(owner, name, places, places.add(name, title))
            for name, title in titles.items()
        ]

    def close(self) -> None:
        """Put the originals back."""
        for point in reversed(self._points):
            point.close()
        self._points.clear()
