"""The commands of the command line and their options; `labkit.cli` says what they promise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from labkit.causes import SLUGS, every
from labkit.cli.commands.checking import check_machine
from labkit.cli.commands.diagnosing import diagnose_file
from labkit.cli.commands.reporting import report_runs
from labkit.cli.commands.running import run_cause
from labkit.cli.commands.trying import try_claims
from labkit.cli.help_texts import restore_help
from labkit.cli.interrupt import INTERRUPTED, SENTENCE
from labkit.cli.words import Words, file_name, say
from labkit.course.check.setup import versions
from labkit.lab.json_output import file_json
from labkit.record import LabkitError
from labkit.record.plain_text import one_line


def _say_versions(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        say("; ".join(versions()))
        context.exit()


@click.group()
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_versions,
    help="Say which versions are here, as a report of a fault needs it.",
)  # fmt: skip
def program() -> None:
    """Show why TensorFlow training loops slow down: run a cause, judge a curve, diagnose a loop."""


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
        say(f"{cause.slug}: {cause.summary}")
        for toggle in cause.toggles:
            choices = " / ".join(toggle.choices)
            say(f"    {toggle.name} = {choices}   ({toggle.title}; now {toggle.default})")
        for size in cause.sizes:
            span = f"{size.low} to {size.high}"
            say(f"    {size.name} = {span}   ({size.title}; now {size.default})")


program.add_command(run_cause)


@program.command("verdict")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def judge_files(files: Sequence[str], as_json: bool) -> int:
    """Judge step times from FILES.

    A file is a saved run, a JSON list of seconds, or one number of seconds a line.
    """
    accounts = [file_json(Path(file)) for file in files]
    if as_json:
        click.echo(json.dumps({"verdicts": accounts}))
    else:
        for account in accounts:
            file = Path(str(account["file"]))
            said = account.get("error") or account["detail"]
            # Most errors of a file begin with its name.
            rest = str(said).removeprefix(one_line(file.name))
            say(f"{file_name(file)}{rest if rest != said else f': {said}'}")
    return 1 if any(account["label"] is None for account in accounts) else 0


program.add_command(diagnose_file)
program.add_command(try_claims)
program.add_command(check_machine)
program.add_command(report_runs)
restore_help(program)


def _choices(error: click.ClickException) -> str:
    """Return what could have been written instead, where click does not say it itself."""
    if isinstance(error, click.MissingParameter) and getattr(error.param, "name", "") == "cause":
        return f" Choose all, the path of a .py file, or one of: {', '.join(SLUGS)}."
    if isinstance(error, click.NoSuchOption) and error.ctx and error.ctx.command is diagnose_file:
        return (
            f" What is for a script comes after --, as in  labkit diagnose train.py -- "
            f"{error.option_name}"
        )
    if "No such command" in error.format_message():
        return f" Choose one of: {', '.join(program.commands)}."
    return ""


def carry_out(arguments: Sequence[str] | None) -> int:
    """Carry out a command line and return its exit status.

    Args:
        arguments: What follows the program's name; None for what the terminal gave.
    """
    words = Words()
    with words.spoken():
        return words.status(_status(arguments, words))


def _status(arguments: Sequence[str] | None, words: Words) -> int:
    try:
        status = program.main(
            args=None if arguments is None else list(arguments),
            prog_name="labkit",
            standalone_mode=False,
            obj=words,
        )
    except click.ClickException as error:
        say(f"labkit: {error.format_message()}{_choices(error)}", err=True)
        return 2
    except LabkitError as error:
        say(f"labkit: {error}", err=True)
        return 2
    except click.Abort:
        say(SENTENCE, err=True)
        return INTERRUPTED
    return status if isinstance(status, int) else 0
