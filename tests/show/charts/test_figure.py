"""Still pictures: PNG and SVG with words for those who do not see them, and no pyplot state."""

from __future__ import annotations

import io
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from labkit.record import Event
from labkit.show.charts.curve_plot import top_milliseconds
from labkit.show.charts.figure import draw_runs, run_labels
from labkit.show.charts.picture import COLOURS
from labkit.show.thinning import curve_of
from tests.show.standin import TOLD, BusyPlayer, StandInPlayer, finished

pytestmark = pytest.mark.in_turn


def test_runs_of_one_loop_on_two_devices_are_told_apart_by_them() -> None:
    run = finished(StandInPlayer()).snapshot()
    cpu, gpu = (replace(run, environment={"device": device}) for device in ("cpu", "gpu"))
    assert run_labels([cpu, gpu]) == ("CPU", "GPU")
    assert run_labels([cpu, gpu, gpu]) == ("CPU", "GPU 2", "GPU 3")
    other = replace(gpu, toggles={**gpu.toggles, "grow": not gpu.toggles["grow"]})
    assert [label.rpartition(", ")[2] for label in run_labels([cpu, other])] == ["CPU", "GPU"]
    assert run_labels([gpu, gpu]) == ("run 1", "run 2")


def test_one_run_becomes_a_png_an_svg_and_an_alt_text() -> None:
    player = StandInPlayer()
    run = finished(player)
    picture = draw_runs([run.snapshot()], diagnoses=[player.judge(run)], lanes=player.lanes)
    assert picture.png.startswith(b"\x89PNG")
    svg = ElementTree.fromstring(picture.svg)
    written = " ".join(svg.itertext())
    assert "slowdown: from" in written
    assert "ops in the graph" in written
    assert "slowdown: from" in picture.alt


def test_a_busy_machine_stands_once_under_the_figure_and_says_what_the_chart_shows() -> None:
    player = BusyPlayer()
    runs = [finished(player), finished(player, grow="off")]
    picture = draw_runs([run.snapshot() for run in runs], diagnoses=[*map(player.judge, runs)])
    written = " ".join(" ".join(ElementTree.fromstring(picture.svg).itertext()).split())
    assert written.count("programs") == 1
    assert f"{TOLD} of 'grow on' and 40 % of the time of 'grow off'; the chart shows" in written


def test_under_the_figure_of_a_calm_machine_stands_nothing_of_it() -> None:
    player = StandInPlayer()
    run = finished(player)
    picture = draw_runs([run.snapshot()], diagnoses=[player.judge(run)])
    assert b"machine" not in picture.svg and "machine" not in picture.alt


def test_of_three_runs_each_is_told_by_what_it_alone_has() -> None:
    player = StandInPlayer()
    runs = [finished(player, **chosen).snapshot()
            for chosen in ({}, {"order": "chain"}, {"grow": "off"})]  # fmt: skip
    assert run_labels(runs) == ("grow on, order loose", "order chain", "grow off")


def test_runs_of_different_causes_are_told_apart_by_their_titles() -> None:
    player = StandInPlayer()
    first = finished(player).snapshot()
    other = replace(first, cause="healthy", title="A healthy loop")
    assert run_labels([first, other]) == (first.title, "A healthy loop")
    assert run_labels([other, first, other])[0] == "A healthy loop 1"


def test_several_runs_are_told_apart_by_the_toggles_that_differ() -> None:
    player = StandInPlayer()
    runs = [finished(player).snapshot(), finished(player, grow="off").snapshot()]
    assert run_labels(runs) == ("grow on", "grow off")
    assert draw_runs(runs).alt.startswith("grow on: Iteration-time curve")


def test_runs_with_the_same_toggles_are_numbered() -> None:
    player = StandInPlayer()
    assert run_labels([finished(player).snapshot()] * 2) == ("run 1", "run 2")


def test_a_notebook_gets_an_image_with_escaped_alt_text() -> None:
    run = finished(StandInPlayer()).snapshot()
    bundle = draw_runs([replace(run, title='<i>"one"</i>')])._repr_mimebundle_()
    named = '<img alt="Iteration-time curve of &lt;i&gt;&quot;one&quot;&lt;/i&gt;, '
    assert named in bundle["text/html"]
    assert bundle["image/png"].startswith("iVBOR")


def test_a_lane_hides_no_run_behind_another() -> None:
    player, runs = StandInPlayer(), []
    for pause in (0.004, 0.008):
        run = player.start({})
        run.append(np.full(50, 0.02), pause=np.full(50, pause))
        runs.append(run.snapshot())
    picture = draw_runs(runs, lanes=("garbage_collection_seconds",))
    pixels = imread(io.BytesIO(picture.png))[:, :, :3]
    lane = pixels[len(pixels) * 7 // 10 :]
    for colour in COLOURS[:2]:
        assert (np.abs(lane - to_rgb(colour)).max(axis=2) < 0.05).sum() > 100


def test_the_scale_of_a_counter_that_rests_has_no_fractions() -> None:
    run = StandInPlayer().start({})
    run.append(np.full(50, 0.02))
    picture = draw_runs([run.snapshot()], lanes=("graph_ops",))
    written = [text.strip() for text in ElementTree.fromstring(picture.svg).itertext()]
    written = [text for text in written if text]
    ticks = written[written.index("step") + 1 : written.index("ops in the graph")]
    assert ticks == ["0", "1"]


@pytest.mark.parametrize("steps", [0, 1, 2, 40_000])
def test_short_and_long_runs_are_drawn_without_a_warning(steps: int) -> None:
    player = StandInPlayer()
    run = player.start({})
    if steps:
        run.advance(steps)
    assert draw_runs([run.snapshot()], lanes=("graph_ops", "missing")).png


def test_rare_spikes_do_not_squash_the_curve() -> None:
    values = np.full(500, 7.0)
    values[300] = 900.0
    assert top_milliseconds([curve_of(values, 1000)]) < 20


def test_a_slow_stretch_among_thousands_of_fast_steps_is_no_spike() -> None:
    values = np.full(5_000, 0.15)
    values[1:160] = np.linspace(5, 20, 159)
    assert top_milliseconds([curve_of(values, 1200)]) >= 15


def test_modest_spikes_stay_inside() -> None:
    values = np.full(500, 7.0)
    values[::50] = 18.0
    assert top_milliseconds([curve_of(values, 1000)]) >= 18


def test_the_first_step_is_left_out() -> None:
    curve = curve_of(np.array([1300.0, 7.0, 7.1]), 100)
    assert curve.steps == (1, 2)
    assert curve.count == 3


def test_drawing_touches_no_pyplot_and_no_settings() -> None:
    code = (
        "import sys, matplotlib\n"
        # Reading the backend's name would load pyplot.
        "read = lambda: {k: v for k in matplotlib.rcParams if k != 'backend'"
        " for v in [matplotlib.rcParams[k]]}\n"
        "before = read()\n"
        "import tests.show.charts.test_figure as t, tests.show.test_memory_map as m\n"
        "t.draw_runs([t.finished(t.StandInPlayer()).snapshot()])\n"
        "m.draw_memory_map(m.event(m.COMB))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert read() == before\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_figure_of_many_flips_says_how_many_it_does_not_name() -> None:
    run = finished(StandInPlayer()).snapshot()
    flips = tuple(Event(place, "toggle", "grow off") for place in range(200))
    assert b"more flips" in draw_runs([replace(run, events=flips)]).svg
    assert b"more flip" not in draw_runs([replace(run, events=flips[:3])]).svg
