"""What a flip of a toggle did to the curve, in the words in which a learner predicts it."""

from __future__ import annotations

from labkit.diagnosis import judgement
from labkit.record import Run, quantity
from labkit.show.verdict import glance

FLIPS = FALLS, RESTS, RISES = ("it falls", "it stops rising", "it goes on rising")
NOT_FLIPPED = "no toggle was flipped in it, or too few steps came after; flip one while it runs"


def after_flip(run: Run) -> tuple[str | None, str]:
    """Return what the last flip did, and the same with its levels; None where it is not decided.

    Args:
        run: In whose steps a toggle was flipped.
    """
    said = judgement(run)
    judged = [each for each in said.verdicts if each.label != "too_short"]
    if len(judged) < 2:
        return None, NOT_FLIPPED
    before, after = judged[-2].last_seconds, judged[-1].level_seconds
    if before is None or after is None:
        return None, "times too uncertain to tell the level after the flip"
    levels = f"{quantity.duration(before)} before the flip, {quantity.duration(after)} after it"
    if before >= glance.FLIPPED * after:
        return FALLS, f"{FALLS} ({levels})"
    if glance.undecided(judged[-1]):
        return None, f"{levels}, and times too uncertain to tell whether it goes on rising"
    told = RISES if judged[-1].slower else RESTS
    return told, f"{told} ({levels})"
