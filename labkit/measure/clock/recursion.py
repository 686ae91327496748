"""A recursion that ended a loop: which of the reader's lines called itself, and how deep."""

from __future__ import annotations

from collections import Counter

from labkit.measure.clock.source_names import SourceNames

# Evidence of this name has how deep it was: ``recursion/FILE:LINE``.
RECURSION = "recursion/"
# A recursive function of a healthy program goes as deep as its data; Python's limit is 1,000.
LEAST_DEPTH = 200


def recursion(error: BaseException) -> dict[str, float]:
    """Return the reader's line that stands most often in a traceback, and how often.

    Args:
        error: What ended the loop; of all but a RecursionError nothing is returned.
    """
    if not isinstance(error, RecursionError):
        return {}
    names = SourceNames()
    lines: Counter[tuple[str, int]] = Counter()
    traceback = error.__traceback__
    while traceback is not None:
        if names.is_own(traceback.tb_frame.f_code.co_filename):
            lines[traceback.tb_frame.f_code.co_filename, traceback.tb_lineno] += 1
        traceback = traceback.tb_next
    return {
        f"{RECURSION}{file}:{line}": float(depth)
        for (file, line), depth in lines.most_common(1)
        if depth >= LEAST_DEPTH
    }
