"""What the runs of an experiment did, in a few words each, for a ruling that is read at once."""

from __future__ import annotations

from math import floor, log10

from labkit.claims.played import Played
from labkit.record import quantity
from labkit.show.verdict.verdict_words import loop_words
from labkit.show.words import STATE_WORDS
from labkit.stats.paired_ratio import PairedRatio

# Of a factor beyond this nobody needs the interval.
LARGE = 10.0


def whole(played: Played, name: str) -> str:
    """Return the verdict of a run as a sentence with its interval, or how the run failed."""
    run = played.runs[name]
    return loop_words(played.verdict(name)) if len(run.steps) else run.state.reason


def course(played: Played, name: str) -> str:
    """Return what a loop's steps did: ``flat, 1.2 ms per step``, ``2.1 to 12 ms per step (5.6x)``.

    Args:
        played: The runs.
        name: Of the play.
    """
    run = played.runs[name]
    if not len(run.steps):
        return run.state.reason
    slows, verdict = played.slows(name), played.verdict(name)
    if slows is None:
        return "cannot tell"
    if not slows:
        return f"flat, {usual(played, name)}"
    first, last = verdict.first_seconds or 0.0, verdict.last_seconds or 0.0
    factor = f" ({last / first:.2g}x)" if first else ""
    return f"{quantity.duration(first)} to {quantity.duration(last)} per step{factor}"


def usual(played: Played, name: str) -> str:
    """Return the median step of a play in words."""
    return f"{quantity.duration(played.usual_seconds(name))} per step"


def ending(played: Played, name: str) -> str:
    """Return how a run ended, in a few words: the error that ended it, or that none did."""
    run = played.runs[name]
    after = f" after {quantity.steps(len(run.steps))}" if len(run.steps) else ""
    if run.state.completed:
        return f"no error{after}"
    return f"{run.state.error or STATE_WORDS[run.state.name]}{after}"


def times(found: PairedRatio) -> str:
    """Return a ratio in words, such as ``about 2,600 times as long``.

    Args:
        found: The ratio; where it is no large one, its interval is said with it.
    """
    if found.ratio >= LARGE:
        return f"about {_two_digits(found.ratio):,.0f} times as long"
    if found.ratio <= 1 / LARGE:
        return f"about 1/{_two_digits(1 / found.ratio):,.0f} of the time"
    return f"{found.ratio:.2f} times as long (95 % CI {found.low:.2f}-{found.high:.2f})"


def _two_digits(number: float) -> float:
    """Return a number rounded to two digits that count."""
    return round(number, 1 - floor(log10(number)))
