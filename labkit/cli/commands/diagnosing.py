"""``labkit diagnose``: what happens to the steps of a loop of one's own, why, and the fix."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import click

from labkit.bench.script import Script, own_streams, start_script
from labkit.bench.session.session import Session
from labkit.causes import SLUGS
from labkit.cli.bench import CommandBench
from labkit.cli.outputs import Outputs
from labkit.cli.words import Words
from labkit.lab.own_loop.request import (
    KINDS,
    LOOP_SECONDS,
    LOOPS,
    SCRIPT_SECONDS,
    alarm_kinds,
    check_script,
    is_script,
    place_of_step,
    script_limit,
)
from labkit.record import LabkitError


@click.command("diagnose")
@click.argument("what", metavar="FILE.py [-- ARGUMENTS]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", metavar="MODULE", help="A module in place of FILE.py, as python -m.")
@click.option("--steps", type=int, help="How many steps; else as many as it takes to be certain.")
@click.option(
    "--seconds", type=float,
    help=f"How long it may run at most: {LOOP_SECONDS:g}, or {SCRIPT_SECONDS:g} for a script.",
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
    outputs = Outputs(out, save, [] if module else [file])
    with CommandBench() as bench:
        runs: Iterator[Session] | None = None
        if module is not None or (file not in SLUGS and is_script(file)):
            check_script(steps=steps, seed=seed or None)
            limit, place = script_limit(seconds, whole=whole), place_of_step(step)
            asked = Script(
                file, arguments, module=module is not None, device=device,
                streams=own_streams(only_error=as_json),
            )  # fmt: skip
            begin = functools.partial(start_script, bench, asked, limit, place)
            runs = itertools.chain([begin()], iter(begin, None))
        # Not before: to load what judges takes as long as a script takes to start.
        from labkit.cli.diagnosed import Wanted, confirm, loop_diagnosed, script_diagnosed, tell

        if runs is not None:
            diagnose = script_diagnosed(runs, asked.title, whole=limit is None, place=place)
        else:
            diagnose = loop_diagnosed(
                file, args=arguments, steps=steps, seconds=seconds, whole=whole, step=step,
                seed=seed, device=device, on=bench,
            )  # fmt: skip
        wanted = Wanted(kinds, outputs, as_json)
        told = confirm(diagnose, wanted, bench, words)
    return tell(told, wanted, bench)
