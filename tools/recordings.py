"""Records the labs for real, on the machine at hand, into the package.

    python -m tools.recordings [LAB]... [--device gpu] [--minutes 10] [--again] [--out FOLDER]

Which toggles are recorded follows from what each cause declares. Every lab's main toggle comes
first, then the repairs, then the controls, so that a pass that runs out of minutes leaves no lab
out. Needs a quiet machine; where it was not quiet, --again repeats what other programs disturbed
and what is missing, and keeps the calmer of two runs, whatever they show.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.cause import Cause
from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.settings import run_limits
from labkit.record import LabkitError, Run, Steps, load_run, save_run
from labkit.record.file import run_files
from labkit.show.verdict.verdict_words import verdict_words

RECORDINGS = Path(__file__).parent.parent / "labkit" / "recordings"
MOST_BYTES = 5_000_000
MOST_SECONDS = 30.0
LEAST_STEPS = 20
DECIMALS = 8
DISTURBED = 0.1  # of the time, which other programs took
MOST_REPAIRS = 3  # of one toggle; grappler alone has twenty
MAIN, REPAIR, CONTROL = range(3)
FOLDERS = re.compile(r'(File ")[^"]*/((?:labkit|site-packages|lib/python[\d.]+)/)')
SAID = "seconds are rounded to 10 nanoseconds, and what the loop printed is left out"


@dataclass(frozen=True)
class Planned:
    """One recording to make.

    Args:
        cause: Of the lab.
        place: Its number in the lab; 0 has all toggles at their defaults.
        toggles: What differs from the defaults.
        turn: When it is its turn: main toggle, repair, control.
    """

    cause: Cause
    place: int
    toggles: Mapping[str, str]
    turn: int

    def file(self, device: str) -> str:
        """Return the name of its file."""
        said = "-".join(f"{name}-{word}" for name, word in self.toggles.items()) or "defaults"
        ending = "" if device == "cpu" else f"-{device}"
        return f"{self.place:02}-{re.sub(r'[^A-Za-z0-9_]+', '-', said)}{ending}.jsonl.gz"


def planned(cause: Cause) -> list[Planned]:
    """Return what to record of a lab: its defaults, and one other setting at a time.

    Of the main toggle every value, of a repair the first few, of a control one, because it changes
    nothing anyway; of the other toggles none.
    """
    turns = {"fix": (REPAIR, MOST_REPAIRS), "control": (CONTROL, 1)}
    found: list[tuple[dict[str, str], int]] = [({}, MAIN)]
    for toggle in cause.toggles:
        others = [choice for choice in toggle.choices if choice != toggle.default]
        turn, most = turns.get(toggle.role, (MAIN, 0))
        if toggle is cause.toggles[0]:
            turn, most = MAIN, len(others)
        found += [({toggle.name: choice}, turn) for choice in others[:most]]
    return [Planned(cause, place, *each) for place, each in enumerate(found)]


def small(run: Run) -> Run:
    """Return a run as it is shipped; it says itself what was left out."""
    seconds = {column.name for column in run.columns if column.unit == "s"}
    state = replace(run.state, traceback=FOLDERS.sub(r"\1\2", run.state.traceback))
    return replace(
        run, state=state, log="", environment={**run.environment, "recording": SAID},
        steps=_rounded(run.steps, seconds),
        others=tuple(_rounded(each, seconds) for each in run.others),
    )  # fmt: skip


def _rounded(steps: Steps, names: set[str]) -> Steps:
    return Steps({
        name: [round(value, DECIMALS) for value in steps.column(name)]
        if name in names else steps.column(name)
        for name in steps.names
    })  # fmt: skip


def record(
    plans: Sequence[Planned], out: Path, device: str, minutes: float, *, again: bool
) -> Iterator[tuple[Planned, Run, Path | None]]:
    """Make recordings, and yield each with its file.

    No file is written for a run too short for a curve, or, if it is made again, where the one
    before was as calm.
    """
    end = time.monotonic() + 60 * minutes
    with closing(Bench(os.environ.get("LABKIT_START", "auto"))) as bench:
        for each in sorted(plans, key=lambda plan: plan.turn):
            if time.monotonic() > end:
                return
            session = bench.start(
                each.cause.slug, toggles=each.toggles, device=device,
                limits=run_limits(MOST_SECONDS),
            )  # fmt: skip
            session.wait()
            run = small(session.snapshot())
            file = out / each.cause.slug / each.file(device)
            calmer = len(run.steps) >= LEAST_STEPS and not (
                again and file.exists() and disturbed(load_run(file)) <= disturbed(run)
            )
            if calmer:
                file.parent.mkdir(parents=True, exist_ok=True)
            yield each, run, save_run(run, file) if calmer else None


def disturbed(run: Run) -> float:
    """Return the share of the time that other programs took."""
    return judgement(run).verdict.contended_share or 0.0


def unsettled(plans: Sequence[Planned], out: Path, device: str) -> list[Planned]:
    """Return what is missing, and what other programs disturbed when it was recorded."""
    found = []
    for each in plans:
        file = out / each.cause.slug / each.file(device)
        if not file.exists() or disturbed(load_run(file)) > DISTURBED:
            found.append(each)
    return found


def clear(plans: Sequence[Planned], out: Path, device: str) -> None:
    """Remove the recordings of this device that nobody plans any more."""
    wanted = {out / each.cause.slug / each.file(device) for each in plans}
    for slug in {each.cause.slug for each in plans}:
        for file in run_files(out / slug) if (out / slug).is_dir() else []:
            if file not in wanted and load_run(file).environment.get("device") == device:
                file.unlink()


def main() -> int:
    """Record, say what was recorded, and refuse a folder that has grown too large."""
    arguments = _arguments()
    plans = [each for slug in arguments.lab or SLUGS for each in planned(load(slug))]
    out, device, again = arguments.out, arguments.device, arguments.again
    clear(plans, out, device)
    if again:
        plans = unsettled(plans, out, device)
    done = 0
    recorded = record(plans, out, device, arguments.minutes, again=again)
    for done, (each, run, file) in enumerate(recorded, start=1):
        said = verdict_words(judgement(run).verdict) if len(run.steps) else run.state.reason
        size = f"{file.stat().st_size:,} bytes" if file else "not kept"
        words = ", ".join(map(" ".join, each.toggles.items())) or "defaults"
        print(f"{done}/{len(plans)} {each.cause.slug} {words}: {size}: {said}", flush=True)
    size = sum(file.stat().st_size for file in out.rglob("*.gz"))
    print(f"{len(plans) - done} not recorded; {size:,} bytes in all")
    return 1 if size > MOST_BYTES else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Record the labs into the package.")
    parser.add_argument("lab", nargs="*", help=f"one of {', '.join(SLUGS)}; none for all")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no run after them")
    parser.add_argument("--again", action="store_true", help="only what is missing or disturbed")
    parser.add_argument("--out", type=Path, default=RECORDINGS)
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LabkitError as error:
        sys.exit(f"{error}")
