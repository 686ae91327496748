"""``labkit trial``: the sources' claims, each tried by its experiment on this machine.

Exit status: 0 when all were tried, whatever the rulings; 2 for bad arguments; 130 after Ctrl-C.
"""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import click

from labkit.bench.bench import Bench
from labkit.claims import Tried
from labkit.cli.files import check_writable
from labkit.cli.interrupt import INTERRUPTED, raising
from labkit.lab.trial import told, trial


@click.command("trial")
@click.argument("claims", nargs=-1, metavar="[CLAIM]...")
@click.option("--out", type=click.Path(), help="Save the table as one HTML page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def try_claims(claims: tuple[str, ...], out: str | None, as_json: bool) -> int:
    """Try CLAIMS, such as 1.3, or all of them: run the experiment of each, and rule on it.

    One takes some seconds, all of them take some minutes.
    """
    if out is not None:
        check_writable(Path(out))
    with raising(), closing(Bench(os.environ.get("LABKIT_START", "auto"))) as bench:
        # Each as soon as it is ruled on: whoever waits for all of them sees that they come.
        said = trial(*claims, on=bench, tell=None if as_json else _print)
    if as_json:
        click.echo(json.dumps(said.as_json()))
    if out is not None:
        said.save(out)
        click.echo(f"saved to {out}", err=True)
    return INTERRUPTED if said.stopped else 0


def _print(tried: Tried) -> None:
    click.echo("\n".join(told(tried)))
