"""``labkit run``: causes, or a loop of one's own, each in a fresh process; told, and saved."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import click

from labkit.bench.device.faults import NO_GPU
from labkit.bench.isolation.isolation import ExposedError
from labkit.bench.session.session import Session
from labkit.cause import Cause
from labkit.causes import SLUGS
from labkit.cli.bench import CommandBench
from labkit.cli.files import check_writable, may_replace, version
from labkit.cli.loading import loaded
from labkit.cli.words import Words, say
from labkit.diagnosis import judgement
from labkit.lab.json_output import run_json
from labkit.lab.kernel import wait_for
from labkit.lab.settings import run_limits, split_settings
from labkit.record import LabkitError, Run, run_file_name, save_run
from labkit.show.report.terminal import diagnosis_lines, lab_lines

DEFAULT_SECONDS = 60.0
LONGEST_SECONDS = 3600.0


@click.command("run")
@click.argument("cause")
@click.option("--steps", type=int, help="How many steps; else as many as show the effect.")
@click.option(
    "--set", "settings", multiple=True, metavar="TOGGLE=VALUE", help="Set a toggle or a size."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", default="auto", show_default=True, metavar="auto|cpu|gpu")
@click.option(
    "--exposed",
    is_flag=True,
    help="Run two workers even where others could reach their ports and your files through them.",
)
@click.option("--out", type=click.Path(), help="Save the run to this file; for all, a folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.make_pass_decorator(Words, ensure=True)
def run_cause(
    words: Words,
    cause: str,
    steps: int | None,
    settings: tuple[str, ...],
    seed: int,
    device: str,
    exposed: bool,
    out: str | None,
    as_json: bool,
) -> int:
    """Run CAUSE in a fresh process.

    CAUSE is a name that labkit list gives, the path of a .py file that defines CAUSE or
    make_step(), or all, for all causes of the list one after the other. Where a graphics card
    works, all runs each on the processor and on the card, unless --device names one.
    """
    causes = {slug: loaded(slug) for slug in (SLUGS if cause == "all" else (cause,))}
    chosen = dict(_setting(text) for text in settings)
    for each in causes.values():
        split_settings(each, _typed(each, chosen))
    own = [source for source in causes if source.endswith(".py")]
    before: object = None
    if out is not None:
        before = version(Path(out))
        check_writable(Path(out), folder=cause == "all", inputs=own, of_runs=True)
    # Who asks for a number of steps wants them all; else any run ends within a minute.
    limits = run_limits(DEFAULT_SECONDS if steps is None else LONGEST_SECONDS)
    runs: list[Run] = []
    refused = False
    bench = CommandBench()
    start = functools.partial(bench.start, steps=steps, seed=seed, limits=limits, exposed=exposed)
    try:
        with bench:
            devices = bench.devices.all(device) if cause == "all" else (device,)
            for (source, each), where in itertools.product(causes.items(), devices):
                try:
                    run = _run(start, source, each, _typed(each, chosen), where)
                except ExposedError as error:
                    if cause != "all":
                        raise
                    refused = True
                    say(f"labkit: {each.title} was not run: {error}", err=True)
                    continue
                runs.append(run)
                kept = True
                if out is not None:
                    stem = f"{run.cause}-gpu" if devices[1:] and where == "gpu" else run.cause
                    file = Path(out, run_file_name(stem, run)) if cause == "all" else Path(out)
                    # What was written there meanwhile is the loop's own; in a folder nobody has
                    # named the file, and one of that name is an earlier run.
                    named = cause != "all" and version(file) == before and may_replace(file, run)
                    kept = words.keep(functools.partial(save_run, run), file, replace=named)
                if not as_json:
                    if devices[1:]:
                        say(f"On the {where.upper()}:")
                    say("\n".join([*diagnosis_lines(judgement(run)), *lab_lines(run)]))
                if bench.status or words.in_vain or not kept or run.state.reason == NO_GPU:
                    break  # what is missing for one is missing for all
    finally:  # a run that cannot be started takes none of those before it
        if as_json and runs:
            accounts = [run_json(judgement(run)) for run in runs]
            click.echo(json.dumps({"runs": accounts} if cause == "all" else accounts[0]))
    measured = all(run.state.completed and len(run.steps) for run in runs)
    return bench.status or (0 if measured and not refused else 1)


def _run(
    start: Callable[..., Session],
    source: str,
    cause: Cause,
    settings: dict[str, object],
    device: str,
) -> Run:
    toggles, sizes = split_settings(cause, settings)
    return wait_for(start(source, toggles=toggles, sizes=sizes, device=device), cause.title)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise LabkitError(f"--set {text!r} is not of the form TOGGLE=VALUE; write e.g. grow=off.")
    return name, value


def _typed(cause: Cause, settings: dict[str, str]) -> dict[str, object]:
    """Return the settings with sizes as whole numbers, as far as they are."""
    sizes = {size.name for size in cause.sizes}
    typed: dict[str, object] = dict(settings)
    for name in sizes & settings.keys():
        digits = settings[name].lstrip("-")
        typed[name] = int(settings[name]) if digits.isdigit() else settings[name]
    return typed
