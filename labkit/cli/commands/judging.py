"""``labkit verdict``: whether step times rise, by how much and how surely."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from labkit.cli.words import file_name, say
from labkit.lab.json_output import file_json
from labkit.record.plain_text import one_line


@click.command("verdict")
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
