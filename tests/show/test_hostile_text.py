"""Whatever a run is called and says: pictures are XML, pages can be written, and both stay small.

Tier: make test, in turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from labkit.diagnosis import judgement
from labkit.record import Diagnosis, Event, LabkitError
from labkit.record.memory_map import KIND, MemoryMap
from labkit.show.charts.figure import draw_runs, run_labels
from labkit.show.charts.picture import STYLE, rendered
from labkit.show.charts.pool import draw_memory_map
from labkit.show.form import Field, Told
from labkit.show.form_view import FormView
from labkit.show.live.panel import Panel
from labkit.show.report.report import report_html, view_html
from labkit.show.report.terminal import diagnosis_lines
from tests.show.hostile import (
    EVIL,
    LONG,
    OBEYED,
    assert_page,
    assert_svg,
    assert_text,
    diagnosis,
    run,
)
from tests.show.standin import StandInPlayer

pytestmark = pytest.mark.in_turn

hostile = pytest.mark.parametrize("said", [EVIL, LONG], ids=["evil", "long"])
FORMULAS = ("$x_{ $", "$\\frac{$", "a_b^c$$")


@hostile
def test_a_figure_of_any_title_is_xml_and_shows_its_characters(said: str) -> None:
    runs = [run(said), replace(run(f"{said}2"), cause="another")]
    drawn = draw_runs(runs, diagnoses=[judgement(each) for each in runs], lanes=["graph_ops"])
    words = assert_svg(drawn.svg)
    assert len(words) < 5_000 and len(drawn.svg) < 500_000
    assert (r"\x1b]8;;http://x\x07" in words) is (said == EVIL)
    assert_text(drawn.alt)
    assert_page(drawn.as_html())


def test_a_formula_and_a_name_of_any_beginning_are_drawn_letter_by_letter() -> None:
    names = (*FORMULAS, "_hidden", "")
    runs = [run(name, cause=f"cause {place}") for place, name in enumerate(names)]
    drawn = draw_runs(runs)
    words = assert_svg(drawn.svg)
    assert all(each in words for each in (*FORMULAS, "_hidden"))


def test_no_word_of_any_drawing_makes_a_picture_that_is_no_xml() -> None:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(2, 2))
        figure.subplots().set_xlabel(EVIL)
        figure.suptitle("a title")
        drawn = rendered(figure, EVIL)
    assert r"\x1b]8;;http://x\x07" in assert_svg(drawn.svg) and "a title" in assert_svg(drawn.svg)
    assert_text(drawn.alt)


def test_a_usual_title_and_usual_labels_are_drawn_as_they_are() -> None:
    usual = "My loop, café No. 5 (a_b, $5)"
    runs = [replace(run(each), cause=each) for each in (usual, "another loop")]
    assert run_labels(runs) == (usual, "another loop")
    drawn = draw_runs(runs)
    assert usual in assert_svg(drawn.svg) and usual in drawn.alt


def test_a_memory_map_of_any_title_is_xml() -> None:
    pool = MemoryMap.of_blocks([[(1024, True), (2048, False)]])
    drawn = draw_memory_map(Event(3, KIND, "a map", pool.detail()), EVIL + LONG)
    assert len(assert_svg(drawn.svg)) < 2_000
    assert_text(drawn.alt)


@hostile
def test_a_report_of_any_runs_is_a_page(said: str) -> None:
    one = judgement(run(said))
    assert_page(report_html([one], ("graph_ops",)))
    assert_page(report_html([one, one]))


@hostile
def test_a_diagnosis_of_any_run_is_a_page_and_text(said: str) -> None:
    assert_page(report_html([diagnosis(said)]))
    assert_page(view_html(diagnosis(said)))
    lines = diagnosis_lines(diagnosis("proved", run(said)))
    assert len("\n".join(lines)) < 20_000


class Answered:
    """A form that says the same everywhere."""

    button = ""

    def __init__(self, said: str) -> None:
        self.title = self.said = self._said = said
        self.fields = (Field(said, (said, "other"), said),)

    def answer(self, field: int, value: object, sure: int | None) -> None:
        raise LabkitError(self._said)

    def told(self, field: int) -> Told:
        return Told(self._said, self._said)


def assert_sent(message: object) -> None:
    said = json.dumps(message, ensure_ascii=False)
    assert said.encode() and len(said) < 60_000 and not OBEYED.search(said)


@hostile
def test_a_form_sends_what_the_browser_can_take(said: str) -> None:
    form = FormView(Answered(said))
    sent: list[object] = []
    form.send = lambda content, buffers=None: sent.append(content)
    form._on_message(None, {"t": "answer", "id": "a:1", "answers": [{"field": 0}]}, [])
    assert_sent([*sent, form._facts])
    assert_text(form._repr_mimebundle_()[0]["text/plain"])


class Loud(StandInPlayer):
    """A player whose run and judgement say the same everywhere."""

    def __init__(self, said: str) -> None:
        super().__init__(said, toggles=())
        self.place = self.banner = ""
        self._said = said

    def begin(self) -> None:
        self.lanes = ("graph_ops",)
        self.start({})
        assert self.current is not None
        self.current.name = self._said[:500]
        self.current.toggles = {"grow": True, "build_once": False}
        self.current.advance(50)
        made = run(self._said)
        self.current.state, self.current.events = made.state, made.events
        self.current.columns = made.columns[:3]

    def judge(self, source: object) -> Diagnosis:
        return diagnosis(self._said)


@hostile
def test_a_panel_sends_what_the_browser_can_take_and_each_step_once(said: str) -> None:
    player = Loud(said)
    panel = Panel(player, clock=time.monotonic)
    sent: list[dict[str, object]] = []
    panel.send = lambda content, buffers=None: sent.append(content)
    player.begin()
    panel._on_message(None, {"t": "table", "id": "a:1"}, [])
    (answer,) = sent
    assert "error" not in answer
    assert_sent([answer, panel._facts])
    run_name, part = answer["runs"][0]["name"], answer["part"]  # type: ignore[index]
    panel._on_message(None, {"t": "pull", "run": run_name, "since": part["next"]}, [])  # type: ignore[index]
    assert sent[-1]["part"]["since"] == 50  # type: ignore[index]
    bundle = panel._repr_mimebundle_()[0]
    assert_page(bundle["text/html"])
    assert_text(bundle["text/plain"])


def test_a_matplotlibrc_in_the_current_folder_changes_no_picture(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text(
        "text.usetex: True\ntext.latex.preamble: \\usepackage{evil}\nlines.linewidth: 50\n"
    )
    program = (
        "import hashlib, sys\n"
        "from labkit.record import Run, State, Steps\n"
        "from labkit.show.charts.figure import draw_runs\n"
        "steps = Steps({'start_seconds': range(50), 'seconds': [1.0] * 50})\n"
        "run = Run('mine', 'Mine', State('done'), (), steps)\n"
        "print(hashlib.sha256(draw_runs([run]).png).hexdigest())\n"
    )
    drawn = []
    for folder in (tmp_path, tmp_path.parent):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        drawn.append(done.stdout)
    assert drawn[0] == drawn[1]
