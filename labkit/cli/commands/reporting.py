"""``labkit report``: saved runs as one HTML file to read, and as a picture for slides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from labkit.causes import SLUGS
from labkit.cli.files import check_writable
from labkit.cli.interrupt import held_back
from labkit.cli.words import say, say_saved
from labkit.diagnosis import judgement
from labkit.lab.compare import MOST_RUNS, Comparison, run_colours, telling_lanes
from labkit.lab.replay.recordings import recordings
from labkit.record import Diagnosis, LabkitError
from labkit.record.file import run_files
from labkit.record.saving.whole_file import write_whole
from labkit.show.report.report import save_report

PICTURES = (".svg", ".png")
UNNAMED = "report.html"


@click.command("report")
@click.argument("files", nargs=-1, type=click.Path(), metavar="FILE...")
@click.option(
    "--out", type=click.Path(), metavar="FILE.html",
    help="The HTML file; without it report.html, or the next name that is free.",
)  # fmt: skip
@click.option(
    "--picture", type=click.Path(), metavar="FILE.svg|.png",
    help="Save the curves as a picture, too.",
)  # fmt: skip
def report_runs(files: Sequence[str], out: str | None, picture: str | None) -> int:
    """Write saved runs as one HTML file: curves, verdicts, ledgers, environment.

    FILE is a run that labkit saved, a folder of such files, or a name that labkit list gives, for
    the recordings that come with labkit.
    """
    if not files:
        raise LabkitError(
            "Nothing to report was named; give files that labkit saved, folders of them, or one "
            f"of: {', '.join(SLUGS)}."
        )
    sources = [file for named in files for file in run_files(named)]
    target = UNNAMED if out is None else out
    if out is None:  # what stands under a name that nobody gave is in nobody's way
        check_writable(Path(), folder=True)
    else:
        check_writable(Path(out), inputs=sources)
    if picture is not None:
        check_writable(Path(picture), inputs=[*sources, target], option="--picture")
        _check_picture(Path(picture))
    passed_over: list[LabkitError] = []
    runs = recordings(*files, passed_over=passed_over)
    if not runs:
        raise LabkitError(
            f"There is no saved run in {', '.join(map(repr, files))}; make one with:  "
            "labkit run graph_growth --out grew.jsonl"
        )
    diagnoses = [judgement(run) for run in runs]
    with held_back():
        # A file that nobody has named replaces none.
        say_saved(save_report(diagnoses, target, replace=out is not None))
    if picture is not None:
        drawn = _drawn(diagnoses, Path(picture).suffix.lower())
        with held_back():
            write_whole(Path(picture), drawn, "The picture")
            say_saved(Path(picture))
    empty = sum(not run.steps for run in runs)
    if empty:
        say(
            f"labkit: Runs without step times: {empty} of {len(runs)}; see in the report how each "
            "ended, and run its loop again.",
            err=True,
        )
    for each in passed_over:
        say(f"labkit: Not in the report: {each}", err=True)
    return 1 if empty or passed_over else 0


def _check_picture(picture: Path) -> None:
    if picture.suffix.lower() not in PICTURES:
        raise LabkitError(
            f"--picture {str(picture)!r} ends in neither of {' and '.join(PICTURES)}; give it one "
            "of these endings."
        )


def _drawn(diagnoses: Sequence[Diagnosis], ending: str) -> bytes:
    from labkit.show.charts.figure import draw_runs  # it brings matplotlib

    told = [each for each in diagnoses if len(each.run.steps) > 1]
    if not 1 <= len(told) <= MOST_RUNS:
        raise LabkitError(
            f"{len(told)} runs with two steps or more do not make one picture; give 1 to "
            f"{MOST_RUNS}."
        )
    runs = [each.run for each in told]
    drawn = draw_runs(
        runs, diagnoses=told, lanes=telling_lanes(runs), headline=Comparison(tuple(runs)).headline,
        colours=run_colours(runs),
    )  # fmt: skip
    return drawn.svg if ending == ".svg" else drawn.png
