"""The ratio of two runs in one sentence.

It is handed finished figures and decides nothing but the words.
"""

from __future__ import annotations

from labkit.show.verdict_words import verdict_words
from labkit.stats.ratio import Ratio

# From here on the share of spikes is worth a word: typical steps leave them out.
SPIKE_SHARE = 0.10
# A difference below that is within reach of two processes of one loop on a shared machine.
SMALL = 1.10
# No difference found, but the interval leaves room for one that matters.
BLIND = 1.25


def sentence(value: Ratio, first: str, second: str) -> str:
    """Say how the steps of the second run compare with those of the first.

    Args:
        value: The ratio.
        first: What the first run is called.
        second: What the second is called.
    """
    if value.ratio is None or value.low is None or value.high is None:
        name, verdict = next(
            (name, verdict)
            for name, verdict in zip((first, second), value.verdicts, strict=True)
            if verdict.label == "too_short"
        )
        return f"no ratio: '{name}' is {verdict_words(verdict)}"
    interval = f"95 % CI {number(value.low)}-{number(value.high)}"
    last = value.basis == "last"
    if value.different:
        factor = f"{number(value.ratio)}x as long as"
        said = f"a typical step of '{second}' takes {factor} one of '{first}' ({interval})"
        if last:
            said = f"the last steps of '{second}' take {factor} those of '{first}' ({interval})"
    else:
        which = "the last steps" if last else "typical steps"
        none = "no difference found"
        if not value.low <= 1 <= value.high:
            small = max(value.ratio, 1 / value.ratio) < 1.05
            # "None found" beside a figure like 1.9x would contradict what the chart shows.
            none = "no difference of 5 % or more" if small else "no reliable difference"
        said = (
            f"{none} between {which} of '{second}' and '{first}' "
            f"({number(value.ratio)}x, {interval})"
        )
    return "; ".join([said, *_reservations(value, first, second)])


def _reservations(value: Ratio, first: str, second: str) -> list[str]:
    """Return what to know besides the figure, and what to do about it."""
    assert value.ratio is not None and value.low is not None and value.high is not None
    said = []
    size = max(value.ratio, 1 / value.ratio)
    if value.at_step is not None:
        said.append(f"both at step {value.at_step:,}, where the shorter run ends")
    if value.different and size < SMALL:
        said.append("two runs of one loop can differ that much, so run both again")
    if not value.different:
        if size >= 1.05 and not value.low <= 1 <= value.high:
            said.append("that may be the machine, so run both again")
        elif max(1 / value.low, value.high) > BLIND:
            said.append("a difference within that range could go unnoticed, so run more steps")
    shares = [verdict.spike_share or 0.0 for verdict in value.verdicts]
    if max(shares) >= SPIKE_SHARE:
        said.append(
            f"spikes set aside: {100 * shares[1]:.0f} % of the time of '{second}', "
            f"{100 * shares[0]:.0f} % of '{first}'"
        )
    return said


def number(factor: float) -> str:
    """Write a factor with two or three digits that count."""
    if factor >= 100:
        return f"{factor:.0f}"
    if factor >= 2:
        return f"{factor:.1f}"
    return f"{factor:.2f}" if factor >= 0.1 else f"{factor:.2g}"
