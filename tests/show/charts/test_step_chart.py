"""The chart of a report: what is drawn, in which unit, and what is left out.

Tier: make test.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from labkit.record import Diagnosis, Event, Run, Steps, Verdict
from labkit.show.charts.curve_plot import nice_ticks
from labkit.show.charts.fits import Fit, fits
from labkit.show.charts.series import Series, find_series, resident_memory
from labkit.show.charts.step_chart import legend, step_chart
from labkit.show.thinning import read_curve
from tests.show import told
from tests.show.markup_tree import Node, read


def drawn(run: Run, verdict: Verdict = told.FLAT, counters: tuple[Series, ...] = ()) -> Node:
    text = step_chart(
        [read_curve(run)], "in words", fits=[fitted(verdict)], counters=counters, events=run.events
    )
    (chart,) = read(text).every("svg")
    return chart


def fitted(verdict: Verdict) -> tuple[Fit, ...]:
    run = told.run(events=())
    return fits(Diagnosis(run, run, (verdict,)))


def timed(seconds: list[float]) -> Run:
    start = np.cumsum(seconds) - seconds
    return replace(told.run(0), steps=Steps({"start_seconds": start, "seconds": seconds}))


def words(chart: Node) -> list[str]:
    return [each.text for each in chart.every("text")]


def thick(chart: Node, colour: str = "alarm") -> list[list[tuple[float, float]]]:
    """Return the corners of each fitted line, in pixels."""
    paths = [
        each.attributes["d"] for each in chart.of_class(f"lk-line-{colour}") if each.tag == "path"
    ]
    return [
        [(float(x), float(y)) for x, y in (corner.split() for corner in path[1:].split("L"))]
        for path in paths
    ]


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


def test_the_growth_is_drawn_on_its_steps_with_its_label() -> None:
    chart = drawn(told.run(), told.GREW)
    (corners,) = thick(chart)
    assert corners == sorted(corners, key=lambda corner: (corner[0], -corner[1]))
    assert corners[0][1] > corners[-1][1], "up is a smaller number"
    assert "slowdown 2.7x" in words(chart)
    assert "thick: typical steps" in legend(told.run(), fitted(told.GREW))


def test_a_level_that_went_up_is_drawn_as_a_step() -> None:
    shift = replace(told.GREW, label="shift", onset_step=300)
    ((first, edge, top, last),) = thick(drawn(told.run(), shift))
    assert first[1] == edge[1] > top[1] == last[1] and edge[0] == top[0]


def test_a_level_without_growth_is_one_line_in_another_colour() -> None:
    chart = drawn(told.run(), told.FLAT)
    assert not thick(chart)
    (((_, low), (_, high)),) = thick(chart, "fix")
    assert low == high and "flat" in words(chart)


def test_where_nothing_could_be_judged_no_line_is_drawn() -> None:
    unknown = replace(told.FLAT, label="too_short", steps=3)
    chart = drawn(told.run(), unknown)
    assert not thick(chart) and not thick(chart, "fix")
    assert "thick" not in legend(told.run(), fitted(unknown))


def test_the_curve_is_faint_only_where_a_line_lies_on_it() -> None:
    def opacity(chart: Node) -> str:
        (curve,) = chart.of_class("lk-line-curve")
        return curve.attributes["stroke-opacity"]

    assert opacity(drawn(told.run(), told.GREW)) == "0.6"
    assert opacity(drawn(told.run(), replace(told.FLAT, label="too_short"))) == "1"


def test_several_curves_have_their_names_and_labels_at_their_ends_and_none_over_another() -> None:
    curves = [read_curve(told.run())] * 3
    names = ["grow on", "grow off", "a name that takes more than a single line of the margin"]
    text = step_chart(curves, "in words", fits=[fitted(told.GREW)] * 3, names=names)
    (chart,) = read(text).every("svg")
    beside = [each for each in chart.every("text") if each.attributes.get("font-weight") == "700"]
    said = [each.text for each in beside]
    assert "grow on" in said and "grow off" in said and said.count("slowdown 2.7x") == 3
    heights = sorted(float(each.attributes["y"]) for each in beside)
    assert all(then - one >= 14 for one, then in pairwise(heights))
    assert len({each.attributes["class"] for each in beside}) == 3


def test_charts_beside_each_other_have_one_scale() -> None:
    low, high = timed([0.01] * 50), timed([0.5] * 200)
    alone = words(drawn(low))
    (chart,) = read(step_chart([read_curve(low)], "", beside=[read_curve(high)])).every("svg")
    assert "600" not in alone and "600" in words(chart) and "150" in words(chart)


def test_pauses_far_above_the_rest_have_a_logarithmic_axis_that_says_so() -> None:
    seconds = [0.01] * 200
    seconds[20::20] = [0.9] * 9
    spikes = replace(told.FLAT, label="spikes", spike_period=20.0, first_seconds=0.01,
                     last_seconds=0.01)  # fmt: skip
    chart = drawn(timed(seconds), spikes)
    assert words(chart)[0] == "ms per step, logarithmic" and "spikes every 20 steps" in words(chart)
    assert not any("above" in text for text in words(chart))
    assert words(drawn(timed([0.01] * 200), spikes))[0] == "ms per step"


def test_spikes_above_the_scale_are_marked_and_told() -> None:
    seconds = [0.01] * 200
    seconds[50], seconds[120] = 0.9, 0.4
    chart = drawn(timed(seconds))
    assert "above the scale, up to 900 ms" in words(chart)
    assert not any("above" in text for text in words(drawn(timed([0.01] * 200))))


def test_warm_up_is_shaded_and_named_where_there_is_room() -> None:
    assert not drawn(told.run(), told.FLAT).of_class("lk-fill-soft")
    assert "warm-up" not in words(drawn(told.run(), told.GREW))
    wide = drawn(told.run(), replace(told.GREW, warmup_steps=100))
    assert len(wide.of_class("lk-fill-soft")) == 1 and "warm-up" in words(wide)


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


def test_charts_of_levels_far_apart_have_one_logarithmic_scale() -> None:
    quick, slow = (read_curve(timed([level] * 50)) for level in (1e-3, 1.0))
    (chart,) = read(step_chart([quick], "", beside=[slow])).every("svg")
    assert words(chart)[0] == "ms per step, logarithmic"
