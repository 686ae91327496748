"""The judgement of a run: a verdict for each stretch between two flips, and one ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from labkit.diagnosis.book import book
from labkit.record import Judgement, Ledger, Run, Verdict
from labkit.stats import judge as judge_seconds
from labkit.stats import too_short

Judge: TypeAlias = Callable[[Sequence[float]], Verdict]


def judgement(run: Run, judge: Judge = judge_seconds) -> Judgement:
    """Judge a run, finished or still going.

    Args:
        run: Cut into stretches where a toggle was flipped; each is judged alone, because the loop
            was another one before.
        judge: Turns step times into a verdict.

    Returns:
        The verdicts, and the ledger of the first stretch that got slower. Steps in a verdict count
        from the start of its stretch.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    stretches = run.stretches()
    verdicts = []
    for stretch in stretches:
        seconds = run.steps.seconds[stretch.start : stretch.end]
        # A run that has only just begun has nothing to judge; that is no error of anybody's.
        verdicts.append(judge(seconds) if len(seconds) else too_short(0))
    slower = [place for place, verdict in enumerate(verdicts) if verdict.slower]
    ledger = book(run, stretches[slower[0]], verdicts[slower[0]]) if slower else Ledger()
    return Judgement(stretches, tuple(verdicts), ledger, provisional=not run.state.ended)
