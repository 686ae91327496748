"""A loop that waits longer from step to step, for the bench: it sleeps, or waits for a disk."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size, Toggle

BYTES = 200_000


def make_step(
    toggles: SimpleNamespace, *, start_us: int = 4_000, percent: int = 700, over: int = 300,
    seed: int = 0,
) -> Callable[[], None]:  # fmt: skip
    """Return a step that computes a little and waits the longer the later it comes.

    Args:
        toggles: ``waits`` says for what.
        start_us: How long the first step waits, in microseconds; for the disk about.
        percent: How much longer the last step waits.
        over: Which step is the last.
        seed: Nothing here is random.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as the loop runs
    done = 0

    def step() -> None:
        nonlocal done
        longer = 1 + percent / 100 * done / (over - 1)
        done += 1
        sum(range(20_000))
        if toggles.waits == "sleep":
            time.sleep(1e-6 * start_us * longer)
        else:
            for _ in range(round(start_us / 1_000 * longer)):
                file.seek(0)
                file.write(bytes(BYTES))
                file.flush()
                os.fsync(file.fileno())

    return step


CAUSE = Cause(
    slug="growing_wait",
    title="Growing wait",
    summary="Each step waits a little longer than the one before.",
    make_step=make_step,
    toggles=(Toggle("waits", "what it waits for", default="sleep", choices=("sleep", "disk")),),
    sizes=(
        Size("start_us", 4_000, 100, 1_000_000, "how long the first step waits"),
        Size("percent", 700, 0, 10_000, "how much longer the last step waits"),
        Size("over", 300, 2, 1_000_000, "which step is the last"),
    ),
    expectation=Expectation(shape="flat", steps=300, growth=0.0),
    notebook="",
)
