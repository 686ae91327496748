"""A curve that was guessed, as the panel draws it under the run that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from labkit.show.charts.fits import Fit
from labkit.show.live.parts import WALL
from labkit.show.live.source import Source

# A guess begins where the verdict's line does; before there is one, at the usual step among the
# first, after what is set up once.
FIRST_STEPS = slice(2, 12)
LABEL = "your guess"


class Guess(Protocol):
    """Whatever has a drawn curve, as `labkit.predict` returns it."""

    @property
    def drawn(self) -> Sequence[float]:
        """The curve, as multiples of its beginning; empty where none was drawn."""


def guess_line(
    guess: Guess | None, run: Source, steps: int, fits: Sequence[Fit] = ()
) -> tuple[Fit, ...]:
    """Return what is drawn of a guess so far, as far as the run has come; nothing without one.

    Args:
        guess: Who has the drawn curve.
        run: The run on show.
        steps: Over how many steps the guess goes.
        fits: What the verdict draws of the run.
    """
    drawn = () if guess is None else tuple(guess.drawn)
    first = run.read(WALL, FIRST_STEPS.start, FIRST_STEPS.stop)
    if len(drawn) < 2 or len(first) < FIRST_STEPS.stop - FIRST_STEPS.start:
        return ()
    beginning = fits[0].seconds[0] if fits and fits[0].seconds else float(np.median(first))
    places = np.linspace(0, steps - 1, len(drawn))
    last = min(run.count, steps) - 1
    known = int(np.searchsorted(places, last))  # those before the newest step, and that one
    at = [*places[:known], last]
    high = [beginning * float(times) for times in np.interp(at, places, drawn)]
    return (Fit(LABEL, "guess", tuple(int(step) for step in at), tuple(high)),)


def guess_words(guess: Guess | None) -> tuple[str, ...]:
    """Return what is said of a drawn guess to whoever does not see it; nothing without one."""
    drawn = () if guess is None else tuple(guess.drawn)
    if len(drawn) < 2:
        return ()
    end, highest = drawn[-1] / drawn[0], max(drawn) / drawn[0]
    over = f", {highest:.2g}x on the way" if highest > 1.2 * max(1.0, end) else ""
    return (f"your guess ends at {end:.2g}x of its beginning{over}",)
