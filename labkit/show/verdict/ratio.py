"""The ratio of two runs in a headline and in one sentence.

It is handed finished figures and decides nothing but the words.
"""

from __future__ import annotations

import math

from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats.ratio import Ratio

# From here on the share of spikes is worth a word: typical steps leave them out.
SPIKE_SHARE = 0.10
# A difference below that is within reach of two processes of one loop on a shared machine.
SMALL = 1.10
# No difference found, but the interval leaves room for one that matters.
BLIND = 1.25
# From here on the time in all and the usual step are two figures.
APART = 1.25


def headline(value: Ratio) -> str:
    """Say in at most eight words how the second run compares with the first."""
    if value.ratio is None:
        return "too few steps to compare"
    where = "at the end" if value.basis == "last" else "per step"
    if value.way == "alike":
        return _none(value)
    if not _led_by_mean(value):
        unclear = ", in all unclear" if _unclear(value) else ""
        return f"{_times(value.ratio)} {where}{unclear}"
    assert value.mean is not None
    in_all = f"{_times(value.mean.ratio)} in all"
    if not value.different:
        return in_all
    # In the words of the first figure: as long, or as fast.
    usual = f"{number(value.ratio if value.mean.ratio >= 1 else 1 / value.ratio)}x"
    return f"{in_all}, {usual} {where}"


def _times(factor: float) -> str:
    """Return ``2.5x as long``, or below 1 ``2.5x as fast``."""
    return f"{number(factor)}x as long" if factor >= 1 else f"{number(1 / factor)}x as fast"


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
    return "; ".join(
        [*_figures(value, first, second, interval), *_reservations(value, first, second)]
    )


def _figures(value: Ratio, first: str, second: str, interval: str) -> list[str]:
    """Return the difference in all where that is another one, and that of the usual steps."""
    assert value.ratio is not None
    last = value.basis == "last"
    factor = f"{number(value.ratio)}x as long"
    if _led_by_mean(value) and value.mean is not None:
        low, high = number(value.mean.low), number(value.mean.high)
        in_all = f"{number(value.mean.ratio)}x as long as '{first}' (95 % CI {low}-{high})"
        usual = f"its last steps take {factor}" if last else f"a typical step takes {factor}"
        if not value.different:
            usual = f"{_none(value)} between {_which(value)}"
            interval = f"{number(value.ratio)}x, {interval}"
        return [f"in all '{second}' takes {in_all}", f"{usual} ({interval})"]
    if not value.different:
        between = f"{_which(value)} of '{second}' and '{first}'"
        return [f"{_none(value)} between {between} ({number(value.ratio)}x, {interval})"]
    if last:
        return [f"the last steps of '{second}' take {factor} as those of '{first}' ({interval})"]
    return [f"a typical step of '{second}' takes {factor} as one of '{first}' ({interval})"]


def _led_by_mean(value: Ratio) -> bool:
    """Tell whether the time in all says something that the usual step does not."""
    mean = value.mean
    if mean is None or not mean.different or value.ratio is None:
        return False
    return not value.different or abs(math.log(mean.ratio / value.ratio)) >= math.log(APART)


def _unclear(value: Ratio) -> bool:
    """Tell whether the time in all seems to differ otherwise than the usual step, but may not."""
    mean = value.mean
    if mean is None or mean.different or value.ratio is None:
        return False
    return abs(math.log(mean.ratio / value.ratio)) >= math.log(APART)


def _which(value: Ratio) -> str:
    return "the last steps" if value.basis == "last" else "typical steps"


def _none(value: Ratio) -> str:
    """Say that no difference was found, and no more than that."""
    assert value.ratio is not None and value.low is not None and value.high is not None
    # "None found" beside a figure like 1.9x would contradict what the chart shows.
    if _unclear(value):
        return "no reliable difference"
    if value.low <= 1 <= value.high:
        return "no difference found"
    small = max(value.ratio, 1 / value.ratio) < 1.05
    return "no difference of 5 % or more" if small else "no reliable difference"


def _reservations(value: Ratio, first: str, second: str) -> list[str]:
    """Return what to know besides the figure, and what to do about it."""
    assert value.ratio is not None and value.low is not None and value.high is not None
    said = []
    size = max(value.ratio, 1 / value.ratio)
    if value.at_step is not None:
        said.append(f"both at step {value.at_step:,}, where the shorter run ends")
    if value.different and size < SMALL:
        said.append("two runs of one loop can differ that much, so run both again")
    if value.way == "alike":
        if size >= 1.05 and not value.low <= 1 <= value.high:
            said.append("the machine was too busy to be sure, so run both again")
        elif max(1 / value.low, value.high) > BLIND:
            said.append("a difference within that range could go unnoticed, so run more steps")
    if _unclear(value) and value.mean is not None:
        low, high = number(value.mean.low), number(value.mean.high)
        in_all = f"in all '{second}' takes {number(value.mean.ratio)}x as long"
        said.append(f"{in_all} (95 % CI {low}-{high}), which may be chance, so run more steps")
    shares = [verdict.spike_share or 0.0 for verdict in value.verdicts]
    if max(shares) >= SPIKE_SHARE:
        aside = "spikes are" if _led_by_mean(value) else "spikes set aside:"
        said.append(
            f"{aside} {100 * shares[1]:.0f} % of the time of '{second}', "
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
