"""Diagnose a loop of the reader's own: run it in a fresh process until enough is known.

What was recorded already, around a dataset or by a Keras callback, is examined as it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from labkit.bench.bench import Bench
from labkit.bench.script import Script
from labkit.bench.session.session import Session
from labkit.bench.supervision.limits import Limits
from labkit.causes import SLUGS, load
from labkit.diagnosis import examine
from labkit.lab.kernel import bench, wait_for
from labkit.lab.own_loop.callback import BatchWatching
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.early_stopping import Looking
from labkit.lab.own_loop.request import LOOP_SECONDS, check_script, is_script, script_limit
from labkit.lab.own_loop.script import diagnose_script
from labkit.lab.own_loop.unjudged import kept
from labkit.lab.own_loop.watch import Watched
from labkit.lab.settings import check_seconds, run_limits
from labkit.record import LabkitError, Run
from labkit.show.progress import follow

# The file of steps has room for as many from the beginning.
MOST_STEPS = 100_000
# Setting up is the reader's own work, and may be a download or a long first trace.
SETUP_SECONDS = 180.0


def diagnose(
    loop: str | Path | Run | Watched[Any] | BatchWatching,
    *,
    args: Sequence[str] = (),
    steps: int | None = None,
    seconds: float | None = None,
    whole: bool = False,
    step: str = "",
    seed: int = 0,
    device: str = "auto",
    on: Bench | None = None,
    title: str = "",
) -> Diagnosed:
    """Say what happened to the steps of a loop of your own, why, and what to change.

    Args:
        loop: The path of a ``.py`` file, or the slug of a cause: it is run in a fresh process. A
            file that defines ``make_step() -> callable`` has its loop run, any other is a script,
            run whole as ``python FILE`` runs it. Or what was recorded already: a dataset after
            `labkit.watch`, a `labkit.Watch` callback after its training, a run (where toggles were
            flipped, its first stretch that got slower). The arguments below are of a loop that is
            run.
        args: Of a script: what it finds behind its name in ``sys.argv``.
        steps: How many steps; None for as many as it takes to be certain. Not of a script.
        seconds: How long it may run at most, after its first step; by default 50 s, and for a
            script 300.
        whole: Of a script: let it run to its own end.
        step: Of a script: the loop whose turns are the steps, as ``train.py:61``; empty to find it.
        seed: Seed of Python's and NumPy's global generators. Not of a script.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the graphics card where one works.
        on: The bench to run it on; by default this kernel's.
        title: What the loop is called; by default by its file's name.

    Raises:
        LabkitError: If this is not a loop, the file has no ``make_step``, a number is out of range,
            or nothing was recorded yet.
    """
    if isinstance(loop, Watched | BatchWatching):
        loop = loop.run
    if isinstance(loop, Run):
        return Diagnosed(examine(loop))
    if not isinstance(loop, str | Path):
        raise LabkitError(
            f"What is of type {type(loop).__name__} cannot be diagnosed; give a .py file that "
            "defines make_step(), the slug of a cause, w of  for batch in (w := lk.watch(data)),  "
            "an lk.Watch() callback, or a run."
        )
    if seconds is not None:
        check_seconds(seconds)
    if os.fspath(loop) not in SLUGS and is_script(loop):
        check_script(steps=steps, seed=seed or None)
        limit = script_limit(seconds, whole=whole)
        asked = Script(os.fspath(loop), tuple(args), device=device)
        return diagnose_script(asked, seconds=limit, step=step, on=on)
    _check_loop({"args": args, "whole": whole, "step": step})
    source = loop_source(loop)
    seconds = seconds or LOOP_SECONDS
    limits = run_limits(seconds)
    session = (on or bench()).start(
        source,
        steps=MOST_STEPS if steps is None else steps,
        seed=seed,
        device=device,
        limits=Limits(seconds, SETUP_SECONDS, limits.silent_seconds, limits.memory_bytes),
        diagnosing=True,
    )
    return _followed(session, steps, title or load(source).title)


def _followed(session: Session, steps: int | None, title: str) -> Diagnosed:
    """Wait for a run, with progress, until enough is known, and say what happened in it."""
    looking = Looking(session) if steps is None else None
    told = f"diagnosing {title}"
    try:
        run = wait_for(
            session, told, lambda *_: follow(session, steps, told, sleep=looking or session.wait),
            looking,
        )  # fmt: skip
    except BaseException:
        session.stop()  # whatever went wrong here, the loop must not run on by itself
        raise
    run = replace(run, title=title)
    with kept(run):
        return Diagnosed(looking.told(run) if looking else examine(run))


def _check_loop(asked: Mapping[str, object]) -> None:
    for name, value in asked.items():
        if value:
            raise LabkitError(
                f"{name} = {value!r} is for a script, which is run whole; a file that defines "
                "make_step() has its loop run: say how long with steps or seconds."
            )


def loop_source(loop: str | Path) -> str:
    """Return the slug of a cause as it is, and a file's whole path: who runs it may be elsewhere.

    Raises:
        LabkitError: If it is neither a slug nor the path of a ``.py`` file.
    """
    text = os.fspath(loop)
    if text in SLUGS:
        return text
    if text.endswith(".py"):
        load(text)  # a sentence about the file names it as the reader did
        return str(Path(text).absolute())
    if os.path.isdir(text):
        program = os.path.join(text, "__main__.py")
        raise LabkitError(f"{text!r} is a folder; give the file that is run, e.g. {program!r}.")
    raise LabkitError(
        f"{text!r} is not a loop; give the path of a .py file, a script or one that defines "
        f"make_step(), or one of: {', '.join(SLUGS)}."
    )
