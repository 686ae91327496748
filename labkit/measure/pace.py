"""The pace: how many steps of a watched loop are read as one, so that reading stays cheap.

To read what the probes counted costs 15 us after a step of 1 ms and 60 us after one of 10 ms: such
a step has emptied the caches, of code as of numbers. So where that is much, several steps are read
as one, a block; each is timed by itself all the same.
"""

from __future__ import annotations

import math

# Of the time of the steps; what a reading takes from their caches costs about as much again.
SHARE_OF_TIME = 0.0003
LONGEST_BLOCK = 16
# The first steps are what a loop warms up with: each another one, and worth a reading.
FIRST_READINGS = 20
LEAST_SECONDS = 1e-9  # a clock may stand still
# A step that takes this much longer than usual ends its block, so that all of the rest is its own.
STANDS_OUT = 1.5
# By how much, at most, such a step moves what is usual: a level that stays is usual soon.
MOST_MOVED = 1.25
# Of a step: time between two steps of a block in which nothing worth counting can lie.
MOST_BETWEEN = 0.1
# By how much blocks may be longer again after each reading, once one was lost.
REGAINED = 0.05


class Pace:
    """Says after each reading how many steps the next one is for, and which step comes before.

    Args:
        share: Of the time of the steps that may be spent on reading.

    Attributes:
        block: How many steps are read as one.
        unusual_seconds: A step that takes longer than that ends its block.
        between_seconds: So does as much time between two steps, and the block is lost.
    """

    def __init__(self, share: float = SHARE_OF_TIME) -> None:
        self._share = share
        self._longest: float = LONGEST_BLOCK
        self._readings = 0
        self._usual_seconds = math.inf
        self.block = 1
        self.unusual_seconds = math.inf
        self.between_seconds = 0.0

    def after(self, seconds: float, cost_seconds: float) -> None:
        """Choose the next block after a reading.

        Args:
            seconds: How long the shortest step of the block took: the last may stand out.
            cost_seconds: How long it took to read.
        """
        self._readings += 1
        self._usual_seconds = min(max(seconds, LEAST_SECONDS), MOST_MOVED * self._usual_seconds)
        self.unusual_seconds = STANDS_OUT * self._usual_seconds
        self.between_seconds = MOST_BETWEEN * self._usual_seconds
        self._longest = min(self._longest + REGAINED, LONGEST_BLOCK)
        if self._readings >= FIRST_READINGS:
            needed = math.ceil(cost_seconds / (self._share * self._usual_seconds))
            self.block = max(1, min(needed, int(self._longest)))

    def lost(self, steps: int) -> None:
        """Note that a block of so many steps could not be read: the next will not be longer.

        Something happened between two steps that belongs to none, e.g. the end of an epoch.
        """
        self._longest = max(1, min(steps, self._longest))
        self.block = min(self.block, int(self._longest))
