"""The kernel's side of the panel: every message is answered, cheaply, with all a view needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import labkit
from labkit.cause import Toggle
from labkit.record import State
from labkit.show.live.panel import Panel
from tests.show.standin import TOGGLES, TOLD, BusyPlayer, StandInPlayer, StandInRun


class View:
    """Sends what a browser would and keeps the last answer."""

    def __init__(self, player: StandInPlayer) -> None:
        self.player = player
        self.panel = Panel(player, clock=lambda: 0.0)
        self.panel.send = self._hear  # type: ignore[method-assign]
        self.values = np.empty(0, dtype=np.float32)
        self.answers = 0

    def _hear(self, content: dict[str, Any], buffers: Any = ()) -> None:
        self.answers += 1
        self.last = content
        parts = [np.frombuffer(bytes(buffer), dtype=np.float32) for buffer in buffers or ()]
        self.values = np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)

    def ask(self, kind: str = "pull", **fields: Any) -> dict[str, Any]:
        before = self.answers
        self.panel._handle_custom_msg({"t": kind, "id": f"me:{before}", "max": 2000, **fields}, [])
        assert self.answers == before + 1, "every message has exactly one answer"
        assert self.last["id"] == f"me:{before}"
        return self.last

    @property
    def run(self) -> StandInRun:
        assert self.player.current is not None
        return self.player.current


@pytest.fixture
def view() -> View:
    return View(StandInPlayer())


def test_before_the_first_run_the_answer_has_no_steps(view: View) -> None:
    answer = view.ask()
    assert answer["runs"] == []
    assert answer["values"]["grow"] == "on"
    assert "part" not in answer


def test_start_and_stop_answer_with_the_new_state(view: View) -> None:
    assert view.ask("start")["state"]["name"] == "running"
    view.run.advance(3)
    assert view.ask("stop")["state"] == {
        "name": "stopped", "ended": True, "paused": False, "words": "stopped after 3 steps",
        "traceback": "",
    }  # fmt: skip


def test_a_flip_after_the_end_says_that_it_waits_for_the_next_run(view: View) -> None:
    assert "said" not in view.ask("set", name="grow", value="off")
    view.ask("start")
    assert "said" not in view.ask("set", name="grow", value="on")
    view.ask("stop")
    assert "press Run" in view.ask("set", name="grow", value="off")["said"]


def test_only_what_is_new_is_sent(view: View) -> None:
    view.ask("start")
    view.run.advance(50)
    first = view.ask(run=None)["part"]
    view.run.advance(5)
    second = view.ask(run="run-1", since=first["next"])["part"]
    assert (first["since"], first["next"]) == (0, 50)
    assert (second["since"], second["next"]) == (50, 55)
    assert len(view.values) == 5 * len(second["series"])
    np.testing.assert_allclose(view.values[:5], view.run.read("seconds", 50, 55), rtol=1e-6)


def test_the_ten_thousandth_step_costs_no_more_than_the_fiftieth(view: View) -> None:
    view.ask("start")
    sent, read = [], []
    for size in (50, 10_000):
        view.run.advance(size - view.run.count)
        before = view.ask(run="run-1", since=view.run.count)["part"]["next"]
        view.run.advance(8)
        view.run.values_read = 0
        view.ask(run="run-1", since=before)
        sent.append(len(view.values))
        read.append(view.run.values_read)
    assert sent[0] == sent[1]
    assert read[0] == read[1]


def test_a_fresh_view_gets_the_whole_history_thinned(view: View) -> None:
    view.ask("start")
    view.run.advance(20_000)
    part = view.ask(run=None, since=0)["part"]
    assert part["next"] == 20_000
    assert len(view.values) <= 3 * 2_002 * len(part["series"])


def test_a_view_that_knows_another_run_starts_the_new_one_from_its_beginning(view: View) -> None:
    view.ask("start")
    view.run.advance(20)
    part = view.ask(run="gone-7", since=500, marks=3)["part"]
    assert (part["run"], part["since"], part["marks_since"]) == ("run-1", 0, 0)


def test_earlier_runs_are_offered_as_ghosts_and_can_be_pulled(view: View) -> None:
    for _ in range(6):
        view.ask("start")
        view.run.advance(30)
    runs = view.ask()["runs"]
    assert [run["name"] for run in runs] == ["run-6", "run-5", "run-4", "run-3"]
    ghost = view.ask(run="run-4", since=0)["part"]
    assert (ghost["run"], ghost["next"]) == ("run-4", 30)
    assert ghost["series"] == ("seconds", "start_seconds")


def test_a_ghost_is_labelled_with_the_toggles_that_differ(view: View) -> None:
    view.ask("start")
    view.ask("stop")
    view.ask("set", name="grow", value="off")
    answer = view.ask("start")
    assert [run["label"] for run in answer["runs"]] == ["", "grow on"]


def test_marks_are_sent_once(view: View) -> None:
    view.ask("start")
    view.run.advance(10)
    marks = view.ask("set", run="run-1", since=10, name="grow", value="off")["part"]["marks"]
    assert marks == [{"step": 10, "kind": "toggle", "text": "grow off"}]
    assert view.ask(run="run-1", since=10, marks=1)["part"]["marks"] == []


def test_lanes_are_those_the_run_records_and_the_garbage_collector(view: View) -> None:
    view.ask("start")
    view.run.advance(10)
    lanes = [lane["name"] for lane in view.ask()["part"]["lanes"]]
    assert lanes == ["graph_ops", "resident_bytes", "garbage_collection_seconds"]


def test_a_run_that_has_not_said_what_it_records_is_still_answered(view: View) -> None:
    view.ask("start")
    view.run.columns = ()
    part = view.ask()["part"]
    assert (part["next"], part["series"]) == (0, ())


def test_a_refusal_is_one_sentence_and_loses_nothing(view: View) -> None:
    view.ask("start")
    view.run.advance(10)
    view.player.refusal = "The disk is full; free 3 MB."
    answer = view.ask("save", run="run-1", since=4)
    assert answer["error"] == "The disk is full; free 3 MB."
    assert answer["part"]["next"] == 10


def test_a_fault_inside_is_answered_too(view: View) -> None:
    def broken() -> None:
        raise RuntimeError("boom")

    view.player.stop = broken  # type: ignore[method-assign]
    assert "RuntimeError: boom" in view.ask("stop")["error"]


def test_a_fault_in_the_answer_itself_still_answers(view: View) -> None:
    view.ask("start")
    view.run.read = None  # type: ignore[assignment,method-assign]
    view.run.advance(10)
    assert "went wrong inside labkit" in view.ask()["error"]


@pytest.mark.parametrize("message", [None, "pull", 3, []])
def test_what_is_no_message_is_left_alone(view: View, message: object) -> None:
    view.panel._handle_custom_msg(message, [])
    assert view.answers == 0


@pytest.mark.parametrize("since", [-5, None, "x", 2.0, 10**9])
def test_a_strange_cursor_is_survived(view: View, since: object) -> None:
    view.ask("start")
    view.run.advance(10)
    assert view.ask(run="run-1", since=since)["part"]["next"] == 10


def test_the_table_has_at_most_twenty_rows_and_a_heading(view: View) -> None:
    view.ask("start")
    view.run.advance(1_003)
    table = view.ask("table")["table"]
    assert len(table) == 21
    assert table[0][:3] == ("steps", "median per step", "slowest step")
    assert table[-1][0] == "952-1,002"


def test_saving_says_where(view: View) -> None:
    view.ask("start")
    assert view.ask("save")["said"] == "saved as /somewhere/run-1.jsonl"


def test_a_traceback_comes_with_its_reason(view: View) -> None:
    view.ask("start")
    view.run.state = State(
        "failed", "The loop raised ValueError: no", "Traceback ...\nValueError: no"
    )
    state = view.ask()["state"]
    assert "the loop raised ValueError" in state["words"]
    assert state["traceback"].endswith("ValueError: no")


def test_a_stored_notebook_shows_the_verdict_in_words_and_escapes_them() -> None:
    view = View(StandInPlayer(title="<b>Graph</b> & growth"))
    view.ask("start")
    view.run.advance(300)
    view.run.happen("toggle", "<script>", name="grow", value=False)
    view.run.state = State("done")
    stored = view.panel._repr_mimebundle_()[0]
    assert "slowdown: from" in stored["text/html"]
    assert "&lt;b&gt;Graph" in stored["text/html"]
    assert "<b>" not in stored["text/html"]
    assert "<script>" not in stored["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in stored


def test_what_a_busy_machine_did_is_told_once_beside_the_verdicts() -> None:
    view = View(BusyPlayer())
    view.ask("start")
    view.run.advance(100)
    view.ask("set", name="grow", value="off")
    view.run.advance(100)
    view.run.state = State("done")
    said = view.ask()["words"]
    assert len(said["verdict"]) == 2 and not any("programs" in line for line in said["verdict"])
    assert said["machine"].startswith(f"{TOLD}; times are corrected for this")
    assert said["alt"].count("programs") == 1
    stored = view.panel._static_html()
    assert stored.rpartition("</svg>")[2].count("programs") == 1


def test_where_a_run_failed_is_marked_once_behind_all_that_happened(view: View) -> None:
    view.ask("start")
    view.run.advance(40)
    view.ask("set", name="grow", value="off")
    view.run.advance(20)
    before = view.ask()["part"]["marks"]
    view.run.state = State("failed", "The loop raised ValueError: no", "ValueError: no")
    name = view.last["part"]["run"]
    (mark,) = view.ask(run=name, marks=len(before))["part"]["marks"]
    assert (mark["step"], mark["kind"]) == (59, "failed") and "failed" not in str(before)
    assert view.ask(run=name, marks=len(before) + 1)["part"]["marks"] == []


def test_a_stored_notebook_without_a_run_says_so(view: View) -> None:
    assert "run this cell" in view.panel._repr_mimebundle_()[0]["text/html"]


def test_the_browser_side_is_small_and_self_contained(view: View) -> None:
    code = view.panel._esm + view.panel._css
    assert len(code.encode()) <= 60_000
    assert "http" not in code
    assert "import " not in view.panel._esm


def test_no_script_has_a_template_within_a_template() -> None:
    """rjsmin takes the inner one's beginning for the outer one's end: spaces of words get lost."""
    for script in (Path(labkit.__file__).parent / "show").glob("*.js"):
        assert not re.findall(r"\$\{[^}`]*`", script.read_text("utf-8")), script.name


def test_showing_a_panel_starts_no_run(view: View) -> None:
    view.panel._repr_mimebundle_()
    view.ask()
    assert view.player.asked == []


@pytest.mark.parametrize(
    ("said", "toggles"), [("same toggles", TOGGLES), ("", ())], ids=["a lab", "a loop of one's own"]
)
def test_a_run_before_is_told_by_its_toggles_where_there_are_any(
    said: str, toggles: tuple[Toggle, ...]
) -> None:
    view = View(StandInPlayer(toggles=toggles))
    for _ in range(2):
        view.ask("start")
    assert [run["label"] for run in view.ask()["runs"]] == ["", said]
