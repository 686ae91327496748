"""What a terminal is told while a script runs: lines on standard error, between the script's own.

No bar: it would be drawn over what the script prints, and over by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from labkit.cli.words import file_name, say
from labkit.record import quantity
from labkit.record.loop import SourceLoop
from labkit.show.live.source import Source
from labkit.show.report.loop_words import step_words

FIRST_SECONDS, LONGEST_SECONDS = 5.0, 60.0
RECENT_STEPS = 20

Latest = Callable[[], tuple[SourceLoop, Sequence[float]] | None]


def tell_progress(
    title: str, source: Source, latest: Latest, wait: Callable[[float], object]
) -> None:
    """Say what a step is as soon as that is known, and from then on, more and more rarely, how far.

    Args:
        title: What the script is called.
        source: The run.
        latest: Returns the loop that it is in and the seconds of its turns; None until one is.
        wait: Waits so many seconds, or until the run has ended.
    """
    said: SourceLoop | None = None
    pause, due = FIRST_SECONDS, 0.0
    while not source.state.ended:
        wait(0.2)
        now, found = time.monotonic(), latest()
        if found is None:
            continue
        loop, seconds = found
        if loop != said:
            said, pause = loop, FIRST_SECONDS
            say(f"labkit: watching {file_name(title)}: a step is {step_words(loop)}", err=True)
        elif now > due:
            pace = quantity.duration(median(seconds[-RECENT_STEPS:]))
            say(f"labkit: {quantity.steps(len(seconds))}, {pace} per step", err=True)
            pause = min(2 * pause, LONGEST_SECONDS)
        else:
            continue
        due = now + pause
