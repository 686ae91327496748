"""In a notebook's kernel: a toggle that does nothing, or stands as it does not say.

The runs say what was asked for; only the loops get something else. It is the kernel's own bench
that is changed, from the outside, so that the kit itself knows nothing of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from labkit.bench.bench import Bench
from labkit.bench.protocol import Job
from labkit.bench.session.live_toggles import LiveToggles
from labkit.bench.session.session import Session
from labkit.cause import Cause

VARIABLE = "LABKIT_BROKEN_LESSON"


def break_lesson() -> None:
    """Have every run of one cause begin with a toggle at a value that it does not say.

    What is broken stands in an environment variable, as JSON: ``cause``, ``toggle``, ``value``,
    ``when``, a toggle that must not be at its default, or nothing, and
    ``told``, a file that is made now, and gets a line for each run that got another value than it
    says.
    """
    broken = json.loads(os.environ[VARIABLE])
    Path(broken["told"]).touch()
    begin = Bench.begin

    def begin_broken(self: Bench, cause: Cause, job: Job, *rest: Any, **more: Any) -> Session:
        said = job.toggles
        if cause.slug != broken["cause"] or _left_alone(cause, said, broken):
            return begin(self, cause, job, *rest, **more)
        toggles = {**said, broken["toggle"]: broken["value"]}
        other = replace(job, toggles=toggles, workers=_workers(cause, job, toggles))
        session = begin(self, cause, other, *rest, **more)
        # From here on everybody is told what was asked for.
        session._toggles = LiveToggles(cause, said)
        for link in session.links:
            link.job = replace(link.job, toggles=said)
        with Path(broken["told"]).open("a", encoding="utf-8") as told:
            told.write(f"{said[broken['toggle']]}\n")
        return session

    Bench.begin = begin_broken  # type: ignore[method-assign]


def _left_alone(cause: Cause, said: Mapping[str, Any], broken: Mapping[str, Any]) -> bool:
    if said[broken["toggle"]] == broken["value"]:
        return True
    if not broken.get("when"):
        return False
    toggle = cause.toggle(broken["when"])
    return toggle.word(said[toggle.name]) == toggle.default


def _workers(cause: Cause, job: Job, toggles: Mapping[str, Any]) -> int:
    usual = cause.workers(job.toggles)
    return max(1, cause.workers(toggles)) if job.workers == usual else job.workers
