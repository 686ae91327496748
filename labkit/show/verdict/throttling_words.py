"""Throttling in sentences: what heat or its power limit did to a graphics card's clock."""

from __future__ import annotations

from labkit.record.verdict import Throttling


def throttling_words(found: Throttling, during: str = "") -> str:
    """Say how a graphics card's clock changed, what held it back, and who says so.

    Args:
        found: How it did.
        during: In which run, to stand behind the clock; empty where there is one only.
    """
    first, last = (f"{round(each):,}" for each in (found.first_mhz, found.last_mhz))
    reason = found.reason.replace("power", "its power limit")
    clock = f"the graphics card's clock{during}"
    if found.wanders:
        return f"{clock} went up and down between {last} and {first} MHz because of {reason} (NVML)"
    if found.last_mhz < found.first_mhz:
        return f"{clock} fell from {first} to {last} MHz because of {reason} (NVML)"
    return f"{clock}, which {reason} had held back, rose from {first} to {last} MHz (NVML)"


def clocks_words(found: Throttling, first: str, second: str) -> str:
    """Say how a graphics card's clock differed between two runs, why, and who says so.

    Args:
        found: The clocks of the first run and of the second.
        first: What the first run is called.
        second: What the second is called.
    """
    clocks = [f"{round(each):,} MHz" for each in (found.first_mhz, found.last_mhz)]
    reason = found.reason.replace("power", "its power limit")
    return (
        f"the graphics card's clock was {clocks[0]} at the end of '{first}' and {clocks[1]} at "
        f"that of '{second}', because of {reason} (NVML)"
    )
