"""``labkit trial``: the sources' claims, each tried by its experiment on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import click

from labkit.claims import Tried, chosen
from labkit.claims.example_trial import ExampleTried
from labkit.claims.runner import trial
from labkit.claims.table import Trial, told
from labkit.cli.bench import CommandBench
from labkit.cli.files import check_writable
from labkit.cli.words import Words, say


@click.command("trial")
@click.argument("claims", nargs=-1, metavar="[CLAIM]...")
@click.option("--device", default="auto", show_default=True, metavar="auto|cpu|gpu")
@click.option("--out", type=click.Path(), help="Save the table as one HTML page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.make_pass_decorator(Words, ensure=True)
def try_claims(
    words: Words, claims: tuple[str, ...], device: str, out: str | None, as_json: bool
) -> int:
    """Try CLAIMS, such as 1.3, or all of them: run the experiment of each, and rule on it.

    A code example of the posts, such as 1.a, is run as it was posted and repaired.

    One takes some seconds, all of them take some minutes.
    """
    if out is not None:
        check_writable(Path(out))
    asked = [each.id for each in chosen(claims)]
    done: list[Tried | ExampleTried] = []

    def so_far() -> Trial:
        return Trial(tuple(done), tuple(asked[len(done) :]))

    # Each as soon as it is ruled on: whoever waits for all of them sees that they come.
    def tell(tried: Tried | ExampleTried) -> None:
        done.append(tried)
        if not as_json:
            say("\n".join(told(tried)))
        if words.in_vain and out is None:
            raise click.exceptions.Exit

    bench = CommandBench()
    try:
        with bench:
            try:
                trial(*claims, device=device, on=bench, tell=tell)
            finally:  # what ends one claim's trial takes none of those before it
                if out is not None and done:
                    words.keep(so_far().save, Path(out))
    finally:
        if as_json and done:
            click.echo(json.dumps(so_far().as_json()))
    return bench.status or (0 if all(map(_measured, done)) else 1)


def _measured(tried: Tried | ExampleTried) -> bool:
    return any(len(run.steps) for run in tried.played.runs.values())
