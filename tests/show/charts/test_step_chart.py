"""The chart of a report: what is drawn, in which unit, and what is left out.

Tier: make test.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labkit.record import Event, Run, Steps, Verdict
from labkit.show.charts.curve_plot import nice_ticks
from labkit.show.charts.series import Series, find_series, resident_memory
from labkit.show.charts.step_chart import legend, step_chart
from labkit.show.thinning import read_curve
from tests.show import told
from tests.show.markup_tree import Node, read


def drawn(run: Run, verdict: Verdict = told.FLAT, counters: tuple[Series, ...] = ()) -> Node:
    text = step_chart(
        [read_curve(run)], "in words", verdict=verdict, counters=counters, events=run.events
    )
    (chart,) = read(text).every("svg")
    return chart


def timed(seconds: list[float]) -> Run:
    start = np.cumsum(seconds) - seconds
    return replace(told.run(0), steps=Steps({"start_seconds": start, "seconds": seconds}))


def words(chart: Node) -> list[str]:
    return [each.text for each in chart.every("text")]


def dashed(chart: Node) -> list[str]:
    return [each.attributes["d"] for each in chart.of_class("lk-line-alarm")]


@pytest.mark.parametrize(
    ("level", "unit"), [(3e-5, "us"), (0.0005, "ms"), (0.02, "ms"), (0.4, "ms"), (3.0, "s")]
)
def test_the_axis_has_the_unit_that_fits(level: float, unit: str) -> None:
    chart = drawn(timed([level] * 50))
    assert words(chart)[0] == f"{unit} per step"
    numbers = [float(text.replace(",", "")) for text in words(chart)[1:4]]
    assert numbers[0] == 0 and numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("top", "wanted"),
    [(15, [0, 5, 10, 15]), (1.2, [0, 0.5, 1.0]), (0.6, [0, 0.2, 0.4, 0.6]), (1, None)],
)
def test_ticks_are_round(top: float, wanted: list[float] | None) -> None:
    ticks = nice_ticks(top, 4)
    assert ticks == pytest.approx(wanted or ticks)
    assert 3 <= len(ticks) <= 6 and ticks[-1] <= top * 1.001


def test_the_growth_is_drawn_as_it_was_fitted() -> None:
    (path,) = dashed(drawn(told.run(), told.GREW))
    start, end = path.removeprefix("M").split("L")
    assert float(start.split()[1]) > float(end.split()[1]), "up is a smaller number"
    assert "dashed: the growth" in legend(told.run(), told.GREW)


def test_a_level_that_went_up_is_drawn_as_a_step() -> None:
    shift = replace(told.GREW, label="shift", onset_step=300)
    (path,) = dashed(drawn(told.run(), shift))
    assert path.count("H") == 2 and path.count("V") == 1


def test_growth_that_came_early_is_drawn_where_it_came_and_stays_at_its_level() -> None:
    early = replace(told.GREW, steps=told.GREW.steps // 4)
    (path,) = dashed(drawn(told.run(), early))
    (whole,) = dashed(drawn(told.run(), told.GREW))
    ramp, _, rest = path.partition("H")
    end = float(whole.split("L")[1].split()[0])
    assert float(ramp.split("L")[1].split()[0]) < 0.35 * end
    assert float(rest) == end


@pytest.mark.parametrize("verdict", [told.FLAT, replace(told.GREW, contended_share=0.4)])
def test_without_growth_or_with_other_times_no_growth_is_drawn(verdict: Verdict) -> None:
    assert not dashed(drawn(told.run(), verdict))
    assert "dashed" not in legend(told.run(), verdict)


def test_spikes_above_the_scale_are_marked_and_told() -> None:
    seconds = [0.01] * 200
    seconds[50], seconds[120] = 0.9, 0.4
    chart = drawn(timed(seconds))
    assert "above the scale, up to 900 ms" in words(chart)
    assert not any("above" in text for text in words(drawn(timed([0.01] * 200))))


def test_warm_up_is_shaded_and_named_where_there_is_room() -> None:
    assert len(drawn(told.run(), told.FLAT).every("rect")) == 0
    assert "warm-up" not in words(drawn(told.run(), told.GREW))
    wide = drawn(told.run(), replace(told.GREW, warmup_steps=100))
    assert len(wide.every("rect")) == 1 and "warm-up" in words(wide)


def test_a_counter_has_a_lane_with_its_ends() -> None:
    counters = find_series(told.run(), ("kept/losses", "graph_ops", "unheard of"))
    assert [each.title for each in counters] == ["losses", "ops in the graph"]
    text = words(drawn(told.run(), told.GREW, tuple(counters)))
    assert text[text.index("losses") + 1] == "3 to 583"
    assert text[text.index("ops in the graph") + 1] == "18 to 1,516 ops"


def test_what_happened_once_has_no_lane_and_what_recurs_has() -> None:
    once = told.run(events=(Event(5, "gc", ""),))
    assert not any("what happened" in text for text in words(drawn(once)))
    text = words(drawn(told.run()))
    assert text[text.index("what happened: gc") + 1] == "7 times"


def test_flips_of_toggles_stand_in_the_chart_and_in_no_lane() -> None:
    flip = Event(300, "toggle", "grow off", {"name": "grow", "value": False})
    text = words(drawn(told.run(events=(flip, flip))))
    assert "grow off" in text and not any("what happened" in each for each in text)


def test_gaps_and_a_counter_never_read_leave_no_lane() -> None:
    run = told.run()
    columns = {name: np.array(run.steps.column(name)) for name in run.steps.names}
    columns["resident_bytes"][:] = np.nan
    columns["graph_ops"][::2] = np.nan
    run = replace(run, steps=Steps(columns))
    assert resident_memory(run) is None
    (ops,) = find_series(run, ("graph_ops",))
    assert ops.steps[0] == 1 and all(np.isfinite(ops.values))


def test_a_long_run_is_thinned_and_keeps_its_spikes() -> None:
    seconds = np.full(100_000, 0.01)
    seconds[77_777] = 0.02
    chart = drawn(timed(list(seconds)))
    (band,) = chart.every("polygon")
    heights = [float(pair.split(",")[1]) for pair in band.attributes["points"].split()]
    assert len(heights) < 1_000 and min(heights) < 0.6 * max(heights)
