"""The bench of verdicts asks every method fairly and shows the answers side by side.

Tier: make test. Nothing is installed here, so Otava's search and asv's are stood in for.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from labkit.record import Verdict
from tests.stats.families import series
from tests.stats.scoring import Judged
from tools.bench.__main__ import DOCS, MEASURED, PAGES
from tools.bench.benchmarks.questions import CELLS, QUESTIONS, Cell, Question
from tools.bench.benchmarks.rivals import TREND_METHODS, claim, otava_judge, theil_sen
from tools.bench.benchmarks.verdicts import drawn
from tools.bench.figure import Figure, markdown, terminal
from tools.bench.report import TELLING, Kept, Page
from tools.markdown import MARK, write_below_mark

RISING = series("linear", "normal 5 %", 150, 0, growth=1.0).seconds
FLAT = series("flat", "normal 5 %", 150, 0).seconds


def knowing(cell: Cell) -> list[Judged]:
    """Judge a cell as somebody who was told the truth."""
    told = []
    for one in drawn(cell, 1):
        truth = one.truth
        period = None if truth.period is None else float(truth.period)
        verdict = Verdict(
            truth.label, truth.growth, truth.growth, truth.growth,
            onset_step=truth.onset, spike_period=period,
        )  # fmt: skip
        told.append(Judged(one, verdict))
    return told


@pytest.fixture(scope="module")
def truth_told() -> dict[Cell, list[Judged]]:
    return {cell: knowing(cell) for cell in CELLS}


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.name)
def test_who_knows_the_truth_has_a_perfect_score(asked: Question, truth_told) -> None:
    answer = asked.answer([each for cell in asked.cells for each in truth_told[cell]])
    assert answer == ((100 if asked.more_is_better else 0), "")


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.name)
def test_who_cries_always_has_every_alarm_false(asked: Question) -> None:
    judged = [Judged(one, claim("unsteady")) for cell in asked.cells for one in drawn(cell, 1)]
    answer = asked.answer(judged)
    if not asked.more_is_better:
        assert answer is not None and answer[0] == 100
    if asked.label == "shift" or "interval" in asked.name:
        assert answer is None or answer[0] == 0


@pytest.mark.parametrize("method", TREND_METHODS, ids=lambda method: method.name)
def test_a_trend_rival_hears_a_doubling_and_is_quiet_on_a_flat_series(method) -> None:
    assert method.judge(RISING).label == "slowdown"
    assert method.judge(RISING[::-1]).label == "speedup"
    assert method.judge(FLAT).label == "flat"


def test_intervals_of_rivals_are_of_the_growth() -> None:
    for method in TREND_METHODS:
        verdict = method.judge(RISING)
        if verdict.low is not None:
            assert 0.8 < verdict.low < verdict.growth < verdict.high < 1.25, method.name


def test_the_bootstrap_of_a_noiseless_line_is_the_line() -> None:
    found = theil_sen(np.linspace(1, 2, 40))
    assert found.value == pytest.approx(1 / 39)
    assert found.interval(0.05) == pytest.approx((1 / 39, 1 / 39))


@pytest.mark.parametrize(
    ("times", "edges", "label", "onset"),
    [
        ([1.0] * 60 + [1.5] * 40, [60], "shift", 60),
        ([3.0] * 20 + [1.0] * 80, [20], "warmup", None),
        ([1.5] * 60 + [1.0] * 40, [60], "speedup", None),
        ([1.0] * 100, [], "flat", None),
    ],
)
def test_change_points_are_read_as_a_shift_a_warm_up_or_a_speedup(
    times: list[float], edges: list[int], label: str, onset: int | None
) -> None:
    verdict = otava_judge(lambda seconds: edges)(np.array(times))
    assert (verdict.label, verdict.onset_step) == (label, onset)


def test_rivals_stand_in_columns_and_leave_a_gap_where_they_have_no_figure() -> None:
    figures = [
        Figure("one group", "found", 80.0, "%", 75.0, more_is_better=True, rivals={"A": 1.5}),
        Figure("one group", "false", 2.0, "%", 1.0, "a note", rivals={"B": 3.0}),
        Figure("another", "alone", 1.0, "ms"),
    ]
    lines = markdown(figures).splitlines()
    assert "| figure | value | goal | reached | A | B | note |" in lines
    assert "| --- | ---: | ---: | --- | ---: | ---: | --- |" in lines
    assert "| found | 80 % | at least 75 % | yes | 1.5 % |  |  |" in lines
    assert "| false | 2 % | 1 % | no |  | 3 % | a note |" in lines
    assert "| alone | 1 ms |  |  |  |" in lines
    blocks = terminal(figures).split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == ["one group", "another"]


HERE = dict.fromkeys(TELLING, "same") | {"date": "2026-11-22"}
THERE = HERE | {"date": "2026-11-20", "processor": "a slow one"}
PAGE = Page("benchmarks", ("one", "two"))
OLD, NEW = Figure("one", "a", 1.0, "ms", 2.0), Figure("one", "a", 3.0, "ms", 2.0)
OTHER = Figure("two", "b", 80.0, "%", 75.0, "note", more_is_better=True, rivals={"A": 1.5})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of two groups, one of them measured elsewhere."""
    Kept(tmp_path / "figures.json").add("one", [OLD], THERE)
    Kept(tmp_path / "figures.json").add("two", [OTHER], HERE)
    return tmp_path / "figures.json"


def test_a_group_measured_again_takes_the_place_of_its_older_figures(file: Path) -> None:
    Kept(file).add("one", [NEW], HERE)
    kept = Kept(file)
    assert kept.figures(("two", "one")) == [OTHER, NEW]
    assert kept.machines(("one", "two", "three")) == {"one": HERE, "two": HERE}


def test_a_page_has_its_machine_its_figures_and_its_appendix(file: Path) -> None:
    (file.parent / "more.md").write_text("## More\n")
    text = replace(PAGE, appendix="more.md").written(Kept(file), file.parent)
    assert text.startswith("- date: 2026-11-22\n- processor: same")
    assert "| a | 1 ms |" in text and text.endswith("## More")
    assert "`one` come from another day or machine: date 2026-11-20, processor a slow one" in text
    assert "Not measured" not in text and "`two`" not in text


def test_a_page_names_the_groups_that_were_never_measured(file: Path) -> None:
    page = replace(PAGE, groups=("one", "two", "three"))
    assert "Not measured so far: three." in page.written(Kept(file), file.parent)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_the_command_and_has_the_figures_that_are_kept(name: str) -> None:
    above, mark, below = (DOCS / name).read_text().partition(MARK)
    assert mark and f"`python -m tools.bench {' '.join(PAGES[name].groups)}`" in above
    assert below == f"\n{PAGES[name].written(Kept(MEASURED / 'figures.json'), MEASURED)}\n"


def test_what_stands_above_the_mark_of_a_page_stays(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\nBy hand.\n\n{MARK}\nold\n")
    write_below_mark(page, "new")
    assert page.read_text() == f"# Title\n\nBy hand.\n\n{MARK}\nnew\n"
