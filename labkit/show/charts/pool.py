"""A picture of a memory pool: what is in use, what is free, and the largest free block.

Draws with matplotlib's objects alone, as the figures of runs do. Knows a finished run's events.
"""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from labkit.record import Event, quantity
from labkit.record.memory_map import MemoryMap
from labkit.record.plain_text import one_line
from labkit.show.charts.figure import MOST_HEADLINE
from labkit.show.charts.picture import STYLE, Picture, rendered

ROWS, COLUMNS = 32, 1_400
MAGNIFIED_SHARE = 1 / 128  # of the pool: wide enough for some dozens of blocks of a typical loop
# Dark and light, so that they are told apart without any colour.
SHADES = LinearSegmentedColormap.from_list("pool", ["#e3ebf2", "#0b4f8a"])
MARK = "#D55E00"


def draw_memory_map(event: Event, title: str = "") -> Picture:
    """Draw the map that an event carries: the whole pool in rows, and a small part enlarged.

    Args:
        event: Of the kind ``"memory_map"``.
        title: The headline; else the step it was taken at.

    Raises:
        RunFileError: If the event holds no map that can be read.
    """
    pool = MemoryMap.of_event(event)
    headline = one_line(title, MOST_HEADLINE) or f"The memory pool at step {event.step:,}"
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(9.6, 5.2), layout="constrained", facecolor="white")
        whole, part = figure.subplots(2, 1, height_ratios=[8, 1])
        _draw_whole(whole, pool)
        _draw_part(part, pool)
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=15)
        figure.supxlabel(sentence(pool), x=0.01, ha="left", fontsize=11.5)
        alt = f"{headline}, drawn in rows of dark (in use) and light (free). {sentence(pool)}"
        return rendered(figure, alt)


def sentence(pool: MemoryMap) -> str:
    """Return the map in words."""
    if not pool.pool_bytes:
        return "The pool holds no memory yet."
    said = (
        f"{quantity.size(pool.in_use_bytes)} of {quantity.size(pool.pool_bytes)} in use; "
        f"{quantity.size(pool.free_bytes)} free"
    )
    if not pool.free_bytes:
        return f"{said}."
    blocks = "1 block" if pool.free_chunks == 1 else f"{pool.free_chunks:,} blocks"
    return f"{said} in {blocks}, the largest of {quantity.size(pool.largest_free_bytes)}."


def shares(pool: MemoryMap, start: float, end: float, cells: int) -> NDArray[np.float64]:
    """Return how much of each cell is in use, 0 to 1.

    Args:
        pool: Its regions are laid end to end.
        start: Where the first cell begins, in bytes from the pool's beginning.
        end: Where the last one ends.
        cells: How many.
    """
    pieces = np.array([piece for row in pool.regions for piece in row], dtype=float)
    if not len(pieces):
        return np.zeros(cells)
    # Bytes in use before each address, read off a line through the ends of all pieces: exact for
    # a cell of any width.
    places = np.concatenate([[0.0], np.cumsum(pieces[:, 0])])
    used = np.concatenate([[0.0], np.cumsum(pieces[:, 1])])
    edges = np.linspace(start, end, cells + 1)
    filled: NDArray[np.float64] = np.diff(np.interp(edges, places, used))
    return filled / max((end - start) / cells, 1e-9)


def _draw_whole(axes: Axes, pool: MemoryMap) -> None:
    row_bytes = max(pool.pool_bytes / ROWS, 1)
    grid = shares(pool, 0, row_bytes * ROWS, ROWS * COLUMNS).reshape(ROWS, COLUMNS)
    megabytes = row_bytes / 1e6
    axes.imshow(
        grid, cmap=SHADES, vmin=0, vmax=1, aspect="auto", interpolation="nearest",
        extent=(0, megabytes, ROWS, 0),
    )  # fmt: skip
    axes.set_ylabel(f"rows of {megabytes:,.1f} MB")
    axes.set_yticks([])
    axes.set_xlabel("MB from the start of the row", fontsize=10.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
    handles = [
        Rectangle((0, 0), 1, 1, fc=SHADES(1.0), ec="none", label="in use"),
        Rectangle((0, 0), 1, 1, fc=SHADES(0.0), ec="#8c959f", label="free"),
    ]
    handles += _outline_largest(axes, pool, row_bytes)
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False,
        borderaxespad=0.2, fontsize=11,
    )  # fmt: skip


def _outline_largest(axes: Axes, pool: MemoryMap, row_bytes: float) -> list[Rectangle]:
    """Outline the largest free block, a rectangle for each row it lies in."""
    place, size = _largest(pool)
    if not size:
        return []
    start, end = float(place), float(place + size)
    row = int(start // row_bytes)
    while start < end:
        stop = min(end, (row + 1) * row_bytes)
        left, width = (start - row * row_bytes) / 1e6, (stop - start) / 1e6
        outline = Rectangle((left, row), width, 1, fill=False, ec=MARK, lw=2, hatch="//")
        axes.add_patch(outline)
        start, row = stop, row + 1
    return [Rectangle((0, 0), 1, 1, fill=False, ec=MARK, lw=2, label="largest free block")]


def _largest(pool: MemoryMap) -> tuple[int, int]:
    """Return where the largest free piece begins and how large it is; 0, 0 if nothing is free."""
    best, at = (0, 0), 0
    for row in pool.regions:
        for size, used in row:
            if not used and size > best[1]:
                best = (at, size)
            at += size
    return best


def _draw_part(axes: Axes, pool: MemoryMap) -> None:
    width = max(pool.pool_bytes * MAGNIFIED_SHARE, 1)
    # From the last quarter: the newest blocks lie there, and in a fresh pool it is the free rest.
    start = 0.75 * pool.pool_bytes
    axes.imshow(
        shares(pool, start, start + width, COLUMNS)[None, :], cmap=SHADES, vmin=0, vmax=1,
        aspect="auto", interpolation="nearest", extent=(0, width / 1e3, 1, 0),
    )  # fmt: skip
    axes.set_yticks([])
    axes.set_title(
        f"a part of it enlarged ({quantity.size(width)})", loc="left", fontsize=11, pad=3
    )
    axes.set_xlabel("kB", fontsize=10.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
