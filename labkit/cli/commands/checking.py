"""``labkit selfcheck``: a short form of every cause here, told as it comes, and packed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from labkit.cli.bench import CommandBench
from labkit.cli.files import check_writable
from labkit.cli.words import Words, say
from labkit.course.check.selfcheck import SECONDS, checked
from labkit.course.check.selfchecked import CheckedCause


@click.command("selfcheck")
@click.argument("causes", nargs=-1, metavar="[CAUSE]...")
@click.option(
    "--seconds", type=float, default=SECONDS, show_default=True, help="For one device, about."
)
@click.option(
    "--device",
    default="auto",
    show_default=True,
    metavar="auto|cpu|gpu",
    help="auto: on the graphics card, too, where one works; gpu: only if one does.",
)
@click.option("--out", type=click.Path(), help="Save the run files and the table as a zip file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.make_pass_decorator(Words, ensure=True)
def check_machine(
    words: Words,
    causes: tuple[str, ...],
    seconds: float,
    device: str,
    out: str | None,
    as_json: bool,
) -> int:
    """Run a short form of CAUSES, or of all, and say what works on this machine.

    It takes about two minutes, and twice that where a graphics card works: then each cause runs on
    the processor and on the card.
    """
    if out is not None:
        check_writable(Path(out), inputs=[each for each in causes if each.endswith(".py")])

    def tell(row: CheckedCause) -> None:
        if not as_json:
            say(row.line())

    bench = CommandBench()
    with bench:
        check = checked(*causes, seconds=seconds, device=device, on=bench, tell=tell)
        # Within: a signal does not end it half-way.
        if out is not None:
            words.keep(check.save, Path(out))
    if as_json:
        click.echo(json.dumps(check.as_json()))
    else:
        say(check.summary())
    return bench.status or (0 if check.works else 1)
