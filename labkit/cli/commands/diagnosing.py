"""``labkit diagnose``: what happens to the steps of a loop of one's own, why, and the fix."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import click

from labkit.cli.bench import CommandBench
from labkit.cli.files import check_writable
from labkit.cli.loading import loaded
from labkit.cli.words import Words, say
from labkit.lab.own_loop.alarm import (
    KINDS,
    LOOPS,
    Alarm,
    alarm_kinds,
    alarm_sentence,
    alarms,
    confirmed,
)
from labkit.lab.own_loop.diagnose import LONGEST_SECONDS, diagnose, loop_source
from labkit.lab.own_loop.diagnosed import Diagnosed

FAILED, FAILED_ON = 1, 3


@click.command("diagnose")
@click.argument("file", metavar="FILE.py")
@click.option("--steps", type=int, help="How many steps; else as many as it takes to be certain.")
@click.option(
    "--seconds", type=float, default=LONGEST_SECONDS, show_default=True,
    help="How long the loop may run at most.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", default="auto", show_default=True, metavar="auto|cpu|gpu")
@click.option(
    "--fail-on", metavar=",".join(KINDS),
    help=f"End with status 3 if {LOOPS} fresh runs in a row show it; slowdown is a shift, too.",
)  # fmt: skip
@click.option("--out", type=click.Path(), help="Save the diagnosis as one HTML page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.make_pass_decorator(Words, ensure=True)
def diagnose_file(
    words: Words,
    file: str,
    steps: int | None,
    seconds: float,
    seed: int,
    device: str,
    fail_on: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Run the loop of FILE.py in a fresh process, and say what happens to its steps and why.

    FILE.py defines make_step(), which returns the function that does one step. A name that labkit
    list gives will do as well.
    """
    kinds = () if fail_on is None else alarm_kinds(word.strip() for word in fail_on.split(","))
    loaded(file if file.endswith(".py") else loop_source(file))
    if out is not None:
        check_writable(Path(out), inputs=[file])
    with CommandBench() as bench:
        once = functools.partial(
            diagnose, file, steps=steps, seconds=seconds, seed=seed, device=device, on=bench
        )
        said, raised = confirmed(once, kinds)
        if out is not None:
            words.keep(said.save, Path(out))
    if as_json and said.run.state.traceback:
        say(said.run.state.traceback.rstrip(), err=True)  # in words it is told already
    if as_json:
        click.echo(json.dumps(said.as_json()))
    else:
        say(str(said))
    return bench.status or _status(said, raised, kinds)


def _status(said: Diagnosed, raised: frozenset[Alarm], kinds: tuple[str, ...]) -> int:
    if not said.run.state.completed or not len(said.run.steps):
        return FAILED
    if raised:
        fired = ",".join(kind for kind in KINDS if any(each.kind == kind for each in raised))
        told = alarm_sentence(raised, said.diagnosis)
        say(f"labkit: --fail-on {fired}: {told}, in each of {LOOPS} runs.", err=True)
        return FAILED_ON
    if doubtful := alarms(said.diagnosis, kinds):
        told = alarm_sentence(doubtful, said.diagnosis)
        passed = f"{told}, but not in each of {LOOPS} runs: --fail-on lets it pass"
        say(f"labkit: {passed}.", err=True)
    known = {
        "slowdown": said.diagnosis.verdict.label != "too_short",
        "leaking": said.diagnosis.memory.known,
    }
    if open_ := ",".join(kind for kind in KINDS if kind in kinds and not known[kind]):
        why = "the run was too short; give it more --steps, or none"
        say(f"labkit: --fail-on {open_} could not tell: {why}.", err=True)
    return 0
