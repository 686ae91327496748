"""The commands of the command line and their options; `labkit.cli` says what they promise."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from labkit.bench.bench import Bench
from labkit.bench.equipment import NO_GPU
from labkit.bench.limits import Limits
from labkit.causes import SLUGS, every, load
from labkit.cli.diagnosing import diagnose_file
from labkit.cli.files import check_writable, loaded
from labkit.cli.interrupt import INTERRUPTED, SENTENCE, raising
from labkit.cli.reporting import report_runs
from labkit.cli.trying import try_claims
from labkit.lab.accounts import file_account, run_account
from labkit.lab.lab import run_limits, split_settings
from labkit.lab.play import wait_for
from labkit.lab.telling import run_lines
from labkit.record import LabkitError, Run, save_run

DEFAULT_SECONDS = 60.0
LONGEST_SECONDS = 3600.0


@click.group()
def program() -> None:
    """Show why TensorFlow training loops slow down: run a cause, judge a curve, diagnose a loop."""


program.add_command(diagnose_file)
program.add_command(try_claims)
program.add_command(report_runs)


@program.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_causes(as_json: bool) -> None:
    """List the causes and their toggles."""
    if as_json:
        click.echo(json.dumps({"causes": [
            {
                "slug": cause.slug,
                "title": cause.title,
                "toggles": [
                    {"name": t.name, "kind": t.kind, "choices": list(t.choices),
                     "default": t.default}
                    for t in cause.toggles
                ],
            }
            for cause in every()
        ]}))  # fmt: skip
        return
    for cause in every():
        click.echo(f"{cause.slug}: {cause.summary}")
        for toggle in cause.toggles:
            choices = " / ".join(toggle.choices)
            click.echo(f"    {toggle.name} = {choices}   ({toggle.title}; now {toggle.default})")
        for size in cause.sizes:
            span = f"{size.low} to {size.high}"
            click.echo(f"    {size.name} = {span}   ({size.title}; now {size.default})")


@program.command("run")
@click.argument("cause")
@click.option("--steps", type=int, help="How many steps; else as many as show the effect.")
@click.option(
    "--set", "settings", multiple=True, metavar="TOGGLE=VALUE", help="Set a toggle or a size."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", default="cpu", show_default=True, metavar="cpu|gpu")
@click.option("--out", type=click.Path(), help="Save the run to this file; for all, a folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def run_cause(
    cause: str,
    steps: int | None,
    settings: tuple[str, ...],
    seed: int,
    device: str,
    out: str | None,
    as_json: bool,
) -> int:
    """Run CAUSE in a fresh process.

    CAUSE is a name that labkit list gives, the path of a .py file that defines CAUSE or
    make_step(), or all, for all causes of the list one after the other.
    """
    slugs = SLUGS if cause == "all" else (cause,)
    chosen = dict(_setting(text) for text in settings)
    for slug in slugs:
        split_settings(loaded(slug), _typed(slug, chosen))
    if out is not None:
        check_writable(Path(out), folder=cause == "all")
    # Who asks for a number of steps wants them all; else any run ends within a minute.
    limits = run_limits(DEFAULT_SECONDS if steps is None else LONGEST_SECONDS)
    runs: list[Run] = []
    unsaved: LabkitError | None = None
    with raising(), closing(Bench(os.environ.get("LABKIT_START", "auto"))) as bench:
        for slug in slugs:
            runs.append(_run(bench, slug, _typed(slug, chosen), steps, seed, device, limits))
            if not as_json:
                click.echo("\n".join(run_lines(runs[-1], run_account(runs[-1]).judgement)))
            if out is not None:
                try:
                    _save(runs[-1], Path(out), folder=cause == "all")
                except LabkitError as error:  # a full disk must not take what was learned
                    unsaved = error
                    break
            if runs[-1].state.name == "stopped" or runs[-1].state.reason == NO_GPU:
                break  # what is missing for one is missing for all
    if as_json:
        accounts = [run_account(run).as_json() for run in runs]
        click.echo(json.dumps({"runs": accounts} if cause == "all" else accounts[0]))
    if unsaved is not None:
        raise unsaved
    if runs[-1].state.name == "stopped":
        return INTERRUPTED
    return 0 if all(run.state.completed for run in runs) else 1


@program.command("verdict")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def judge_files(files: Sequence[str], as_json: bool) -> int:
    """Judge step times from FILES.

    A file is a saved run, a JSON list of seconds, or one number of seconds a line.
    """
    accounts = [file_account(Path(file)) for file in files]
    if as_json:
        click.echo(json.dumps({"verdicts": accounts}))
    else:
        for account in accounts:
            click.echo(f"{account['file']}: {account.get('error') or account['detail']}")
    return 1 if any(account["label"] is None for account in accounts) else 0


def _run(
    bench: Bench,
    slug: str,
    settings: dict[str, object],
    steps: int | None,
    seed: int,
    device: str,
    limits: Limits,
) -> Run:
    cause = load(slug)
    toggles, sizes = split_settings(cause, settings)
    session = bench.start(
        slug, toggles=toggles, sizes=sizes, steps=steps, seed=seed, device=device, limits=limits
    )
    return wait_for(session, cause.title)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise LabkitError(f"--set {text!r} is not of the form TOGGLE=VALUE; write e.g. grow=off.")
    return name, value


def _typed(slug: str, settings: dict[str, str]) -> dict[str, object]:
    """Return the settings with sizes as whole numbers, as far as they are."""
    sizes = {size.name for size in load(slug).sizes}
    typed: dict[str, object] = dict(settings)
    for name in sizes & settings.keys():
        digits = settings[name].lstrip("-")
        typed[name] = int(settings[name]) if digits.isdigit() else settings[name]
    return typed


def _save(run: Run, out: Path, *, folder: bool) -> None:
    written = save_run(run, out / f"{run.cause}.jsonl" if folder else out)
    click.echo(f"saved to {written}", err=True)


def _choices(error: click.ClickException) -> str:
    """Return what could have been written instead, where click does not say it itself."""
    if isinstance(error, click.MissingParameter) and error.param:
        if error.param.name == "cause":
            return f" Choose all, the path of a .py file, or one of: {', '.join(SLUGS)}."
        if error.param.name == "file":
            return " Give the path of a .py file that defines make_step()."
    if "No such command" in error.format_message():
        return f" Choose one of: {', '.join(program.commands)}."
    return ""


def carry_out(arguments: Sequence[str] | None) -> int:
    """Carry out a command line and return its exit status.

    Args:
        arguments: What follows the program's name; None for what the terminal gave.
    """
    try:
        status = program.main(
            args=None if arguments is None else list(arguments),
            prog_name="labkit",
            standalone_mode=False,
        )
    except click.ClickException as error:
        click.echo(f"labkit: {error.format_message()}{_choices(error)}", err=True)
        return 2
    except LabkitError as error:
        click.echo(f"labkit: {error}", err=True)
        return 2
    except click.Abort:
        click.echo(SENTENCE, err=True)
        return INTERRUPTED
    return status if isinstance(status, int) else 0
