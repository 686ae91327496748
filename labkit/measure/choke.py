"""A choke point: a function that all work of a kind passes, wrapped so its time is booked."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from labkit.measure.places import Places


class ChokePoint:
    """Wraps one attribute of a class or module until it is closed.

    Args:
        owner: The class or module that has the function.
        name: The attribute's name.
        places: The stopwatch.
        place: The number of the place to book on.
        seen: Called with the function's first argument at every call, e.g. to meet the graphs.

    Raises:
        AttributeError: If the owner has no such attribute.
    """

    def __init__(
        self,
        owner: Any,
        name: str,
        places: Places,
        place: int,
        seen: Callable[[Any], object] | None = None,
    ) -> None:
        self._owner = owner
        self._name = name
        # From the owner's own dictionary: an inherited function set back on the subclass would
        # shadow its parent's for ever.
        self._own = name in vars(owner)
        self._original = getattr(owner, name)
        original = self._original

        @functools.wraps(original)
        def timed(*args: Any, **keywords: Any) -> Any:
            if seen is not None:
                seen(args[0])
            if not places.enter(place):
                return original(*args, **keywords)
            try:
                return original(*args, **keywords)
            finally:
                places.leave()

        setattr(owner, name, timed)

    def close(self) -> None:
        """Put the original back."""
        if self._own:
            setattr(self._owner, self._name, self._original)
        else:
            delattr(self._owner, self._name)
