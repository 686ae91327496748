"""Faults: what a learner is told when a loop ends in an error."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from labkit.cause import Explanation
from labkit.record import LabkitError, State

# Which of TensorFlow's own nodes raised; the traceback has it.
PLACE_IN_TENSORFLOW = re.compile(r"\{\{function_node [^}]*\}\} ?| \[Op:\w+\](?: name:)?")
MOST_CHARACTERS = 500  # of an error's own words in a reason
MOST_TRACEBACK = 20_000  # characters of its head, and as many of its tail

NO_TENSORFLOW = "TensorFlow is not installed in this Python; run:  python -m pip install tensorflow"

DISK_FULL = "The disk is full: free some space, or set TMPDIR to a folder with more, and run again."
CARD_LOST = (
    "The graphics card failed: press Run again, and it is checked anew; where it fails the check, "
    "labs run on the processor."
)
NOT_WRITABLE = (
    "The folder may not be written to: choose one of your own (for temporary files, TMPDIR names "
    "it), and run again."
)

# What may happen to any loop, and is no fault of it. TensorFlow's own file operations raise classes
# of TensorFlow's, and the class for a full disk is the one for a full memory.
COMMON = (
    Explanation("OSError", "No space left", DISK_FULL),
    Explanation("ResourceExhaustedError", "No space left", DISK_FULL),
    # With a number it is the system's; a program's own may be about anything.
    Explanation("PermissionError", "[Errno", NOT_WRITABLE),
    Explanation("PermissionError", "[WinError", NOT_WRITABLE),
    Explanation("PermissionDeniedError", "", NOT_WRITABLE),
    Explanation("OSError", "Read-only file system", NOT_WRITABLE),
    Explanation(
        "EOFError",
        "EOF when reading a line",
        "A loop runs in a process without a keyboard, so input() has nobody to ask.",
    ),
    Explanation(
        "AttributeError",
        "module 'tensorflow",
        "This version of TensorFlow does not have what the loop needs; the other labs still work.",
    ),
    Explanation("InternalError", "CUDA_ERROR", CARD_LOST),
    Explanation("InternalError", "CUDA error", CARD_LOST),
    Explanation("ResourceExhaustedError", "", "TensorFlow found no room for one more tensor."),
    Explanation("MemoryError", "", "Python found no room for one more object."),
)


def fault(error: BaseException, explanations: Iterable[Explanation] = ()) -> State:
    """Return the state of a run that an error ended.

    Args:
        error: What the loop raised.
        explanations: What the cause has to say of it; the first that fits is added to the reason.
    """
    if isinstance(error, ModuleNotFoundError) and error.name in ("tensorflow", "keras"):
        return State("failed", NO_TENSORFLOW)
    if isinstance(error, LabkitError):
        return State("failed", str(error))
    name = type(error).__name__
    lines = traceback.format_exception(type(error), error, _from_the_loop_on(error.__traceback__))
    raised = _cut("".join(lines))
    try:
        message = str(error)
    except Exception:  # a class of the loop's own whose text fails
        return State("failed", f"The loop raised {name}", raised, name)
    text = [line.strip() for line in message.splitlines() if line.strip()]
    # tf.function puts its own traceback into the message; what went wrong stands in the last line.
    words = text[-1] if text[:1] == ["in user code:"] else "".join(text[:1])
    words = PLACE_IN_TENSORFLOW.sub("", words).strip()
    # What is raised while a function is traced begins with its class, and may be no more than it.
    words = words.removeprefix(f"{name}:").strip() if words != name else ""
    words = words if len(words) <= MOST_CHARACTERS else f"{words[:MOST_CHARACTERS]} ..."
    reason = f"The loop raised {name}: {words}" if words else f"The loop raised {name}"
    for explanation in (*explanations, *COMMON):
        if explanation.fits(error):
            reason = f"{reason.rstrip('.')}. {explanation.sentence}"
            break
    return State("failed", reason, raised, name)


def _cut(text: str) -> str:
    """Return a text's head and tail: an error may carry a whole data set in its message."""
    if len(text) <= 2 * MOST_TRACEBACK:
        return text
    return f"{text[:MOST_TRACEBACK]}\n[...]\n{text[-MOST_TRACEBACK:]}"


def _from_the_loop_on(raised: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the rooms that called the loop, if any are left."""
    here = Path(__file__).parent
    callers = (here, here / "script", here.parents[1] / "measure" / "clock")
    frames = raised
    while frames is not None and Path(frames.tb_frame.f_code.co_filename).parent in callers:
        frames = frames.tb_next
    return frames or raised
