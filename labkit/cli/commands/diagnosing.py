"""``labkit diagnose``: what happens to the steps of a loop of one's own, why, and the fix."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path

import click

from labkit.bench.script import Script, own_streams
from labkit.causes import SLUGS
from labkit.cli.bench import CommandBench
from labkit.cli.files import check_writable, may_replace, version
from labkit.cli.loading import loaded
from labkit.cli.script_progress import tell
from labkit.cli.words import Words, say
from labkit.lab.own_loop.alarm import (
    KINDS,
    LOOPS,
    Confirmed,
    alarm_kinds,
    alarm_sentence,
    alarms,
    confirmed,
    place_of,
    untested,
    untested_sentence,
)
from labkit.lab.own_loop.diagnose import LONGEST_SECONDS, check_script, diagnose, loop_source
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.script import (
    SCRIPT_SECONDS,
    diagnose_script,
    is_script,
    script_limit,
)
from labkit.lab.own_loop.unjudged import UnjudgedError
from labkit.record import LabkitError
from labkit.record.file import save_run

FAILED, FAILED_ON = 1, 3
UNCONFIRMED = (
    "but this was stopped before fresh runs could confirm it: --fail-on has decided nothing."
)
ENDED_EARLY = (
    "saw the script up to where labkit ended it, as soon as the answer was certain; of what comes "
    "after that nothing was run. With --whole the script runs to its own end."
)


@click.command("diagnose")
@click.argument("what", metavar="FILE.py [-- ARGUMENTS]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", metavar="MODULE", help="A module in place of FILE.py, as python -m.")
@click.option("--steps", type=int, help="How many steps; else as many as it takes to be certain.")
@click.option(
    "--seconds", type=float,
    help=f"How long it may run at most: {LONGEST_SECONDS:g}, or {SCRIPT_SECONDS:g} for a script.",
)  # fmt: skip
@click.option("--whole", is_flag=True, help="Let a script run to its own end.")
@click.option("--step", default="", metavar="FILE:LINE", help="The loop whose turns are steps.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", default="auto", show_default=True, metavar="auto|cpu|gpu")
@click.option(
    "--fail-on", metavar=",".join(KINDS),
    help=f"End with status 3 if {LOOPS} fresh runs in a row show it; slowdown is a shift, too.",
)  # fmt: skip
@click.option("--out", type=click.Path(), help="Save the diagnosis as one HTML page.")
@click.option("--save", type=click.Path(), help="Save the run, to be loaded again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.make_pass_decorator(Words, ensure=True)
def diagnose_file(
    words: Words,
    what: tuple[str, ...],
    module: str | None,
    steps: int | None,
    seconds: float | None,
    whole: bool,
    step: str,
    seed: int,
    device: str,
    fail_on: str | None,
    out: str | None,
    save: str | None,
    as_json: bool,
) -> int:
    """Run FILE.py in a fresh process, and say what happens to its steps and why.

    A file that defines make_step(), which returns the function that does one step, has that loop
    run; any other is a script, and run whole with its ARGUMENTS. A name that labkit list gives will
    do as well.
    """
    kinds = () if fail_on is None else alarm_kinds(word.strip() for word in fail_on.split(","))
    if module is None and not what:
        raise LabkitError("Nothing to diagnose was named; give a .py file, or a module with -m.")
    file, arguments = (module, what) if module is not None else (what[0], what[1:])
    before = _outputs(out, save, read=[] if module else [file])
    once: Callable[[], Diagnosed]
    with CommandBench() as bench:
        if module is not None or (file not in SLUGS and is_script(file)):
            asked = Script(
                file, arguments, module=module is not None, device=device,
                streams=own_streams(only_error=as_json),
            )  # fmt: skip
            check_script(steps=steps, seed=seed or None)
            limit = script_limit(seconds, whole=whole)
            show = functools.partial(tell, asked.title)
            once = functools.partial(
                diagnose_script, asked, seconds=limit, step=step, on=bench, show=show
            )
        else:
            loaded(file if file.endswith(".py") else loop_source(file))
            once = functools.partial(
                diagnose, file, args=arguments, steps=steps, seconds=seconds, whole=whole,
                step=step, seed=seed, device=device, on=bench,
            )  # fmt: skip
        try:
            told = confirmed(once, kinds, stopped=lambda: bool(bench.status))
        except UnjudgedError as fault:
            if save is not None:
                words.keep(functools.partial(save_run, fault.run), Path(save),
                           replace=may_replace(Path(save), fault.run))  # fmt: skip
            raise
        said = told.said
        for path, saved in ((out, said.save), (save, functools.partial(save_run, said.run))):
            if path is not None:
                # What was written meanwhile is the script's own.
                named = version(Path(path)) == before[path]
                named = named and (path == out or may_replace(Path(path), said.run))
                words.keep(saved, Path(path), replace=named)
    _say(said, as_json=as_json)
    if kinds and bench.ended_early and said.run.state.completed and said.diagnosis.loop is not None:
        say(f"labkit: --fail-on {','.join(kinds)} {ENDED_EARLY}", err=True)
    if bench.status and (told.stopped or told.failed is not None):
        say(f"labkit: {alarm_sentence(alarms(said, kinds), said)}, {UNCONFIRMED}", err=True)
    return bench.status or _status(told, kinds)


def _outputs(out: str | None, save: str | None, *, read: list[str]) -> dict[str, object]:
    """Check that what is asked for can be written; return the version of what stands there.

    Args:
        out: Where the page goes.
        save: Where the run goes.
        read: The files that are read: none of them may be written.
    """
    before: dict[str, object] = {}
    for path, option in ((out, "--out"), (save, "--save")):
        if path is not None:
            before[path] = version(Path(path))
            of_runs = option == "--save"
            written = [out] if of_runs and out is not None else []
            check_writable(Path(path), inputs=[*read, *written], option=option, of_runs=of_runs)
    return before


def _say(said: Diagnosed, *, as_json: bool) -> None:
    if not as_json:
        say(str(said))
        return
    if said.run.state.traceback:
        say(said.run.state.traceback.rstrip(), err=True)  # in words it is told already
    click.echo(json.dumps(said.as_json()))


def _status(confirmed: Confirmed, kinds: tuple[str, ...]) -> int:
    said, raised = confirmed.said, confirmed.raised
    if confirmed.failed is not None:
        state = confirmed.failed.run.state
        told = alarm_sentence(alarms(said, kinds), said)
        absent = "it did not come to that loop again" if state.completed else state.name
        why = (state.reason or absent).rstrip(".")
        say(f"labkit: {told}, but a fresh run could not confirm it: {why}.", err=True)
        return FAILED
    if not said.run.state.completed or not len(said.run.steps):
        return FAILED
    if raised:
        fired = ",".join(kind for kind in KINDS if any(each.kind == kind for each in raised))
        told = alarm_sentence(raised, said)
        say(f"labkit: --fail-on {fired}: {told}, in each of {LOOPS} runs.", err=True)
        return FAILED_ON
    if doubtful := alarms(said, kinds):
        told = alarm_sentence(doubtful, said)
        passed = f"{told}, but not in each of {LOOPS} runs: --fail-on lets it pass"
        say(f"labkit: {passed}.", err=True)
    for each in said.every:
        if (open_ := untested(each, kinds)) and each is not said.longest:
            told = f"could not tell of the loop at {place_of(each)}: {untested_sentence(each)}"
            say(f"labkit: --fail-on {','.join(open_)} {told}.", err=True)
    if kinds and said.run.state.reason:
        why = said.run.state.reason.rstrip(".")
        told = "did not see all" if said.minor_reason else "could not tell"
        say(f"labkit: --fail-on {','.join(kinds)} {told}: {why}.", err=True)
        if not said.minor_reason:
            return FAILED
    if open_ := untested(said.longest, kinds):
        why = untested_sentence(said.longest)
        say(f"labkit: --fail-on {','.join(open_)} could not tell: {why}.", err=True)
        return FAILED  # a gate that nobody has tried is not passed
    return 0
