"""Full stores: what each took when it was first seen full, from one look to the next."""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any


class FullStores:
    """Remembers full stores, and holds none of them."""

    def __init__(self) -> None:
        # By number, for a store of a class of the reader's may have a hash of its own.
        self._known: dict[int, tuple[weakref.ref[deque[Any]], float]] = {}

    def at_first(self, store: deque[Any], bytes_now: float) -> float:
        """Return what a full store took when it was first seen full.

        Args:
            store: The store.
            bytes_now: What it takes now.
        """
        known = self._known.get(id(store))
        if known is None or known[0]() is not store:  # another had its number
            known = self._known[id(store)] = (weakref.ref(store), bytes_now)
        return known[1]

    def keep(self, stores: list[deque[Any]]) -> None:
        """Forget all but these: those that are gone, or are filled anew.

        Args:
            stores: All that are full.
        """
        numbers = {id(store) for store in stores}
        self._known = {number: known for number, known in self._known.items() if number in numbers}
