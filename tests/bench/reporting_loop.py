"""A loop that prints the environment it runs in, for the tests of launch toggles."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

from labkit.cause import Cause
from tests.bench.faulty_loop import CAUSE as FAULTY


def make_step(toggles: SimpleNamespace, *, at: int = 20, seed: int = 0) -> Callable[[], None]:
    """Return a step that does nothing, after printing every variable of the tests."""
    for name, value in os.environ.items():
        if name.startswith("LABKIT_TEST"):
            print(f"{name}={value}", flush=True)

    def step() -> None:
        return None

    return step


CAUSE: Cause = replace(FAULTY, slug="reporting_loop", make_step=make_step)
