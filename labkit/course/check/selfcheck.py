"""The self-check: a short form of every cause on the machine at hand, in one cell.

So that anybody can see what works on a machine that the makers never had, such as one with a
graphics card, and send back what was recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.bench.device.choice import DEVICES
from labkit.bench.device.faults import NO_GPU
from labkit.bench.supervision.limits import Limits
from labkit.cause import Cause
from labkit.causes import SLUGS, load
from labkit.course.check.selfchecked import CheckedCause, SelfCheck
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import FEWEST_STEPS, missed
from labkit.lab.kernel import bench, wait_for
from labkit.lab.settings import run_limits
from labkit.record import ChoiceError, LabkitError, Run

SECONDS = 110.0
# Even when the causes before it were slow, each gets this long.
LEAST_SECONDS = 3.0
# One that does not come to its first step, or stays in one, must not take the time of all others.
SETUP_SECONDS = 60.0
SILENT_SECONDS = 15.0
NOT_REACHED = "stopped before it"


def selfcheck(
    *sources: str,
    seconds: float = SECONDS,
    device: str = "auto",
    folder: str | os.PathLike[str] = ".",
    on: Bench | None = None,
) -> SelfCheck:
    """Run a short form of every cause here, and say what works.

    A cause works if it runs and its counters do exactly what it declares. What its step times say
    is reported as well; in a short form on a busy machine they may say less than in the lab. An
    interrupt ends the check and keeps what was found.

    Args:
        sources: Causes by name, e.g. ``"graph_growth"``; none checks all.
        seconds: About how long all of them may take on one device. What one leaves over, the next
            may use; a cause that needs more is cut, and the table says so.
        device: ``"cpu"`` for the processor alone; ``"auto"`` for the graphics card as well, where
            one works; ``"gpu"`` for both, and without a card that works nothing is run.
        folder: Where the run files go, as one zip file.
        on: The bench to run them on; by default this kernel's.

    Returns:
        A table that a notebook shows, with a link that downloads the run files.

    Raises:
        ChoiceError: If there is no such cause or device; the sentence lists them.
        LabkitError: If `seconds` is not a positive number, or a card is asked for and none works.
    """
    return _kept(checked(*sources, seconds=seconds, device=device, on=on or bench()), Path(folder))


def checked(
    *sources: str,
    seconds: float,
    device: str,
    on: Bench,
    tell: Callable[[CheckedCause], None] = lambda _row: None,
) -> SelfCheck:
    """Do what `selfcheck` does, and write no file.

    Args:
        sources: As there.
        seconds: As there.
        device: As there.
        on: The bench to run them on.
        tell: Takes each row as soon as it is there.

    Raises:
        ChoiceError: As there.
        LabkitError: As there.
    """
    if not seconds > 0:
        raise LabkitError(f"seconds = {seconds!r} is not allowed; give a number above 0.")
    if device not in DEVICES:
        raise ChoiceError("device", device, DEVICES)
    causes = [(source, load(source)) for source in sources or SLUGS]
    devices = on.devices.all("cpu" if device == "cpu" else "auto")
    if device == "gpu" and "gpu" not in devices:
        raise LabkitError(on.devices.chosen().reason or NO_GPU)
    # A cause on both devices, then the next: who ends the check has pairs to compare.
    asked = [(source, cause, each) for source, cause in causes for each in devices]
    rows = []
    for row in _rows(asked, on, time.monotonic() + seconds * len(devices)):
        rows.append(row)
        tell(row)
    return SelfCheck(tuple(rows))


def _rows(
    asked: Sequence[tuple[str, Cause, str]], on: Bench, deadline: float
) -> Iterator[CheckedCause]:
    """Check one cause after the other; one that fails costs only its own row."""
    stopped = False
    for number, (source, cause, device) in enumerate(asked):
        row = CheckedCause(cause.slug, cause.title, device="" if device == "auto" else device)
        if stopped:
            yield replace(row, short=(NOT_REACHED,))
            continue
        began = time.monotonic()
        share = max(LEAST_SECONDS, (deadline - began) / (len(asked) - number))
        title = f"{number + 1} of {len(asked)}: {cause.title}"
        try:
            session = on.start(source, device=device, limits=_limits(share))
            run = wait_for(session, title)
            stopped = session.stop_asked
            row = _judged(row, cause, run)
        except LabkitError as error:
            row = replace(row, short=(str(error),))
        except KeyboardInterrupt:  # between two runs; within one it is `wait_for` that hears it
            row = replace(row, short=(NOT_REACHED,))
            stopped = True
        except Exception as error:  # the table must come, whatever labkit itself does wrong here
            row = replace(row, short=(f"labkit failed: {error!r}",))
        yield replace(row, seconds=time.monotonic() - began)


def _limits(seconds: float) -> Limits:
    return replace(run_limits(seconds), setup_seconds=SETUP_SECONDS, silent_seconds=SILENT_SECONDS)


def _judged(row: CheckedCause, cause: Cause, run: Run) -> CheckedCause:
    """Return the row of a run that has ended."""
    found = replace(row, run=run, device=str(run.environment.get("device") or row.device))
    if not run.state.completed:
        why = run.state.reason or f"it ended {run.state.name}"
        return replace(found, short=(why,))
    asked = cause.expectation
    whole = len(run.steps) >= asked.steps
    if not whole:  # a rise over all steps can be asked of a whole run alone
        asked = replace(asked, rises={})
    judged = judgement(run)
    times = missed(replace(asked, per_step={}, holds={}, rises={}), run, judged)
    counts = [each for each in missed(asked, run, judged) if each not in times]
    counted = len(run.steps) >= FEWEST_STEPS and (asked.per_step or asked.holds or asked.rises)
    if not whole:
        times = [f"cut at {len(run.steps):,} of {asked.steps:,} steps, to keep the time"]
    return replace(
        found,
        counters=not counts if counted else None,
        verdict=judged.verdict.label,
        short=(*counts, *times),
    )


def _kept(check: SelfCheck, folder: Path) -> SelfCheck:
    """Write the run files beside the notebook; where that fails, the table says why."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    try:
        file = check.save(folder / f"labkit-selfcheck-{now}.zip", replace=False)
    except (LabkitError, OSError) as error:
        return replace(check, note=f"There are no run files to download: {error}")
    return replace(check, file=file)
