"""A calm moment: other programs rest, so that a curve is the loop's own."""

from __future__ import annotations

import time

import psutil

LOOK_SECONDS = 0.7
# In per cent of all processors; what merely waits and listens takes less.
LARGEST_LOAD = 20.0


def wait_for_calm(patience_seconds: float) -> bool:
    """Wait until this machine has next to nothing to do; tell whether it came to that.

    Args:
        patience_seconds: How long to wait at most.
    """
    ends_at = time.monotonic() + patience_seconds
    while psutil.cpu_percent(LOOK_SECONDS) > LARGEST_LOAD:
        if time.monotonic() > ends_at:
            return False
    return True
