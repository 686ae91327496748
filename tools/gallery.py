"""The gallery: all recordings that come with labkit, on one page that needs nothing else.

    python -m tools.gallery [FILE]

FILE is docs/gallery.html unless told otherwise. `make gallery` does the same. Each lab has its
recordings, and buttons that choose between them; everything the page says of a recording is what
labkit says of that run anywhere else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from labkit.cause import Toggle
from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.replay.recorded_runs import RecordedRuns, made_where
from labkit.lab.replay.recordings import shipped
from labkit.record import Diagnosis, Run
from labkit.record.saving.whole_file import write_whole
from labkit.show import words
from labkit.show.charts.figure import run_labels
from labkit.show.charts.fits import fits
from labkit.show.charts.series import find_series
from labkit.show.charts.step_chart import step_chart
from labkit.show.inside.of_cause import inside_of, picture_of
from labkit.show.markup import Markup, element
from labkit.show.page import page
from labkit.show.report.finding_sections import parts_picture
from labkit.show.report.headline import glance
from labkit.show.report.terminal import evidence_lines
from labkit.show.thinning import read_curve
from labkit.show.verdict.glance import tone
from labkit.show.verdict.machine import machine

HERE = Path(__file__).parent
GALLERY = HERE.parent / "docs" / "gallery.html"
TAGS = {"fix": "fix", "control": "for comparison"}
MOODS = {
    "slower": "alarming", "spikes": "alarming", "faster": "fine", "even": "fine", "open": "open",
}  # fmt: skip
MOST_LANES = 2
MOST_POINTS = 240  # a page of a hundred charts stays small
CAPTION = (
    "Each line is a recording; thick: typical steps. All of a lab have one scale. "
    "The very first step is not drawn."
)
TITLE = "labkit: recorded runs of every lab"
INTRODUCTION = (
    "Training loops that get slower, each with its cause switched on and off, and with its repair. "
    "All of these are real runs; each says where and when it was made. Nothing runs here now."
)


def gallery(labs: Sequence[Sequence[Run]]) -> str:
    """Return the text of the page.

    Args:
        labs: The recordings of each lab, the first of each with the toggles at their defaults.
    """
    return page(
        TITLE,
        element("h1", TITLE, class_="lk-title"),
        element("p", INTRODUCTION),
        _contents(labs),
        *(_lab(runs) for runs in labs),
        style=(HERE / "gallery.css").read_text("utf-8"),
        script=(HERE / "gallery.js").read_text("utf-8"),
    )


def _contents(labs: Sequence[Sequence[Run]]) -> Markup:
    links = (element("li", element("a", runs[0].title, href=f"#{runs[0].cause}")) for runs in labs)
    return element("nav", element("ul", *links), aria_label="The labs", class_="labs")


def _lab(runs: Sequence[Run]) -> Markup:
    cause = load(runs[0].cause)
    recorded = RecordedRuns(runs)
    where = element("code", f"notebooks/{cause.notebook}")
    return element(
        "section",
        element("h2", cause.title),
        element("p", cause.summary, " The lab is ", where, "."),
        _buttons(recorded.toggles),
        element("button", "Play in 5 s", type="button", class_="play", hidden=""),
        element("p", role="status", class_="told"),
        *(_recording(run, recorded) for run in recorded.runs),
        id=cause.slug, class_="lab",
    )  # fmt: skip


def _buttons(toggles: Sequence[Toggle]) -> Markup:
    """Return a group of buttons for each toggle; a page without its script does not show them."""
    groups = [
        element(
            "fieldset",
            element("legend", f"{toggle.title}{_tag(toggle)}"),
            *(_button(toggle, word) for word in toggle.choices),
        )
        for toggle in toggles
    ]
    return element("div", *groups, class_="choices", hidden="")


def _tag(toggle: Toggle) -> str:
    return f" ({TAGS[toggle.role]})" if toggle.role in TAGS else ""


def _button(toggle: Toggle, word: str) -> Markup:
    return element("button", word, type="button", data_name=toggle.name, data_word=word,
                   aria_pressed="false")  # fmt: skip


def _recording(run: Run, recorded: RecordedRuns) -> Markup:
    stand = {toggle.name: toggle.word(run.toggles[toggle.name]) for toggle in recorded.toggles}
    judged, called = judgement(run), _called(run, recorded, stand)
    ended = "" if run.state.completed else words.state(run.state, len(run.steps))
    lines = [glance(judged), *words.judgement(judged), machine([judged])]
    said = (element("p", line) for line in lines if line)
    inside = inside_of(recorded.cause.mechanism, run)
    rest = [words.judged_ledger(judged, run.columns), *_evidence(judged)]
    return element(
        "article",
        element("h3", called),
        element("p", ended, class_="lk-error") if ended else Markup(),
        element("div", *said, class_=f"lk-verdict lk-{MOODS[tone(judged.verdict)]}"),
        element("figure", _chart(run, judged, recorded), element("figcaption", CAPTION)),
        picture_of(inside),
        parts_picture(judged),
        element("ul", *(element("li", line) for line in rest if line)),
        element("p", f"Recorded: {made_where(run)}.", class_="made"),
        data_toggles=json.dumps(stand, sort_keys=True), class_="recording",
    )  # fmt: skip


def _evidence(judged: Diagnosis) -> list[str]:
    """Return the lines on the counters, as the terminal has them."""
    counters = {column.title for column in judged.run.columns if column.kind == "counter"}
    return [line for line in evidence_lines(judged.run) if line.partition(":")[0] in counters]


def _called(run: Run, recorded: RecordedRuns, stand: Mapping[str, str]) -> str:
    """Return what differs from the defaults; of the defaults how the main toggle stands."""
    declared = recorded.cause.toggles
    first = recorded.runs[0].toggles
    changed = [name for name, value in run.toggles.items() if value != first[name]]
    only = changed or [declared[0].name]
    said = words.toggle_values(run.toggles, only=only) if declared else run.title
    return said if changed or not stand else f"{said}, the others at their defaults"


def _chart(run: Run, judged: Diagnosis, recorded: RecordedRuns) -> Markup:
    """Draw a recording over that at the defaults, in the scale of all recordings of its lab."""
    first = recorded.runs[0]
    drawn = [judged] if run is first else [judged, judgement(first)]
    return step_chart(
        [read_curve(each.run, MOST_POINTS) for each in drawn],
        words.run_alt_text(run, judged, recorded.cause.lanes),
        fits=[fits(each) for each in drawn],
        names=run_labels([each.run for each in drawn]),
        beside=[read_curve(each, MOST_POINTS) for each in recorded.runs],
        counters=find_series(run, recorded.cause.lanes)[:MOST_LANES],
        events=run.events,
    )


def main() -> None:
    """Write the page and say how large it is."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else GALLERY
    text = gallery([shipped(slug) for slug in SLUGS])
    write_whole(target, text.encode(), "The gallery")
    print(f"{target}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
