"""The browser's side of the panel in a real Chromium, with the real kernel side behind it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Browser

from labkit.measure.clock.events import MOST_OF_A_KIND
from labkit.record import State
from labkit.show.thinning import bucket_width, read_curve
from tests.show.page import WRITTEN, Shown, opened
from tests.show.standin import TOLD, BusyPlayer, StandInPlayer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]
GONE_MS = 7_500


def pixels_of(it: Shown, colour: str) -> int:
    """Count the canvas's pixels that are close to one of the panel's colours."""
    return int(
        it.page.evaluate(
            """(name) => {
              const canvas = root.querySelector("canvas");
              const probe = document.createElement("span");
              probe.style.color = getComputedStyle(root).getPropertyValue(`--lk-${name}`);
              root.append(probe);
              const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
              probe.remove();
              const { width, height } = canvas;
              const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
              const near = (i) => wanted.every((v, k) => Math.abs(v - data[i + k]) < 12);
              let n = 0;
              for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] > 200 && near(i)) n++;
              }
              return n;
            }""",
            colour,
        )
    )


def test_the_curve_on_the_screen_is_the_run(it: Shown) -> None:
    it.start(60)
    points = it.read("curve()")
    np.testing.assert_allclose(
        [point["mean"] for point in points], it.run.read("seconds", 1, 60), rtol=1e-5
    )
    assert points[0]["step"] == 1, "the first step is TensorFlow's start-up"
    assert pixels_of(it, "curve") > 100, "what the line of typical steps leaves free"
    assert pixels_of(it, "lane") > 100
    assert it.text(".lk-state") == "running"
    assert it.text(".lk-count") == "step 60"


def test_of_a_step_that_takes_long_it_is_told_for_how_long(it: Shown) -> None:
    """Seen: ten seconds without a word, in which TensorFlow waited for memory."""
    count = "root.querySelector('.lk-count').innerText"
    it.start(60)
    it.page.wait_for_timeout(1_500)
    assert it.text(".lk-count") == "step 60", "a moment's silence is no news"
    it.page.wait_for_function(f"/^step 60, and the next has taken [34] s so far$/.test({count})")
    it.run.advance(1)
    it.page.wait_for_function(f"{count} === 'step 61'")
    it.page.click(".lk-pause")
    it.page.wait_for_timeout(2_500)
    assert it.text(".lk-count") == "step 61", "the loop waits, and no step goes on"


def test_an_earlier_run_stays_as_a_line_with_its_name_at_its_end(it: Shown) -> None:
    it.page.evaluate(WRITTEN)
    it.start(60)
    it.drawn()
    assert "this run" not in it.page.evaluate("written"), "alone it needs no name"
    it.start(30)
    it.page.wait_for_function("root.labkit.ghosts().every((ghost) => ghost.points.length > 20)")
    it.drawn()
    assert len(it.read("ghosts()")[0]["points"]) == 59
    assert "Beside it: the run before" in it.read("words()")["alt"], "for a screen reader"
    written = it.page.evaluate("written")
    assert "this run" in written
    (label,) = {fit["label"] for fit in it.read("ghosts()")[0]["fits"]}
    named = [said for said in written if said.startswith("the run before")]
    assert label and any(said.endswith(f": {label}") for said in named), named
    assert pixels_of(it, "ghost-1") > 100


def test_the_step_under_the_pointer_lights_up_in_every_lane_with_its_value(it: Shown) -> None:
    it.start(60)
    it.drawn()
    before = pixels_of(it, "ink")
    it.page.evaluate(WRITTEN)
    box = it.page.locator(".lk-canvas").bounding_box()
    assert box is not None
    it.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    it.page.wait_for_function("written.some((said) => /^step [0-9]+: /.test(said))")
    (said,) = {each for each in it.page.evaluate("written") if each.startswith("step ")}
    step = int(said.split()[1].rstrip(":"))
    assert 1 <= step < 60
    ops = it.run.read("graph_ops", step, step + 1)[0]
    assert f"{ops:,.0f} ops" in it.page.evaluate("written")
    assert pixels_of(it, "ink") > before + 50, "a dot on the curve and in each lane"


def test_a_live_flip_marks_the_curve_and_a_launch_flip_starts_afresh(it: Shown) -> None:
    it.start(20)
    before = it.run.name
    it.page.uncheck("input[name=grow]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    assert it.read("marks()")[0] == {"step": 20, "kind": "toggle", "text": "grow off"}
    it.page.select_option("select[name=order]", "chain")
    it.page.wait_for_function("root.labkit.marks().length === 2")
    assert it.run.name == before
    it.page.click("text=oneDNN kernels")
    it.page.wait_for_function(f"root.dataset.run !== '{before}'")
    assert it.run.toggles["order"] == "chain"
    assert it.page.is_checked("input[name=grow]") is False


def test_a_flip_between_runs_starts_nothing(it: Shown) -> None:
    it.start(20)
    it.end()
    asked = len(it.player.asked)
    it.page.click("text=grow the graph")
    it.page.wait_for_timeout(400)
    assert len(it.player.asked) == asked
    it.start()
    assert it.run.toggles["grow"] is it.page.is_checked("input[name=grow]")


def test_a_flip_made_in_a_cell_shows_in_the_panel(it: Shown) -> None:
    it.start(10)
    wanted = not it.run.toggles["decoy"]
    it.player.set("decoy", "on" if wanted else "off")
    it.page.wait_for_function(
        f"root.querySelector('[name=decoy]').checked === {str(wanted).lower()}"
    )
    assert it.page.is_checked("input[name=decoy]") is wanted


def test_the_verdict_and_the_ledger_stand_in_words(it: Shown) -> None:
    it.start(200)
    it.end()
    it.page.wait_for_function("root.labkit.words().ledger !== ''")
    assert "slowdown: from" in it.text(".lk-verdict")
    assert "so far" not in it.text(".lk-verdict")
    assert not it.page.is_visible(".lk-ledger"), "the bars show it"
    it.page.click(".lk-more summary")
    assert it.text(".lk-ledger").startswith("where it went: session extension 60 %")
    assert not it.page.is_visible(".lk-machine"), "it was left alone"
    label = it.page.get_attribute(".lk-canvas", "aria-label")
    assert label.startswith("Iteration-time curve of Graph growth, 200 steps: slowdown")


def test_fifty_thousand_steps_stay_in_bounded_memory_and_lose_no_spike(it: Shown) -> None:
    it.start(1_000)
    for size in (9_000, 30_000, 9_999):
        it.advance(size)
    it.run.append(np.array([9.0]))
    it.caught_up()
    points = it.read("curve()")
    assert 1_000 <= len(points) <= 2_048
    assert sum(point["steps"] for point in points) == it.run.count - 1
    assert max(point["max"] for point in points) == pytest.approx(9.0)
    mean = sum(point["mean"] * point["steps"] for point in points) / (it.run.count - 1)
    assert mean == pytest.approx(it.run.read("seconds", 1, it.run.count).mean(), rel=1e-4)


def test_drawing_costs_no_more_at_fifty_thousand_steps_than_at_five_thousand(it: Shown) -> None:
    it.start(5_000)
    at_5_000 = it.read("visited")
    it.advance(45_000)
    assert it.read("visited") <= 8 * 2_048
    assert it.read("visited") < 2.1 * at_5_000


def test_the_scale_leaves_out_spikes_but_not_a_slow_stretch(it: Shown) -> None:
    it.start()
    slow_then_fast = np.full(3_000, 0.0002)
    slow_then_fast[:100] = 0.02
    slow_then_fast[0] = 1.5
    slow_then_fast[2_000] = 0.9
    it.run.append(slow_then_fast)
    it.caught_up()
    assert 20 <= it.read("top") <= 40


def test_pulling_goes_on_without_drawing_ever_more(it: Shown) -> None:
    it.start(50)
    it.page.wait_for_timeout(1_300)  # past the quick second after a click
    before = it.read("pulls"), it.read("draws")
    it.page.wait_for_timeout(1_500)
    pulls, draws = it.read("pulls") - before[0], it.read("draws") - before[1]
    assert 5 <= pulls <= 11
    assert draws <= pulls + 1


def test_a_reload_restores_run_ghosts_marks_and_words(it: Shown) -> None:
    it.start(3_000)
    it.start(5_000)
    it.page.uncheck("input[name=grow]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    it.advance(200)
    it.end()
    it.page.evaluate("endView()")
    it.page.evaluate("show('one')")
    it.caught_up()
    it.page.wait_for_function("root.labkit.ghosts()[0].points.length > 1000")
    assert it.read("steps()") == 5_200
    assert len(it.read("curve()")) <= 2_048
    assert it.read("marks()")[0]["text"] == "grow off"
    assert it.read("words().verdict").__len__() == 2
    assert it.page.is_checked("input[name=grow]") is False


def test_two_views_of_one_panel_show_the_same(it: Shown) -> None:
    it.page.evaluate("window.first = root")
    it.page.evaluate("show('two')")
    it.page.wait_for_function("root !== first && root.labkit.draws > 0")
    it.start(300)
    it.page.wait_for_function("first.labkit.steps() === 300")
    assert it.page.evaluate("first.labkit.curve()") == it.read("curve()")


@pytest.mark.full
def test_a_lost_kernel_is_said_in_words_and_comes_back(it: Shown) -> None:
    it.start(30)
    it.page.evaluate("model.mute = true")
    it.page.wait_for_timeout(2_000)
    assert it.read("state") == "running", "a moment's silence is no alarm"
    it.page.wait_for_timeout(GONE_MS - 2_000)
    assert it.read("state") == "gone"
    assert "the kernel is gone; run this cell again" in it.text(".lk-state")
    assert it.text(".lk-count") == ""
    assert it.page.get_attribute(".lk-stop", "aria-disabled") == "true"
    asked = it.page.evaluate("model.sent.length")
    it.page.wait_for_timeout(3_000)
    assert it.page.evaluate("model.sent.length") - asked <= 2, "no flood of questions"
    it.page.evaluate("model.mute = false")
    it.run.advance(5)
    it.page.wait_for_function("root.labkit.state === 'running'", timeout=20_000)
    it.caught_up()


def test_a_panel_at_rest_goes_to_sleep_and_a_click_wakes_it(it: Shown) -> None:
    it.panel._facts = {**it.panel._facts, "sleep_seconds": 1.0}
    it.page.evaluate("endView()")
    it.page.evaluate("(facts) => { model.get = () => facts; }", it.panel._facts)
    it.page.evaluate("show('one')")
    it.page.wait_for_function("root.labkit.asleep")
    pulls = it.read("pulls")
    it.page.wait_for_timeout(1_500)
    assert it.read("pulls") == pulls
    it.start(10)
    assert not it.read("asleep")


def test_an_error_is_one_sentence_and_the_chart_stays(it: Shown) -> None:
    it.start(40)
    it.player.refusal = "There is no <b>room</b> on the disk; free 3 MB."
    it.page.click("text=save run")
    it.page.wait_for_function("root.querySelector('[role=alert]').textContent !== ''")
    it.player.refusal = ""
    assert it.text("[role=alert]") == "There is no <b>room</b> on the disk; free 3 MB."
    assert it.read("steps()") == 40
    it.page.click("text=save run")
    it.page.wait_for_selector("text=saved as /somewhere/")
    assert it.text("[role=alert]") == ""


def test_a_loop_that_raised_shows_reason_and_traceback(it: Shown) -> None:
    it.start(40)
    it.end(State("failed", "The loop raised ValueError: <i>", "Traceback\nValueError: <i>"))
    it.page.wait_for_selector("text=failed after 40 steps: the loop raised ValueError: <i>")
    assert not it.page.is_visible(".lk-traceback pre")
    it.page.click("text=and Python's traceback")
    assert "ValueError: <i>" in it.text(".lk-traceback pre")
    it.start(1)
    assert not it.page.is_visible(".lk-traceback")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [800, 1280])
def test_a_long_reason_takes_one_line_and_stands_below_in_full(
    browser: Browser, width: int, dark: bool
) -> None:
    with opened(browser, StandInPlayer(), width=width, dark=dark) as it:
        it.start(40)
        long = "The loop raised ValueError: operands could not be broadcast together " * 3
        it.end(State("failed", long, f"Traceback\n{'x' * 400}"))
        it.page.wait_for_selector("text=failed after 40 steps")
        state = it.page.locator(".lk-state").bounding_box()
        assert state["height"] < 30, "else it pushes the curve out of sight"
        assert it.text(".lk-state").endswith("together"), "a screen reader gets the whole of it"
        it.page.click("text=and Python's traceback")
        whole = it.page.locator(".lk-traceback p")
        assert whole.inner_text().endswith("together") and whole.bounding_box()["height"] > 30
        assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"


PLACED = """() => {
  const drawing = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = drawing;
  drawing.clearRect = function (...box) {
    window.placed = [];
    return clearRect.apply(this, box);
  };
  drawing.fillText = function (text, x, y) {
    const wide = this.measureText(text).width;
    const left = { left: x, center: x - wide / 2, right: x - wide }[this.textAlign];
    window.placed.push({ text, left, right: left + wide, y });
    return fillText.call(this, text, x, y);
  };
}"""


@pytest.mark.parametrize(("width", "whole"), [(330, False), (900, True)])
def test_no_words_of_the_picture_cover_others(browser: Browser, width: int, whole: bool) -> None:
    with opened(browser, StandInPlayer(), width=width) as it:
        it.page.evaluate(PLACED)
        it.start(60)
        it.run.append(np.array([2.5]), np.array([123_456_789.0]))
        it.caught_up()
        placed = it.page.evaluate("placed")
    for one, other in combinations(placed, 2):
        beside = one["right"] < other["left"] or other["right"] < one["left"]
        assert beside or one["y"] != other["y"], (one["text"], other["text"])
    written = [each["text"] for each in placed]
    assert any("up to 2.5 s" in text for text in written)
    assert any("above the scale" in text and "first step" in text for text in written) is whole
    assert ("ops in the graph" in written) is whole


def test_steps_below_a_microsecond_have_a_scale_that_fits_and_a_largest_one(it: Shown) -> None:
    it.page.evaluate(PLACED)
    it.start()
    steps = np.full(60, 2.4e-7)
    steps[[0, 30]] = 4e-7, 8.4e-7
    it.run.append(steps)
    it.caught_up()
    placed = it.page.evaluate("placed")
    written = [each["text"] for each in placed]
    assert "us per step" in written and "ms per step" not in written
    assert any("up to 0.8 us" in text for text in written), written
    assert all(each["left"] >= 0 for each in placed), placed


def test_a_run_that_failed_before_its_first_step_has_no_lanes_and_whole_steps(it: Shown) -> None:
    it.page.click(".lk-more summary")
    it.page.select_option("select[name=across]", "step")
    it.page.evaluate(WRITTEN)
    it.start()
    it.end(State("failed", "TensorFlow is missing."))
    it.drawn()
    written = it.page.evaluate("written.splice(0)")
    assert "no steps were recorded" in written
    assert "not measured" not in written and "ops in the graph" not in written
    # The first one may be painted once more before the run has begun.
    hints = {
        "", "the curve appears here", "the first steps are on their way", "no steps were recorded"
    }  # fmt: skip
    assert set(written) <= hints, "the numbers of an axis without a step would be invented"
    it.start(30)
    it.drawn()
    written = it.page.evaluate("written")
    assert "ops in the graph" in written
    assert {"10", "20"} <= set(written) and "2.5" not in written, "there is no step 2.5"


def test_ticks_that_stop_at_their_most_say_so(it: Shown) -> None:
    it.page.evaluate(WRITTEN)
    it.start(30)
    for _ in range(MOST_OF_A_KIND - 1):
        it.run.happen("checkpoint", "checkpoint written")
    it.page.wait_for_function(f"root.labkit.marksSeen() === {MOST_OF_A_KIND - 1}")
    it.advance(10)
    assert "checkpoint" in it.page.evaluate("written.splice(0)")
    it.run.happen("checkpoint", "checkpoint written")
    it.page.wait_for_function(f"root.labkit.marksSeen() === {MOST_OF_A_KIND}")
    it.page.evaluate("written.splice(0)")
    it.advance(10)
    assert f"checkpoint: the first {MOST_OF_A_KIND:,} only" in it.page.evaluate("written")


def test_a_busy_machine_is_told_of_in_one_line_under_the_verdict(browser: Browser) -> None:
    with opened(browser, BusyPlayer(), width=800) as it:
        it.start(120)
        it.end()
        it.page.wait_for_function("root.labkit.words().machine !== ''")
        assert it.text(".lk-machine").startswith(f"{TOLD}; times are corrected for this")
        assert "programs" not in it.text(".lk-verdict")


def test_the_table_says_what_the_chart_shows(it: Shown) -> None:
    it.start(400)
    it.page.click("text=as table")
    it.page.wait_for_selector(".lk-table tbody tr")
    assert it.page.locator(".lk-table tbody tr").count() == 20
    assert it.page.locator(".lk-table thead th").all_inner_texts()[:2] == [
        "steps",
        "median per step",
    ]
    first = it.text(".lk-table tbody tr:first-child")
    assert first.startswith("0-19")
    assert "ms" in first
    it.page.click("text=as table")
    assert not it.page.is_visible(".lk-table")


def test_seconds_can_be_had_on_the_x_axis(it: Shown) -> None:
    it.start(50)
    it.page.click(".lk-more summary")
    it.page.select_option("select[name=across]", "seconds")
    it.drawn()
    assert pixels_of(it, "curve") > 100
    it.page.select_option("select[name=across]", "step")


def test_an_answer_to_an_older_question_does_not_undo_a_click(it: Shown) -> None:
    it.start(10)
    it.page.evaluate("model.lateMs = 500")
    it.page.wait_for_timeout(300)
    it.page.uncheck("input[name=grow]")
    seen = set()
    for _ in range(16):
        seen.add(it.page.is_checked("input[name=grow]"))
        it.page.wait_for_timeout(50)
    assert seen == {False}


def test_the_page_thins_by_the_same_rule_as_the_kernel(it: Shown) -> None:
    """However the steps have come, the page holds the buckets that every still picture draws."""
    it.start(700)
    for size in (5_000, 1, 9_000):
        it.advance(size)
    points, run = it.read("curve()"), it.run.snapshot()
    width = points[1]["step"] - points[0]["step"]
    assert width == bucket_width(it.run.count, 2_048) > 1
    same = read_curve(run, 2_048)
    for name, ours in (("mean", same.means), ("min", same.lows), ("max", same.highs)):
        assert [1e3 * point[name] for point in points] == pytest.approx(ours, rel=1e-5), name
