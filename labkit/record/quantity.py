"""Numbers with their units, as a person would write them."""

from __future__ import annotations

import math


def quantity(value: float, unit: str) -> str:
    """Return a number with its unit: ``7.0 ms``, ``12 MB``, ``1,518 ops``."""
    if not math.isfinite(value):
        return "not measured"
    if unit == "s":
        return duration(value)
    if unit == "bytes":
        return size(value)
    number = f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:,.3g}"
    return f"{number} {_single(unit) if number == '1' else unit}".rstrip()


def _single(counted: str) -> str:
    """Return the word for one of what is counted: ``session`` for ``sessions``."""
    return counted.removesuffix("es" if counted.endswith(("ches", "sses")) else "s")


def steps(count: int) -> str:
    """Return ``1 step`` or ``1,203 steps``."""
    return f"{count:,} step{'' if count == 1 else 's'}"


def change(value: float) -> str:
    """Return a number with its sign: ``+1``, ``-0.25``, ``+4,096``."""
    return f"{value:+,.0f}" if abs(value) >= 99.5 else f"{value:+.3g}"


def duration(seconds: float) -> str:
    """Return a time in the unit a person would choose: us, ms, s or minutes."""
    size_ = abs(seconds)
    if size_ >= 120:
        return f"{seconds / 60:.1f} min"
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if size_ >= 0.9995 * scale:
            return f"{_short(seconds / scale)} {unit}"
    return "0 ms" if seconds == 0 else f"{_short(seconds / 1e-6)} us"


def size(count_bytes: float) -> str:
    """Return a number of bytes in bytes, kB, MB or GB (powers of 1,000)."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(count_bytes) >= 0.9995 * scale:
            return f"{_short(count_bytes / scale)} {unit}"
    return f"{count_bytes:,.0f} byte{'' if count_bytes == 1 else 's'}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 99.5 else f"{value:.1f}"
