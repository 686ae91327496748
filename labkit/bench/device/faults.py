"""Why a graphics card that may be there is not used: one sentence, read from what TensorFlow said.

The texts are those of CUDA's errors (CUDA Driver API, ``CUresult``) as TensorFlow passes them on,
and of TensorFlow's own refusals (tensorflow/core/common_runtime/gpu/gpu_device.cc).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from labkit.record import Run, State
from labkit.record.plain_text import one_line

MOST_CHARACTERS = 200  # of an error that is not known
HERE = "Labs run on the processor."
# What a worker says of itself.
NO_GPU = (
    "A GPU was asked for and TensorFlow finds none; run on the cpu device, or install "
    "TensorFlow's GPU build and a driver."
)
OUT_OF_MEMORY = re.compile("out of memory|OUT_OF_MEMORY|OOM when|ResourceExhausted", re.IGNORECASE)


@dataclass(frozen=True)
class CardFault:
    """A way in which a card is of no use.

    Args:
        pattern: What TensorFlow says then, as a regular expression.
        sentence: What a learner is told.
    """

    pattern: str
    sentence: str


FAULTS = (
    CardFault(
        "driver version is insufficient|DRIVER_MISMATCH|unsupported display driver|driver.*too old",
        "The graphics card's driver is too old for this TensorFlow: install a newer driver.",
    ),
    CardFault(
        "minimum required (cuda )?capability|no kernel image|NO_BINARY_FOR_GPU|INVALID_PTX"
        "|UNSUPPORTED_PTX",
        "The graphics card is too old for this TensorFlow: it computes on newer ones only.",
    ),
    CardFault(
        "busy or unavailable|DEVICE_UNAVAILABLE",
        "The graphics card is held by another program, which lets no second one in: end that one.",
    ),
    CardFault(
        "no CUDA-capable device|CUDA_ERROR_NO_DEVICE|failed call to cuInit",
        "The graphics card's driver finds no card: see what  nvidia-smi  says.",
    ),
    CardFault(
        "Cannot dlopen|Could not find cuda drivers",
        "TensorFlow misses CUDA's libraries: install them with  pip install 'tensorflow[and-cuda]'",
    ),
    CardFault(
        re.escape(NO_GPU),
        "A graphics card's driver is here, and TensorFlow finds no card: its build for processors "
        "alone has none, the one with CUDA comes with  pip install 'tensorflow[and-cuda]'",
    ),
)
HIDDEN = "The graphics card is hidden: the variable CUDA_VISIBLE_DEVICES is {!r}."
SILENT = "The graphics card did not answer within {:g} s: another program may keep it busy."
FULL_OF_OURS = (
    "The graphics card's memory is taken by this notebook's own kernel, which has TensorFlow "
    "loaded: restart the kernel, and use TensorFlow in labs only or let its memory grow "
    "(tf.config.experimental.set_memory_growth)."
)
FULL = "The graphics card's memory is taken by {}: end that, then restart the kernel."
# What CUDA says in a process that was forked from one in which it had begun.
AFTER_FORK = re.compile("CUDA_ERROR_NOT_INITIALIZED|initialization error", re.IGNORECASE)
NOT_FORKED = (
    "With this build of TensorFlow a forked process cannot use the graphics card, so each run "
    "there begins a fresh Python, which takes some seconds."
)
UNKNOWN = "The graphics card failed a short check ({})."


def reason(
    state: State, printed: str, answer_seconds: float, holders: Collection[str], ours: bool
) -> str:
    """Return why a card that failed its check is not used.

    Args:
        state: How the check ended.
        printed: What TensorFlow printed meanwhile.
        answer_seconds: How long it was waited for.
        holders: The programs that hold memory of the card, as a sentence names them.
        ours: Whether this very process has TensorFlow loaded, and with it perhaps the card.
    """
    told = _said(state, printed)
    return f"{_why(state, told, answer_seconds, holders, ours)} {HERE}"


def said(run: Run) -> str:
    """Return all that TensorFlow said in a run."""
    return _said(run.state, run.log)


def _said(state: State, printed: str) -> str:
    return "\n".join((state.reason, state.traceback, printed))


def _why(
    state: State, told: str, answer_seconds: float, holders: Collection[str], ours: bool
) -> str:
    if OUT_OF_MEMORY.search(told):
        if ours:
            return FULL_OF_OURS
        return FULL.format(", ".join(sorted(holders)) or "another program")
    for fault in FAULTS:
        if re.search(fault.pattern, told, re.IGNORECASE):
            return fault.sentence
    if state.name in ("silent", "time_limit", "stopped"):
        return SILENT.format(answer_seconds)
    words = state.reason.removeprefix("The loop raised ").rstrip(".")
    return UNKNOWN.format(one_line(words, MOST_CHARACTERS))
