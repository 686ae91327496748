"""Verdict and ledger of a run, for a cell that wants the values rather than the words."""

from __future__ import annotations

from labkit.diagnosis import judgement
from labkit.record import Ledger, Run, Verdict


def judge(run: Run) -> Verdict:
    """Return the verdict that speaks for a run.

    Where toggles were flipped, each stretch between two flips is judged alone; the first one that
    got slower speaks, else the longest.
    """
    return judgement(run).main


def ledger(run: Run) -> Ledger:
    """Return where the growth of a run's steps went; empty where nothing grew."""
    return judgement(run).ledger
