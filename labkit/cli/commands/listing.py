"""``labkit list``: the causes that there are, their toggles and sizes."""

from __future__ import annotations

import json

import click

from labkit.causes import every
from labkit.cli.words import say


@click.command("list")
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
