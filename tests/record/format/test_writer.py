"""What was saved can be read again, whatever the loop printed, raised or counted.

Tier: make test, in turn.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings, strategies

from labkit.record import (
    Column,
    Event,
    LabkitError,
    Run,
    State,
    load_run,
    run_from_lines,
    run_to_lines,
    save_run,
)
from labkit.record.format import writer
from labkit.record.format.limits import MOST_ENTRIES
from tests.record.example import full_run, runs, steps, toggled

pytestmark = pytest.mark.in_turn

ODD = "caf\udce9"  # a name of a file that is no UTF-8, as Python has it
ESCAPED = r"caf\udce9"


def again(run: Run) -> Run:
    return run_from_lines(run_to_lines(run))


def test_what_is_no_text_elsewhere_is_kept_as_an_escape() -> None:
    """Recorded: such a run was saved and loaded, and then no report of it could be written."""
    run = replace(
        full_run(), title=ODD, log=ODD, state=State("failed", ODD, ODD), toggles={ODD: ODD},
        settings={ODD: ODD}, environment={"gpu": ODD}, events=(Event(0, ODD, ODD, {ODD: ODD}),),
    )  # fmt: skip
    loaded = again(run)
    repr_of_all = "".join(map(str, vars(loaded).values()))
    repr_of_all.encode()
    assert loaded.title == loaded.log == loaded.state.reason == ESCAPED
    assert loaded.toggles == {ESCAPED: ESCAPED} and loaded.events[0].detail == {ESCAPED: ESCAPED}


def test_a_title_is_one_line_that_a_picture_can_hold() -> None:
    """Recorded: a title with an escape of a terminal in it made an SVG that no browser opens."""
    run = replace(full_run(), title="a\x1b[31m\nb", events=(Event(0, "gc", "a\x00\u2028", {}),))
    assert again(run).title == r"a\x1b[31m\nb"
    assert again(run).events[0].text == r"a\x00\u2028"


def test_what_is_printed_keeps_its_lines_and_colours() -> None:
    said = "10%\r100%\n\x1b[31mred\x1b[0m\ttab"
    run = replace(full_run(), log=said, state=State("failed", said, said))
    assert again(run) == run


def test_of_text_that_is_too_long_the_beginning_and_the_end_are_kept() -> None:
    text = "first " + "x" * 1_000_000 + " last"
    run = replace(full_run(), title=text, state=State("failed", text, text), log=text)
    loaded = again(run)
    for said, most in (
        (loaded.title, 1_000),
        (loaded.log, 200_000),
        (loaded.state.reason, 200_000),
    ):
        assert said.startswith("first ") and said.endswith(" last") and len(said) <= most
        assert " ... " in said


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_a_counter_that_is_not_finite_is_read_as_not_measured(value: float) -> None:
    """A loss that grew beyond all bounds."""
    run = replace(
        full_run(), steps=steps([0.1, 0.2], [1.0, value]), others=(), environment={"a": value},
        evidence={"a": ((0, 1.0), (1, value))}, events=(Event(0, "gc", "gc", {"ms": value}),),
    )  # fmt: skip
    loaded = again(run)
    assert [math.isnan(each) for each in loaded.steps.column("graph_ops")] == [False, True]
    assert loaded.environment == {"a": None} and loaded.events[0].detail == {"ms": None}
    assert loaded.evidence == {"a": ((0, 1.0),)}


def test_what_two_threads_told_is_saved_in_order() -> None:
    events = tuple(Event(step, "gc", f"number {place}") for place, step in enumerate((2, 0, 2, 1)))
    run = replace(full_run(), events=events, evidence={"a": ((2, 1.0), (1, 2.0), (9, 3.0))})
    assert [each.text[-1] for each in again(run).events] == ["1", "3", "0", "2"]
    assert again(run).evidence == {"a": ((1, 2.0), (2, 1.0))}, "there is no step 9"


def test_a_loop_may_count_what_labkit_counts_and_tell_of_columns_before_they_come() -> None:
    first, *rest = full_run().columns
    others = (Column("later", "later", "s", "place"), replace(first, title="the loop's own"))
    run = replace(full_run(), columns=(first, *rest, *others))
    assert again(run) == full_run()


def test_of_too_many_names_those_that_were_read_most_often_are_kept() -> None:
    """Recorded: the run of a long program, with a thousand lines seen in a look, was refused."""
    once = {f"stack/train.py:{line} step": ((3, 0.001),) for line in range(MOST_ENTRIES + 200)}
    often = {"heap_bytes": ((1, 1.0), (2, 2.0), (3, 3.0))}
    loaded = again(replace(full_run(), evidence={**once, **often}))
    assert len(loaded.evidence) == MOST_ENTRIES
    assert loaded.evidence["heap_bytes"] == often["heap_bytes"]


def test_too_many_readings_are_thinned_and_the_last_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer, "MOST_READINGS", 10)
    long = replace(full_run(), evidence={"a": tuple((1, float(n)) for n in range(25))})
    kept = [value for _, value in again(long).evidence["a"]]
    assert kept[-1] == 24 and len(kept) == 9 and kept[1] - kept[0] == 3
    short = replace(full_run(), evidence={"a": tuple((1, float(n)) for n in range(10))})
    assert again(short) == short


NONSENSE: dict[str, tuple[dict[str, Any], str]] = {
    "a title that is none": ({"title": 5}, "its title is 5 where text belongs"),
    "a step of no time": ({"steps": steps([0.1, 0.0])}, "its seconds is 0.0 where a time from"),
    "a step before time": ({"steps": steps([0.1, -0.1])}, "its seconds is -0.1 where a time"),
    "a step that was not timed": ({"steps": steps([0.1, math.nan])}, "its seconds is NaN where"),
    "an event too late": ({"events": (Event(4, "gc", "gc"),)}, "its event is at step 4, but the"),
    "a toggle of numbers": ({"toggles": {"a": 5}}, "its toggles.a is 5 where true, false or text"),
    "a flip without a value": (
        {"events": (Event(1, "toggle", "x", {"name": "x"}),)}, "event.detail lacks the field"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changed", "words"), NONSENSE.values(), ids=NONSENSE)
def test_what_no_loop_leaves_behind_is_not_saved_and_says_why(
    changed: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(LabkitError) as caught:
        save_run(replace(full_run(), **changed), tmp_path / "run.jsonl")
    assert words in str(caught.value) and "give a run as labkit records it." in str(caught.value)
    assert not list(tmp_path.iterdir())


ANY_TEXT = strategies.text(strategies.characters(), max_size=20)


@given(runs(), ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_is_saved_and_what_is_read_is_saved_as_it_is(
    run: Run, title: str, log: str, name: str
) -> None:
    odd = replace(
        run, title=title, log=log, state=State("failed", log, log), toggles={name: title},
        environment={name: log}, events=(toggled(0, name, title),),
    )  # fmt: skip
    loaded = again(odd)
    assert again(loaded) == loaded
    json.dumps(vars(loaded.state), ensure_ascii=False).encode()
    f"{loaded.title}{loaded.log}{loaded.toggles}{loaded.environment}{loaded.events}".encode()


# Of a failure the whole run is told: to make it smaller first would take minutes.
@settings(phases=[Phase.generate], max_examples=200)
@given(runs(rough=True))
def test_whatever_is_saved_is_loaded_and_from_then_on_stays_the_same(run: Run) -> None:
    loaded = again(run)
    assert again(loaded) == loaded
    assert loaded.steps == run.steps and loaded.state.name == run.state.name
    assert sorted(each.step for each in run.events) == [each.step for each in loaded.events]


@pytest.mark.parametrize("field", ["name", "value"])
def test_a_flip_of_long_words_is_loaded_and_says_what_the_toggles_say(
    field: str, tmp_path: Path
) -> None:
    """Recorded: it was saved whole, and the file was then refused."""
    long = "first " + "x\n" * 2_000 + " last"
    flip = {"name": "mode", "value": "chain", field: long}
    event = Event(1, "toggle", "a flip", flip)
    run = replace(full_run(), events=(event,), toggles={flip["name"]: flip["value"]})
    loaded = load_run(save_run(run, tmp_path / "run.jsonl"))
    detail = loaded.events[0].detail
    assert len(str(detail[field])) == 1_000 and str(detail[field]).endswith(" last")
    assert loaded.toggles == {detail["name"]: detail["value"]}


def test_a_flip_of_usual_words_is_kept_with_all_that_is_told_of_it() -> None:
    more = Event(1, "toggle", "x", {"name": "mode", "value": "chain", "why": "a\nb" * 1_000})
    run = replace(full_run(), events=(more, toggled(2, "grow", False)))
    assert again(run) == run


def test_a_file_with_an_odd_name_is_told_in_one_line(tmp_path: Path) -> None:
    odd = tmp_path / f"two\nlines {ODD}.jsonl"
    odd.write_text("no run")
    with pytest.raises(LabkitError) as caught:
        load_run(odd)
    assert str(caught.value).startswith(rf"two\nlines {ESCAPED}.jsonl, line 1")
