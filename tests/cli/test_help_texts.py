"""``--help`` has its texts, whether Python has docstrings or not. Tier: make test."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from labkit.cli.help_texts import restore_help
from labkit.cli.program import program


def test_each_command_says_what_it_does_where_python_forgets_docstrings() -> None:
    """Seen: the list of commands had names and nothing else."""
    done = subprocess.run(
        [sys.executable, "-m", "labkit", "--help"],
        env={**os.environ, "PYTHONOPTIMIZE": "2"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    with click.Context(program, info_name="labkit") as context:
        wanted = program.get_help(context).split("Commands:")[1].split()
    assert done.stdout.split("Commands:")[1].split() == wanted
    assert "Show why TensorFlow training loops slow down" in done.stdout


def test_what_a_command_says_already_stays_and_what_has_no_source_stays_without() -> None:
    @click.group(help="A group.")
    def group() -> None:
        """Another text."""

    made: dict[str, object] = {}
    exec("def bare(): pass", made)
    group.add_command(click.Command("bare", callback=made["bare"]))  # type: ignore[arg-type]
    for command in (group, *group.commands.values()):
        restore_help(command)
    assert group.help == "A group." and not group.commands["bare"].help
