"""The graphics card: its clock, and whether heat or its power limit holds that back.

A card that gets too hot lowers its clock, and each step takes longer; that is the machine's doing.
NVML is the witness (`labkit.measure.machine.nvml`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import Protocol

from labkit.measure.clock.probe import Row
from labkit.measure.machine.nvml import HEAT, IDLE, POWER
from labkit.record import Column

SHARE_OF_TIME = 0.01
SHORTEST_PAUSE_SECONDS = 0.25
# One reading that was interrupted must not keep the probe silent for long.
LONGEST_PAUSE_SECONDS = 5.0


class ToldCard(Protocol):
    """A card that tells of itself; NaN, or None, is what it does not tell."""

    def clock_mhz(self) -> float: ...
    def celsius(self) -> float: ...
    def watts(self) -> float: ...
    def limit_watts(self) -> float: ...
    def reasons(self) -> int | None: ...
    def processes(self) -> float: ...
    def close(self) -> None: ...


class CardProbe:
    """Asks the card after a step, four times a second at most and for 1 % of the time at most.

    Args:
        clock: Returns seconds; the step's clock.
        card: Whom to ask.
        ours: How many processes of the run compute on it.
    """

    lasting = False
    columns = (
        Column("card_clock_mhz", "clock of the graphics card", "MHz", "machine"),
        Column("card_celsius", "temperature of the graphics card", "deg C", "machine"),
        Column("card_watts", "power of the graphics card", "W", "machine"),
        Column("card_limit_watts", "power limit of the graphics card", "W", "machine"),
        Column("card_hot", "heat holds the card's clock back", "(1 or 0)", "machine"),
        Column("card_capped", "its power limit holds the card's clock back", "(1 or 0)", "machine"),
        Column("card_idle", "the card's clock is low for want of work", "(1 or 0)", "machine"),
        Column("card_others", "other processes computing on the card", "processes", "machine"),
    )

    def __init__(self, clock: Callable[[], float], card: ToldCard, ours: int = 1) -> None:
        self._clock = clock
        self._card, self._ours = card, ours
        self._not_measured = array("d", [math.nan] * len(self.columns))
        self.due = -math.inf

    def read(self, row: Row, place: int) -> None:
        began = self._clock()
        if began < self.due:
            row[place : place + len(self.columns)] = self._not_measured
            return
        card = self._card
        row[place] = card.clock_mhz()
        row[place + 1] = card.celsius()
        row[place + 2] = card.watts()
        row[place + 3] = card.limit_watts()
        reasons = card.reasons()
        for offset, bits in enumerate((HEAT, POWER, IDLE), start=4):
            row[place + offset] = math.nan if reasons is None else float(bool(reasons & bits))
        # In this order, so that NaN stays NaN.
        row[place + 7] = max(card.processes() - self._ours, 0.0)
        ended = self._clock()
        pause = (ended - began) * (1 / SHARE_OF_TIME - 1)
        self.due = ended + min(LONGEST_PAUSE_SECONDS, max(SHORTEST_PAUSE_SECONDS, pause))

    def close(self) -> None:
        """Let go of the card."""
        self._card.close()
