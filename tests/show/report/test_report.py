"""The report and the notebook's view: whole, quiet where nothing is, small, and never markup from
data.

Tier: make test.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from urllib.parse import unquote

import numpy as np
import pytest

from labkit.lab.seconds_file import read_seconds
from labkit.record import Diagnosis, Event, Ledger, Memory, State, Verdict
from labkit.record.loop import SourceLoop
from labkit.record.proof import OutOfMemory
from labkit.show.report import finding_sections
from labkit.show.report.cause_words import CAUSE_WORDS
from labkit.show.report.diagnosis_words import HEALTHY
from labkit.show.report.fixes import FIXES, fix_code
from labkit.show.report.report import report_html, view_html
from labkit.show.verdict.verdict_words import verdict_words
from tests.made_diagnosis import made_diagnosis
from tests.show import told
from tests.show.markup_tree import Node, read

EVIL = (
    "<script>alert(1)</script><img src=x onerror='alert(2)'>\"&amp;</style></pre>"
    "\x1b[31m\udcff\u202e"
)
NOTHING = made_diagnosis(
    Verdict("too_short", None, None, None, "few_steps"), Memory("flat", 0.0), Ledger()
)


def page_html(diagnosis: Diagnosis) -> str:
    return report_html([diagnosis])


def page(diagnosis: Diagnosis, *arguments: object, **changes: object) -> Node:
    run = told.run(*arguments, **changes)
    return read(report_html([told.looked_at(replace(diagnosis, run=run, judged=run))]))


def headings(root: Node) -> list[str]:
    return [each.text for each in root.every() if re.fullmatch("h[1-6]", each.tag)]


def rows(table: Node) -> list[list[str]]:
    return [[cell.text for cell in row.children] for row in table.every("tr")]


def test_the_report_holds_everything_that_is_known() -> None:
    root = page(told.ill())
    assert headings(root) == [
        "loop.py", "Why, and what to change",
        "Graph growth makes the steps longer 94 % of the growth", "Kept objects keeps memory",
        "Where it went", "What is kept", "What was recorded", "What happened", "Step times",
    ]  # fmt: skip
    for part in (
        "614 steps, 600 of them judged - CPU - TensorFlow 2.21.0 - 2 cores",
        verdict_words(told.GREW), "memory: leaking",
        "Ops in the graph: +2.5 per step.", "notebooks/01_graph_growth.ipynb", "loop.py:12 step",
        "600, and 14 more that were looked at closely and left out", "Keras", "3.13.0",
        "A Processor", "garbage collection, generation 2: 520 ms", "steps at most",
    ):  # fmt: skip
        assert part in root.text, part


def test_a_fix_is_shown_as_code_letter_by_letter() -> None:
    blocks = ["".join(block.parts) for block in page(told.ill()).every("pre")]
    assert blocks == [FIXES[told.GRAPH.fix], fix_code(told.KEPT)]


def test_comments_are_set_back_but_no_hash_within_quotes() -> None:
    code = finding_sections._code('name = "x  # y"\nrun()   # once')
    assert [each.text for each in read(f"<p>{code}</p>").of_class("lk-comment")] == ["# once"]


def test_the_ledger_is_a_table_that_adds_up() -> None:
    (table,) = [each for each in page(told.ill()).every("table") if "session run" in each.text]
    heading, *body = rows(table)
    assert heading == ["operation", "ms longer", "95 % CI, ms", "share"]
    assert [row[0] for row in body] == [
        "session extension", "session run", "2 other timed operations", "unexplained",
    ]  # fmt: skip
    assert body[0][1:3] == ["6.00", "5.50 to 6.50"]
    assert sum(int(row[3].removesuffix(" %")) for row in body) == 101  # 71 + 24 + 1 + 5, rounded


def test_what_is_kept_is_told_with_its_figures() -> None:
    # Those of the proof.
    (table,) = [each for each in page(told.ill()).every("table") if "losses" in each.text]
    assert rows(table)[1:] == [
        ["ops in the graph", "18 ops", "1,516 ops", "+2.5 ops"],
        ["losses", "3", "583", "+1"],
        ["memory on the heap", "10.1 MB", "21.7 MB", "+20.0 kB"],
    ]


def test_without_intervals_the_ledger_has_no_column_for_them() -> None:
    (table,) = [
        each for each in page(told.unexplained()).every("table") if "session run" in each.text
    ]
    assert rows(table) == [
        ["operation", "ms longer", "share"], ["session run", "1.00", "12 %"],
        ["unexplained", "7.50", "88 %"],
    ]  # fmt: skip


def test_a_few_events_are_listed_and_many_are_counted() -> None:
    few = page(told.ill(), events=(Event(7, "gc", "a pause"), Event(9, "trace", "traced f")))
    assert "step 7: a pause" in few.text and "last step" not in few.text
    many = page(told.ill(), events=tuple(Event(at, "gc", "a pause") for at in range(90)))
    assert "90 events:" in many.text and "the first 40 of them" in many.text
    assert many.text.count("a pause") == 40


def test_every_table_can_be_heard() -> None:
    tables = page(told.ill()).every("table")
    assert len(tables) == 5
    for table in tables:
        assert table.children[0].tag == "caption" and table.children[0].text
        heading, *body = table.every("tr")
        assert all(cell.attributes.get("scope") == "col" for cell in heading.children)
        for row in body:
            assert row.children[0].attributes.get("scope") == "row"
            assert len(row.children) == len(heading.children)


def test_the_chart_has_a_text_for_those_who_do_not_see_it() -> None:
    (chart,) = page(told.ill()).every("svg")
    assert chart.attributes["role"] == "img"
    alt = chart.attributes["aria-label"]
    assert alt.startswith("Iteration-time curve of loop.py, 600 steps: slowdown: from 5.0 to 13.5")
    assert "session extension 71 %" in alt and "ops in the graph: 18 to 1,516 ops" in alt


def test_headings_leave_no_level_out() -> None:
    for text, first in ((page_html, 1), (view_html, 3)):
        root = read(text(told.ill()))
        levels = [int(each.tag[1]) for each in root.every() if re.fullmatch("h[1-6]", each.tag)]
        assert levels[0] == first
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_healthy_loop_says_so_and_names_no_cause() -> None:
    for text in (page_html, view_html):
        root = read(text(told.healthy()))
        assert root.text.count(HEALTHY) == 1
        assert not any(words.title in root.text for words in CAUSE_WORDS.values())
        assert "fix" not in root.text.lower()
        assert not root.of_class("lk-finding")


def test_what_has_nothing_to_say_has_no_section() -> None:
    root = read(report_html([told.healthy()]))
    assert headings(root) == ["loop.py", "What was recorded", "Step times"]
    for each in root.every():
        drawn = each.tag in ("meta", "path", "polygon", "polyline", "rect")
        assert drawn or each.text or each.children, each


def test_a_run_without_a_step_is_a_page_all_the_same() -> None:
    state = State("failed", "make_step() raised ValueError.", "Traceback\n  ValueError")
    root = page(NOTHING, 0, state=state, log="the last words")
    assert headings(root) == ["loop.py", "What was recorded"]
    assert "make_step() raised ValueError" in root.text and "the last words" in root.text
    assert "too short" not in root.text and "memory" not in root.text
    assert not root.of_class("lk-verdict")
    assert not root.every("svg") and not root.every("table")


@pytest.mark.parametrize("steps", [1, 2, 3, 8])
def test_few_steps_are_drawn_without_a_fault(steps: int) -> None:
    root = page(NOTHING, steps)
    assert len(root.every("svg")) == (steps > 1)
    drawn = [each.attributes.get(name, "") for each in root.every() for name in ("d", "points")]
    assert not any("nan" in path or "inf" in path for path in drawn)


def test_no_cause_found_says_what_would_tell() -> None:
    root = page(told.unexplained())
    assert "Why" in headings(root) and "Why, and what to change" not in headings(root)
    (hints,) = [each for each in root.every("ul") if "run it longer" in each.text]
    assert "88 % of the growth is outside the instrumented code" in hints.text


def test_output_of_the_loop_is_shown_only_where_it_failed() -> None:
    assert "secret words" not in page(told.ill(), log="secret words").text
    assert "secret words" in page(told.ill(), log="secret words", state=State("failed", "It")).text


def evil_diagnosis() -> Diagnosis:
    ill = told.ill()
    run = told.run(
        title=EVIL, state=State("failed", EVIL, EVIL), log=EVIL,
        events=(Event(5, EVIL, EVIL, {}), Event(9, "toggle", EVIL, {"name": "a", "value": True})),
        settings={EVIL: EVIL}, environment={**told.ENVIRONMENT, "processor": EVIL, EVIL: EVIL,
                                            "not_measured": EVIL, "gpu": EVIL},
        evidence={f"kept/{EVIL}": ((1, 1.0), (599, 9.0))},
    )  # fmt: skip
    rows = tuple(replace(row, place=row.place + EVIL) for row in ill.ledger.rows)
    finding = replace(told.GRAPH, cause=EVIL, proof=OutOfMemory(EVIL), fix=EVIL)
    return told.looked_at(made_diagnosis(
        told.GREW, Memory("leaking", 1.0, (EVIL, f"kept/{EVIL}")), Ledger(0.0085, rows),
        (finding,), run, slower_lines=((EVIL, 0.1),),
    ))  # fmt: skip


@pytest.mark.parametrize("text", [page_html, view_html])
def test_nothing_a_reader_named_becomes_markup(text: object) -> None:
    made = text(evil_diagnosis())  # type: ignore[operator]
    root = read(made)
    tags = {each.tag for each in root.every()}
    assert not tags & {"script", "img", "iframe", "object", "link"}
    assert not any(name.startswith("on") for each in root.every() for name in each.attributes)
    assert root.text.count("alert(1)") >= 10, "it is shown, as words"
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", made)
    made.encode()
    assert len(root.every("style")) == 1


@pytest.mark.parametrize("runs", [1, 2])
def test_the_file_needs_nothing_from_outside_and_runs_nothing(runs: int) -> None:
    text = report_html([told.ill()] * runs)
    root = read(text)
    assert text.startswith('<!doctype html>\n<html lang="en"')
    assert "default-src &#x27;none&#x27;" in text
    for each in root.every():
        assert each.tag not in ("script", "link", "img", "iframe")
        for name in ("src", "href"):
            assert each.attributes.get(name, "data:text/csv").startswith("data:text/csv")
    assert "url(" not in text and "@import" not in text and "http:" not in text


@pytest.mark.parametrize("steps", [600, 20_000])
def test_the_step_times_can_be_taken_away_and_judged_again(steps: int) -> None:
    (link,) = page(told.ill(), steps).every("a")
    assert link.attributes["download"] == "step_times.csv"
    seconds = read_seconds(unquote(link.attributes["href"].partition(",")[2]), "step_times.csv")
    wanted = np.asarray(told.run(steps).steps.seconds)
    width = -(-steps // len(seconds))
    assert len(seconds) == -(-steps // width) and (width == 1) == (steps == 600)
    assert seconds[1] == pytest.approx(wanted[width : 2 * width].mean(), rel=1e-3)
    assert np.sum(seconds[:-1]) * width == pytest.approx(
        wanted[: width * (len(seconds) - 1)].sum(), rel=1e-3
    )


def test_a_hundred_thousand_steps_make_a_small_file() -> None:
    events = tuple(
        Event(
            step, kind, "something happened, at some length, in the reader's loop", {"seconds": 1}
        )
        for kind in ("gc", "trace", "checkpoint", "stall", "compile")
        for step in range(0, 100_000, 100)
    )
    grows = tuple(f"state['{number}']" for number in range(300))
    evidence = {f"kept/{name}": tuple((at, float(at)) for at in range(100, 90_000, 100))
                for name in grows}  # fmt: skip
    diagnosis = replace(told.ill(), memory=Memory("leaking", 1.0, grows))
    run = told.run(100_000, events=events, evidence=evidence, log="x" * 100_000,
                   state=State("failed", "It raised.", "line\n" * 20_000))  # fmt: skip
    size = len(report_html([replace(diagnosis, run=run, judged=run)]).encode())
    assert 60_000 < size < 300_000


def test_the_colours_are_those_of_the_panel() -> None:
    folder = resources.files("labkit.show")
    panel = folder.joinpath("panel.css").read_text("utf-8")
    light, dark = (dict(re.findall(r"--lk-([\w-]+):.*?(#[0-9a-f]{6})", block))
                   for block in panel.split(".labkit-panel *")[0].split("[data-theme"))  # fmt: skip
    ours = re.findall(
        r"--lk-([\w-]+):.*?light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)",
        folder.joinpath("report.css").read_text("utf-8"),
    )
    assert len(ours) >= 13
    assert ours == [(name, light[name], dark[name]) for name, _, _ in ours]


def test_the_machine_is_told_of_once() -> None:
    verdict = replace(told.GREW, contended_share=0.4)
    root = page(replace(told.ill(), verdicts=(verdict,)))
    assert root.of_class("lk-machine")[0].text.startswith("machine: other programs took")
    assert "(corrected for)" not in root.text
    assert "dashed" not in root.every("figcaption")[0].text, "the fit is of other times"
    assert not page(told.ill()).of_class("lk-machine")


def test_the_loops_of_a_script_are_called_by_their_lines_and_not_laid_over_each_other() -> None:
    loops = [
        replace(told.ill(), loop=SourceLoop("for", "/home/me/loop.py", line, code, line), entries=3)
        for line, code in ((61, "for batch in data:"), (72, "for batch in rest:"))
    ]
    root = read(report_html(loops))
    names = headings(root)
    assert names[0] == "loop.py" and {"Loop at loop.py:61", "Loop at loop.py:72"} <= set(names)
    assert "a step is one turn of for batch in data: loop.py:61, begun 3 times" in root.text
    assert "The loops at a glance" in root.text
    before_and_after = read(report_html([loops[0], loops[0]]))
    assert headings(before_and_after)[0] == "2 runs"
