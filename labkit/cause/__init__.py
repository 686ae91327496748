"""What a cause declares: its loop, its toggles, what to expect.

Standard library only; a cause says nothing of how its loop is run or shown.
"""

from labkit.cause.cause import Cause, Loop
from labkit.cause.expectation import Expectation, Explanation
from labkit.cause.loop_file import names_defined, own_loop, run_file
from labkit.cause.mechanism import FULL_COLLECTION, Mechanism, Meeting
from labkit.cause.toggle import ON_OFF, SCRATCH, Size, Toggle, switchboard

__all__ = [
    "FULL_COLLECTION",
    "ON_OFF",
    "SCRATCH",
    "Cause",
    "Expectation",
    "Explanation",
    "Loop",
    "Mechanism",
    "Meeting",
    "Size",
    "Toggle",
    "names_defined",
    "own_loop",
    "run_file",
    "switchboard",
]
