"""What a blocking cell or a terminal shows while a run goes on: a bar with the time left.

Asks a `Source` now and then how far it is; it never touches the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from labkit.record import quantity
from labkit.record.plain_text import one_line
from labkit.show.live.source import Source

POLL_SECONDS = 0.2
RECENT_STEPS = 20
LONG_STEP_SECONDS = 2.0
MOST_TITLE = 60  # letters before the bar, which must not fill the line
# Without tqdm's own steps a second: said twice, the pace left no room for the bar in a narrow page.
LAYOUT = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}{postfix}]"


def follow(
    source: Source,
    total: int | None,
    title: str,
    *,
    sleep: Callable[[float], object] = time.sleep,
    bar_type: Callable[..., Any] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Show a bar until the run has ended; an interrupt passes through and leaves the run alone.

    Args:
        source: The run.
        total: How many steps it will have; None where that is not known.
        title: What stands before the bar.
        sleep: Waits between two looks, or until the run has ended if it can.
        bar_type: Makes the bar, as `tqdm.tqdm` does; None chooses notebook or terminal.
        clock: Returns seconds.
    """
    make = bar_type or _bar_type()
    told = one_line(title, MOST_TITLE)
    with make(total=total, desc=told, unit="step", leave=False, bar_format=LAYOUT) as bar:
        stepped = clock()
        try:
            while True:
                ended = source.state.ended
                count, now = source.count, clock()
                if count != bar.n:
                    stepped = now
                lasts = now - stepped if count else 0.0
                # TensorFlow waits ten seconds for memory before it says that there is none.
                long = lasts > LONG_STEP_SECONDS and not ended
                said = f"the next has taken {lasts:.0f} s so far" if long else _pace(source, count)
                bar.set_postfix_str(said, refresh=long)
                bar.update(count - bar.n)
                if ended:
                    return
                sleep(POLL_SECONDS)
        finally:
            # A notebook's bar that has not reached its total stays for ever, as if it still ran.
            bar.total = bar.n


def _pace(source: Source, count: int) -> str:
    recent = sorted(source.read("seconds", max(0, count - RECENT_STEPS), count))
    return f"{quantity.duration(float(recent[len(recent) // 2]))} per step" if recent else ""


def _bar_type() -> Callable[..., Any]:
    from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[misc, type-arg, unused-ignore]
        # tqdm's own thread would run beside the measured loop for as long as the kernel lives.
        monitor_interval = 0

    # Not in a log file, which would fill with a thousand drawings of one bar; in a notebook always.
    return partial(Bar, disable=None)
