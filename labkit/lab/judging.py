"""Verdict and ledger of a run, for a cell that wants the values rather than the words."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.diagnosis import judgement
from labkit.record import Ledger, Run, Verdict
from labkit.stats import judge as judge_seconds


def judge(run: Run | Sequence[float]) -> Verdict:
    """Return the verdict that speaks for a run, or for step times of your own.

    Where toggles were flipped, each stretch between two flips is judged alone; the first one that
    got slower speaks, else the longest.

    Args:
        run: A run, or the seconds of each step, in order.

    Raises:
        LabkitError: If it is neither.
    """
    return judgement(run).main if isinstance(run, Run) else judge_seconds(run)


def ledger(run: Run) -> Ledger:
    """Return where the growth of a run's steps went; empty where nothing grew."""
    return judgement(run).ledger
