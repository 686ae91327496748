"""The memory pool of a run as TensorFlow's own allocator described it, for a cell to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labkit.record import LabkitError, Run
from labkit.record.memory_map import KIND
from labkit.record.plain_text import one_line

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

MOST_TITLE = 50  # letters, so that the step has room beside it


def memory_map(run: Run, number: int = -1) -> Picture:
    """Draw a memory pool: what was in use, and what was free, when a request found no block.

    TensorFlow's allocator writes such a map down whenever it has to wait for memory; a run that
    never waited has none.

    Args:
        run: What was run.
        number: Which map, counted from 0; -1 is the last.

    Raises:
        LabkitError: If the run has no such map.
    """
    from labkit.show.charts.pool import draw_memory_map

    maps = [event for event in run.events if event.kind == KIND]
    if not maps:
        raise LabkitError(
            "This run has no memory map, for TensorFlow never had to wait for memory in it; run "
            "fragmentation with memory_limit='128 MB' and rescuer='on'."
        )
    if not -len(maps) <= number < len(maps):
        raise LabkitError(
            f"number = {number} is out of range; this run has {len(maps)} memory "
            f"map{'' if len(maps) == 1 else 's'}, counted from 0."
        )
    chosen = maps[number]
    title = f"{one_line(run.title, MOST_TITLE)}: the pool at step {chosen.step}"
    return draw_memory_map(chosen, title=title)
