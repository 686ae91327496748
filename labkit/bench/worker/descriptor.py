"""A descriptor of ours in a process that is the reader's, who may close it or give it to another.

A program that becomes a service closes all descriptors, and its next file gets one of these
numbers: what we write there would then stand in the reader's file.
"""

from __future__ import annotations

import os


class Descriptor:
    """An open descriptor, and what it leads to.

    Args:
        number: Its number.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._leads_to = _identity(number)

    def is_ours(self) -> bool:
        """Tell whether it still leads where it did."""
        return self._leads_to is not None and _identity(self.number) == self._leads_to


# Bound now: a loop may put a function of its own in its place.
_fstat = os.fstat


def _identity(number: int) -> tuple[int, int] | None:
    try:
        found = _fstat(number)
    except OSError:  # it is closed
        return None
    return found.st_dev, found.st_ino
