"""The atlas: its page, its pictures, and the command that makes them. Tier: make test.

No loop is run here; what a run says is made up of series whose verdict is known.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Column, LabkitError, Run, State, Steps
from labkit.record.verdict import LABELS
from labkit.show.verdict_words import verdict_words
from tools.atlas.chart import chart, draw
from tools.atlas.example import EXAMPLES, LOOPS, Example
from tools.atlas.fitted import fitted_trend
from tools.atlas.page import TEMPLATE, alt, page
from tools.atlas.recording import Recording, record

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")
SECTIONS = dict(
    re.findall(r"^## (\w+)\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL),
)
PICTURE = re.compile(r"!\[([^]]+)\]\(([^)]+)\)")
LARGEST_BYTES = 40_000
LOOP_FILES = sorted(LOOPS.glob("*.py"))


def run_of(seconds: Callable[[np.random.Generator], list[float]], **changes: object) -> Run:
    """Return a finished run with made-up times."""
    times = seconds(np.random.default_rng(0))
    starts = np.cumsum([0.0, *times[:-1]])
    values: dict[str, object] = {
        "cause": "made_up", "title": "Made up", "state": State("done"),
        "columns": (Column("seconds", "step", "s", "machine"),),
        "steps": Steps({"start_seconds": starts.tolist(), "seconds": times}),
    }  # fmt: skip
    return Run(**{**values, **changes})  # type: ignore[arg-type]


def noisy(random: np.random.Generator, levels: np.ndarray) -> list[float]:
    return list(levels * np.exp(random.normal(0, 0.01, len(levels))))


def flat(random: np.random.Generator) -> list[float]:
    return noisy(random, np.full(200, 0.01))


def slowing(random: np.random.Generator) -> list[float]:
    return noisy(random, np.linspace(0.01, 0.03, 200))


def stepped(random: np.random.Generator) -> list[float]:
    return noisy(random, np.repeat([0.01, 0.02], 100))


def combed(random: np.random.Generator) -> list[float]:
    return noisy(random, np.where(np.arange(200) % 10 == 9, 0.05, 0.01))


def falling(random: np.random.Generator) -> list[float]:
    return noisy(random, np.linspace(0.03, 0.01, 200))


def rushing(random: np.random.Generator) -> list[float]:
    return noisy(random, 0.01 + 0.04 * np.linspace(0, 1, 200) ** 2)


def slow_at_first(random: np.random.Generator) -> list[float]:
    return noisy(random, np.repeat([0.05, 0.01], [20, 180]))


def wandering(random: np.random.Generator) -> list[float]:
    return noisy(random, np.repeat([0.01, 0.03, 0.015, 0.04, 0.012, 0.03, 0.02, 0.04], 25))


def too_few(random: np.random.Generator) -> list[float]:
    return [0.5, *noisy(random, np.full(11, 0.01))]


SERIES = dict(
    zip(
        LABELS,
        (flat, slow_at_first, slowing, stepped, combed, falling, wandering, too_few),
        strict=True,
    )
)


def recording_of(example: Example) -> Recording:
    run = run_of(SERIES[example.label])
    return Recording(example, run, judgement(run))


def test_there_is_one_example_for_each_label_in_their_order() -> None:
    assert tuple(example.label for example in EXAMPLES) == LABELS


def test_the_page_has_a_section_for_each_label_in_their_order() -> None:
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


def test_every_file_and_section_the_page_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", PAGE)
    there = [link for link in links if (ROOT / "docs" / link).is_file() or link[1:] in SECTIONS]
    assert len(links) > 3 * len(LABELS) and links == there


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
def test_a_loop_of_the_atlas_is_a_cause_of_the_name_of_its_file(path: Path) -> None:
    assert load(str(path)).slug == path.stem


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


def test_no_loop_of_the_atlas_sleeps() -> None:
    assert [path.name for path in LOOP_FILES if "sleep" in path.read_text()] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)
def test_every_label_gets_a_small_chart(example: Example) -> None:
    made = recording_of(example)
    assert made.verdict.label == example.label
    png = draw(made.run.steps.seconds, made.verdict, title="Made up")
    with Image.open(io.BytesIO(png)) as image:
        assert image.width == 840 and len(image.getcolors() or []) > 8
    assert len(png) < LARGEST_BYTES


def uneven_comb(random: np.random.Generator) -> list[float]:
    """One tooth is a little higher, there where the words stand, and one step far above all."""
    times = combed(random)
    times[129], times[103] = 0.057, 0.9
    return times


@pytest.mark.parametrize("shape", [combed, uneven_comb])
def test_the_mark_of_a_period_hides_no_step(
    shape: Callable[[np.random.Generator], list[float]],
) -> None:
    run = run_of(shape)
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
    ("shape", "label"), [(slowing, "slowdown"), (rushing, "slowdown"), (falling, "speedup")]
)
def test_a_trend_is_drawn_over_the_whole_run_and_follows_its_steps(
    shape: Callable[[np.random.Generator], list[float]], label: str
) -> None:
    run = run_of(shape)
    verdict = judgement(run).verdict
    assert verdict.label == label and verdict.first_seconds and verdict.last_seconds
    milliseconds = np.asarray(run.steps.seconds) * 1e3
    steps, levels = fitted_trend(milliseconds, verdict)
    assert steps[0] <= verdict.warmup_steps + 5 and steps[-1] >= len(milliseconds) - 5
    ends = [verdict.first_seconds * 1e3, verdict.last_seconds * 1e3]
    assert [levels[0], levels[-1]] == pytest.approx(ends, rel=0.02)
    assert levels == pytest.approx(milliseconds[np.round(steps).astype(int)], rel=0.08)


def test_words_on_a_warm_up_hide_as_few_steps_as_they_can() -> None:
    """A run that warms up and then goes down is where it would be otherwise."""
    run = run_of(lambda random: noisy(random, np.repeat([0.02, 0.0107], [40, 160])))
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
    text = page(made, {"processor": "a processor"}, "pictures")
    for each in made:
        assert f"> {verdict_words(each.verdict)}\n" in text
        assert f"![{alt(each)}](pictures/{each.example.label}.png)" in text
    assert "- processor: a processor" in text and "$" not in text


def test_words_that_would_break_the_alt_text_are_changed() -> None:
    run = run_of(flat, title="A loop [mine]\nof two lines")
    assert r"A loop (mine)\nof two lines" in alt(Recording(EXAMPLES[0], run, judgement(run)))


def test_a_run_that_is_judged_as_wanted_is_taken_at_once() -> None:
    played: list[Example] = []

    def play(example: Example) -> Run:
        played.append(example)
        return run_of(flat)

    assert record(Example("flat", "x", 200), play).verdict.label == "flat"
    assert len(played) == 1


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


def test_a_run_that_the_machine_spoilt_is_run_again() -> None:
    runs = iter([run_of(slowing), run_of(stepped), run_of(flat)])
    made = record(Example("flat", "x", 200), lambda _: next(runs))
    assert made.verdict.label == "flat"


def test_what_is_never_judged_as_wanted_fails_and_says_what_was_said() -> None:
    played: list[Example] = []

    def play(example: Example) -> Run:
        played.append(example)
        return run_of(flat)

    with pytest.raises(
        LabkitError, match=r"no undisturbed run that was judged shift, in 6: flat: .*flat: "
    ):
        record(Example("shift", "x", 200), play)
    assert len(played) == 6


def test_a_run_that_failed_is_no_picture() -> None:
    def play(example: Example) -> Run:
        return run_of(flat, state=State("failed", "The loop raised ValueError."))

    with pytest.raises(LabkitError, match="ValueError"):
        record(Example("flat", "x", 200), play)


def test_the_command_writes_nothing_where_a_label_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import tools.atlas.__main__ as command

    def fail() -> list[Recording]:
        raise LabkitError("ready.py should be judged flat.")

    monkeypatch.setattr(command, "record_all", fail)
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert command.main() == 1
    assert list(tmp_path.iterdir()) == [] and "Nothing was written" in capsys.readouterr().err


def test_the_command_writes_the_page_and_a_picture_for_each_label(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import tools.atlas.__main__ as command

    monkeypatch.setattr(command, "record_all", lambda: [recording_of(e) for e in EXAMPLES])
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert command.main() == 0
    assert {path.stem for path in (tmp_path / "atlas").iterdir()} == set(LABELS)
    assert "## slowdown" in (tmp_path / "atlas.md").read_text(encoding="utf-8")
