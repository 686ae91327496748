"""The commands of the command line and their options; `labkit.cli` says what they promise."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import click

from labkit.causes import SLUGS
from labkit.cli.help_texts import restore_help
from labkit.cli.interrupt import INTERRUPTED, SENTENCE
from labkit.cli.words import Words, say
from labkit.record import LabkitError

# Each command by its name, and where it is: a file of `labkit.cli.commands` and a name in it.
COMMANDS = {
    "list": ("listing", "list_causes"),
    "run": ("running", "run_cause"),
    "verdict": ("judging", "judge_files"),
    "diagnose": ("diagnosing", "diagnose_file"),
    "trial": ("trying", "try_claims"),
    "selfcheck": ("checking", "check_machine"),
    "report": ("reporting", "report_runs"),
}


class Commands(click.Group):
    """The commands, of which only those that are asked for are loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        file, name = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"labkit.cli.commands.{file}"), name)
        restore_help(command)
        return command


def _say_versions(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from labkit.course.check.setup import versions

        say("; ".join(versions()))
        context.exit()


@click.group(cls=Commands)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_versions,
    help="Say which versions are here, as a report of a fault needs it.",
)  # fmt: skip
def program() -> None:
    """Show why TensorFlow training loops slow down: run a cause, judge a curve, diagnose a loop."""


restore_help(program)


def _choices(error: click.ClickException) -> str:
    """Return what could have been written instead, where click does not say it itself."""
    if isinstance(error, click.MissingParameter) and getattr(error.param, "name", "") == "cause":
        return f" Choose all, the path of a .py file, or one of: {', '.join(SLUGS)}."
    if isinstance(error, click.NoSuchOption) and error.ctx and error.ctx.command.name == "diagnose":
        return (
            f" What is for a script comes after --, as in  labkit diagnose train.py -- "
            f"{error.option_name}"
        )
    if "No such command" in error.format_message():
        return f" Choose one of: {', '.join(COMMANDS)}."
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
