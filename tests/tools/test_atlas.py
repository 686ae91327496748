"""The atlas: its page, its pictures, and the command that makes them. Tier: make test, in turn.

No loop is run here; what a run says is made up of series whose verdict is known.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

import tools.atlas.__main__ as command
from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import LabkitError, Run, State
from labkit.record.verdict import LABELS
from labkit.show.verdict.verdict_words import verdict_words
from tests.made_run import made_run
from tools.atlas.__main__ import TEMPLATE, alt, page
from tools.atlas.chart import chart, draw
from tools.atlas.fitted import fitted_trend
from tools.atlas.recording import EXAMPLES, LOOPS, Example, Recording, record

pytestmark = pytest.mark.in_turn

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")
SECTIONS = dict(
    re.findall(r"^## (\w+)\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL),
)
PICTURE = re.compile(r"!\[([^]]+)\]\(([^)]+)\)")
LARGEST_BYTES = 40_000
LOOP_FILES = sorted(LOOPS.glob("*.py"))


STEPS = np.arange(200)
LEVELS: dict[str, np.ndarray] = {
    "flat": np.full(200, 0.01),
    "warmup": np.repeat([0.05, 0.01], [20, 180]),
    "slowdown": np.linspace(0.01, 0.03, 200),
    "shift": np.repeat([0.01, 0.02], 100),
    "spikes": np.where(STEPS % 10 == 9, 0.05, 0.01),
    "speedup": np.linspace(0.03, 0.01, 200),
    "unsteady": np.repeat([0.01, 0.03, 0.015, 0.04, 0.012, 0.03, 0.02, 0.04], 25),
    "too_short": np.full(12, 0.01),
}
RUSHING = 0.01 + 0.04 * np.linspace(0, 1, 200) ** 2


def run_of(levels: np.ndarray, far: dict[int, float] | None = None) -> Run:
    """Return a finished run with made-up times: levels with a little noise, some steps far off."""
    times = levels * np.exp(np.random.default_rng(0).normal(0, 0.01, len(levels)))
    for step, seconds in (far or {}).items():
        times[step] = seconds
    return made_run(times)


FLAT = run_of(LEVELS["flat"])


def recording_of(example: Example) -> Recording:
    first = {0: 0.5} if example.label == "too_short" else {}
    run = run_of(LEVELS[example.label], first)
    return Recording(example, run, judgement(run))


def test_there_is_one_example_and_one_section_for_each_label_in_their_order() -> None:
    assert tuple(example.label for example in EXAMPLES) == LABELS
    assert tuple(name for name in SECTIONS if name in LABELS) == LABELS


@pytest.mark.parametrize("label", LABELS)
def test_a_section_says_what_makes_the_shape_and_what_to_do(label: str) -> None:
    section = SECTIONS[label]
    assert "**What makes such a shape**" in section
    assert len(re.findall(r"^- ", section.partition("**What to do next**")[2], re.M)) >= 2


@pytest.mark.parametrize("label", LABELS)
def test_a_section_has_one_small_picture_that_is_told_in_words_with_the_verdict(
    label: str,
) -> None:
    ((words, path),) = PICTURE.findall(SECTIONS[label])
    assert path == f"atlas/{label}.png"
    assert (ROOT / "docs" / path).stat().st_size < LARGEST_BYTES
    (sentence,) = re.findall(r"^> (.+)$", SECTIONS[label], re.MULTILINE)
    assert words.startswith("Iteration-time curve of") and sentence in words
    assert sentence.startswith(label.replace("_", " ").replace("warmup", "warm-up"))


def test_no_picture_is_left_over() -> None:
    assert {path.stem for path in (ROOT / "docs" / "atlas").iterdir()} == set(LABELS)


def test_a_cause_is_named_with_the_lab_that_teaches_it() -> None:
    """A lab may be about a cause that another lab teaches too, so the lab must speak of it."""
    named = re.findall(r"`(\w+)`[^`]*?\]\(\.\./notebooks/(\w+\.ipynb)\)", PAGE)
    assert len(named) > 15
    for slug, notebook in named:
        assert slug in SLUGS, slug
        assert f'"{slug}' in (ROOT / "notebooks" / notebook).read_text().replace("\\", ""), slug


def commands() -> list[list[str]]:
    return [shlex.split(found) for found in re.findall(r"`(labkit run [^`]+)`", PAGE)]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_a_command_on_the_page_names_what_there_is(command: list[str]) -> None:
    source = command[2]
    cause = load(source if source in SLUGS else str(ROOT / source))
    options = dict(zip(command[3::2], command[4::2], strict=True))
    assert set(options) <= {"--set", "--steps"}
    given = [word.split("=") for word, before in zip(command[4:], command[3:], strict=False)
             if before == "--set"]  # fmt: skip
    sizes = {size.name for size in cause.sizes}
    cause.toggle_values({name: value for name, value in given if name not in sizes})
    cause.size_values({name: int(value) for name, value in given if name in sizes})


def test_the_page_is_made_from_the_template_as_it_is_now() -> None:
    """Else somebody changed one of them by hand: python -m tools.atlas writes the page anew."""
    kept = [line for line in TEMPLATE.read_text(encoding="utf-8").splitlines() if "$" not in line]
    assert [line for line in kept if line not in PAGE.splitlines()] == []


def test_the_page_names_the_machine() -> None:
    for name in ("date", "processor", "cores", "TensorFlow", "labkit"):
        assert re.search(rf"^- {name}: \S", PAGE, re.MULTILINE), name


@pytest.mark.parametrize("path", LOOP_FILES, ids=lambda path: path.stem)
def test_a_loop_of_the_atlas_is_a_cause_of_the_name_of_its_file_and_never_sleeps(
    path: Path,
) -> None:
    assert load(str(path)).slug == path.stem
    assert "sleep" not in path.read_text()


def test_loading_the_loops_imports_no_tensorflow() -> None:
    code = (
        "import sys; from labkit.causes import load; [load(path) for path in sys.argv[1:]]; "
        "sys.exit('tensorflow' in sys.modules)"
    )
    command = [sys.executable, "-c", code, *map(str, LOOP_FILES)]
    assert LOOP_FILES and subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_every_loop_of_the_atlas_is_used_and_every_example_has_its_loop() -> None:
    used = {example.source for example in EXAMPLES if example.source.endswith(".py")}
    assert used == {path.name for path in LOOP_FILES}
    for example in EXAMPLES:
        load(example.path).toggle_values(example.toggles)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)
def test_every_label_gets_a_small_chart(example: Example) -> None:
    made = recording_of(example)
    assert made.verdict.label == example.label
    png = draw(made.run.steps.seconds, made.verdict, title="Made up")
    with Image.open(io.BytesIO(png)) as image:
        assert image.width == 840 and len(image.getcolors() or []) > 8
    assert len(png) < LARGEST_BYTES


# One tooth is a little higher, there where the words stand, and one step far above all.
@pytest.mark.parametrize("far", [{}, {129: 0.057, 103: 0.9}])
def test_the_mark_of_a_period_hides_no_step(far: dict[int, float]) -> None:
    run = run_of(LEVELS["spikes"], far)
    verdict = judgement(run).verdict
    assert verdict.label == "spikes" and verdict.spike_period == 10
    figure = chart(run.steps.seconds, verdict, title="Made up")
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    words = axes.texts
    assert "10 steps" in [said.get_text() for said in words]
    points = axes.lines[0].get_xydata()
    assert len(points) >= 199
    for place in axes.transData.transform(points):
        assert not [said for said in words if said.get_window_extent().contains(*place)]


@pytest.mark.parametrize(
    ("levels", "label"),
    [(LEVELS["slowdown"], "slowdown"), (RUSHING, "slowdown"), (LEVELS["speedup"], "speedup")],
)
def test_a_trend_is_drawn_over_the_whole_run_and_follows_its_steps(
    levels: np.ndarray, label: str
) -> None:
    run = run_of(levels)
    verdict = judgement(run).verdict
    assert verdict.label == label and verdict.first_seconds and verdict.last_seconds
    milliseconds = np.asarray(run.steps.seconds) * 1e3
    steps, fitted = fitted_trend(milliseconds, verdict)
    assert steps[0] <= verdict.warmup_steps + 5 and steps[-1] >= len(milliseconds) - 5
    ends = [verdict.first_seconds * 1e3, verdict.last_seconds * 1e3]
    assert [fitted[0], fitted[-1]] == pytest.approx(ends, rel=0.02)
    assert fitted == pytest.approx(milliseconds[np.round(steps).astype(int)], rel=0.08)


def test_words_on_a_warm_up_hide_as_few_steps_as_they_can() -> None:
    """A run that warms up and then goes down is where it would be otherwise."""
    run = run_of(np.repeat([0.02, 0.0107], [40, 160]))
    verdict = judgement(run).verdict
    assert verdict.label == "warmup"
    figure = chart(run.steps.seconds, verdict, title="Made up")
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    (said,) = [said for said in axes.texts if said.get_text().startswith("warm-up")]
    box = said.get_window_extent()
    hidden = [p for p in axes.transData.transform(axes.lines[0].get_xydata()) if box.contains(*p)]
    assert hidden == []


def test_the_page_is_filled_with_what_was_said_of_each_run() -> None:
    made = [recording_of(example) for example in EXAMPLES]
    text = page(made, {"processor": "a processor"})
    for each in made:
        assert f"> {verdict_words(each.verdict)}\n" in text
        assert f"![{alt(each)}](atlas/{each.example.label}.png)" in text
    assert "- processor: a processor" in text and "$" not in text


def test_words_that_would_break_the_alt_text_are_changed() -> None:
    run = replace(FLAT, title="A loop [mine]\nof two lines")
    assert r"A loop (mine)\nof two lines" in alt(Recording(EXAMPLES[0], run, judgement(run)))


@pytest.mark.parametrize(
    "spoilt", [{"contended_share": 0.3}, {"machine_growth": -0.27}, {"high": 0.7}, {"low": -0.6}]
)
def test_a_run_on_a_busy_machine_is_not_clear(spoilt: dict[str, float]) -> None:
    made = recording_of(EXAMPLES[0])
    assert made.clear
    verdict = replace(made.verdict, **spoilt)  # type: ignore[arg-type]
    assert not replace(made, judgement=replace(made.judgement, verdicts=(verdict,))).clear


def test_a_growth_may_be_as_large_as_it_likes() -> None:
    made = recording_of(EXAMPLES[2])
    assert made.verdict.label == "slowdown" and (made.verdict.high or 0) > 1 and made.clear


def test_a_run_is_made_again_until_it_is_judged_as_wanted_and_no_longer() -> None:
    runs = iter([run_of(LEVELS["slowdown"]), run_of(LEVELS["shift"]), FLAT, FLAT])
    assert record(Example("flat", "x", 200), lambda _: next(runs)).verdict.label == "flat"
    assert len(list(runs)) == 1


def test_what_is_never_judged_as_wanted_fails_and_says_what_was_said() -> None:
    runs = iter([FLAT] * 7)
    never = r"no undisturbed run that was judged shift, in 6: flat: .*flat: "
    with pytest.raises(LabkitError, match=never):
        record(Example("shift", "x", 200), lambda _: next(runs))
    assert len(list(runs)) == 1


def test_a_run_that_failed_is_no_picture() -> None:
    failed = replace(FLAT, state=State("failed", "The loop raised ValueError."))
    with pytest.raises(LabkitError, match="ValueError"):
        record(Example("flat", "x", 200), lambda _: failed)


def test_the_command_writes_nothing_where_a_label_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> list[Recording]:
        raise LabkitError("ready.py should be judged flat.")

    monkeypatch.setattr(command, "record_all", fail)
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert command.main() == 1
    assert list(tmp_path.iterdir()) == [] and "Nothing was written" in capsys.readouterr().err


def test_the_command_writes_the_page_and_a_picture_for_each_label(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "record_all", lambda: [recording_of(e) for e in EXAMPLES])
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert command.main() == 0
    assert {path.stem for path in (tmp_path / "atlas").iterdir()} == set(LABELS)
    assert "## slowdown" in (tmp_path / "atlas.md").read_text(encoding="utf-8")
