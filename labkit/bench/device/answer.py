"""The card's answer: a run that asks it for one product, and that no learner sees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.bench.supervision.limits import Limits
from labkit.record import Run

if TYPE_CHECKING:  # it has one of these
    from labkit.bench.bench import Bench

ANSWERING_LOOP = Path(__file__).with_name("answering_loop.py")
# TensorFlow waits ten seconds for memory before it says that a card has none left.
ANSWER_SECONDS = 15.0
ANSWER_LIMITS = Limits(
    wall_seconds=ANSWER_SECONDS, setup_seconds=ANSWER_SECONDS, silent_seconds=ANSWER_SECONDS
)
IMPORT_SECONDS = 60.0


def answer_of_card(on: Bench) -> Run:
    """Return the run that asks the graphics card whether it computes.

    Args:
        on: The bench to run it on, which forgets it again.
    """
    limits = ANSWER_LIMITS
    if on.launcher is None or not on.devices.forks:
        limits = replace(limits, setup_seconds=IMPORT_SECONDS)
    else:  # to import TensorFlow may take longer than a card has to answer
        on.launcher.warm()
        on.launcher.wait_until_ready(IMPORT_SECONDS)
    session = on.start(str(ANSWERING_LOOP), steps=1, device="gpu", limits=limits)
    try:
        session.wait()
    finally:
        session.stop()
        on.forget(session)
    return session.snapshot()
