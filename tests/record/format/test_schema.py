"""Each field of a run file is checked when it is read, and what is right is left alone.

Tier: make test.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from labkit.record import RunFileError, run_from_lines, run_to_lines
from labkit.record.memory_map import KIND, MemoryMap
from labkit.record.run import Event, Run
from labkit.record.steps import Column, Steps
from tests.record.example import full_run, steps, toggled, without_checksum

MAP = MemoryMap.of_blocks([[(1024, True), (2048, False)]])
FORMAT, FACTS, FLIP, GC, MAPPED, FIRST, SECOND, THIRD, OTHER, END = range(10)


def mapped_run() -> Run:
    run = full_run()
    return replace(run, events=(*run.events, Event(3, KIND, "the pool", MAP.detail())))


def file() -> list[Any]:
    """Return what stands in each line of a file that has everything."""
    return [json.loads(line) for line in run_to_lines(mapped_run())]


def read(told: list[Any]) -> Run:
    return run_from_lines(map(json.dumps, told), "kept.jsonl")


def assert_refused(told: list[Any], line: int, words: str) -> None:
    """Check that a file is refused, with its line (from 0 here) and these words, in one line."""
    with pytest.raises(RunFileError) as caught:
        read(told)
    sentence = str(caught.value)
    assert sentence.startswith(f"kept.jsonl, line {line + 1}, is damaged: "), sentence
    assert words in sentence and sentence.endswith("; use another copy of the file."), sentence
    assert "\n" not in sentence and len(sentence) < 300


def test_the_file_as_it_is_comes_back() -> None:
    assert read(file()) == mapped_run()


TEXT, NAME = "text belongs", "text belongs"
FACT = "text, a finite number, true, false or null belongs"
OBJECT, LIST, NUMBER = "an object belongs", "a list belongs", "a finite number"
WHOLE, SWITCH = "a whole number belongs", "true, false or text belongs"
# Of each field: where it stands, values that are wrong, and what the sentence says belongs there.
FIELDS: list[tuple[int, tuple[Any, ...], list[Any], str]] = [
    (FACTS, ("cause",), [None, 5, [], {}], TEXT),
    (FACTS, ("title",), [None, 5, True, []], TEXT),
    (FACTS, ("log",), [None, 5, []], TEXT),
    (FACTS, ("state",), [None, "done", []], OBJECT),
    (FACTS, ("state", "name"), [None, 5, "asleep", []], "one of starting, running, done"),
    (FACTS, ("state", "reason"), [None, 5], TEXT),
    (FACTS, ("state", "traceback"), [None, 5], TEXT),
    (FACTS, ("toggles",), [None, [], "grow", 5], OBJECT),
    (FACTS, ("toggles", "grow"), [None, 1, 0.5, []], SWITCH),
    (FACTS, ("settings",), [None, [], 5], OBJECT),
    (FACTS, ("settings", "seed"), [[], {}], FACT),
    (FACTS, ("environment",), [None, [], 5], OBJECT),
    (FACTS, ("environment", "cores"), [[], {}], FACT),
    (FACTS, ("evidence",), [None, [], 5], OBJECT),
    (FACTS, ("evidence", "rss_bytes"), [None, {}, 5], LIST),
    (FACTS, ("evidence", "rss_bytes", 1), [None, 5, [1], [1, 2, 3]], "a list of two values"),
    (FACTS, ("evidence", "rss_bytes", 1, 0), [None, 0.5, True, "1"], WHOLE),
    (FACTS, ("evidence", "rss_bytes", 1, 1), [None, True, "1"], NUMBER),
    (FACTS, ("columns",), [None, {}, 5], LIST),
    (FACTS, ("columns", 2), [None, [], "seconds"], OBJECT),
    (FACTS, ("columns", 2, "name"), [None, 5], NAME),
    (FACTS, ("columns", 2, "title"), [None, 5], NAME),
    (FACTS, ("columns", 2, "unit"), [None, 5], NAME),
    (FACTS, ("columns", 2, "kind"), [None, 5, "gauge"], "one of clock, place, counter, machine"),
    (FACTS, ("names",), [None, {}, 5], LIST),
    (FACTS, ("names", 2), [None, 5, []], NAME),
    (GC, ("event",), [None, [], 5], OBJECT),
    (GC, ("event", "step"), [None, True, 0.5, 2.0, "2"], WHOLE),
    (GC, ("event", "kind"), [None, 5, []], NAME),
    (GC, ("event", "text"), [None, 5, []], NAME),
    (GC, ("event", "detail"), [None, [], 5], OBJECT),
    (GC, ("event", "detail", "ms"), [[], {}], FACT),
    (FLIP, ("event", "detail", "name"), [None, 5, True], NAME),
    (FLIP, ("event", "detail", "value"), [None, 5], SWITCH),
    (MAPPED, ("event", "detail", "map"), ["?", None, 5], "no map of memory that can be read"),
    (MAPPED, ("event", "detail", "pool_bytes"), ["many", None], "no map of memory"),
    (SECOND, (0,), [None, 0.5, 0.0, -1, 5000], "a whole number"),
    (SECOND, (0,), ["0", True], "a whole number"),
    (SECOND, (1,), [None, -1.0], "a time from 0.0 on belongs"),
    (SECOND, (2,), [None, 0, -0.5, 1e-10, 1e7], "a time from 1e-09 to 1,000,000 seconds belongs"),
    (SECOND, (3,), ["28", True, [], {}], "a finite number or null belongs"),
    (END, ("end",), [None, {}, 4], LIST),
    (END, ("end", 1), [None, True, -1, 1.0, "1"], "a whole number from 0 to"),
]
CASES = [(line, path, value, words) for line, path, values, words in FIELDS for value in values]


@pytest.mark.parametrize(("line", "path", "value", "words"), CASES)
def test_a_field_that_holds_something_else_is_named_with_what_belongs_there(
    line: int, path: tuple[Any, ...], value: Any, words: str
) -> None:
    """Recorded: of 171 such files 46 were read, and broke a chart, a report or a replay later."""
    told = file()
    place = told[line]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert_refused(told, line, words)


def lacking(line: int, *path: Any) -> Callable[[list[Any]], None]:
    def change(told: list[Any]) -> None:
        place = told[line]
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


def of_facts(**changed: Any) -> Callable[[list[Any]], None]:
    return lambda told: told[FACTS].update(changed)


def clock_of(line: int, start: float) -> Callable[[list[Any]], None]:
    def change(told: list[Any]) -> None:
        told[line][1] = start

    return change


def swapped(told: list[Any]) -> None:
    told[FLIP], told[GC] = told[GC], told[FLIP]


def renamed(told: list[Any]) -> None:
    told[FACTS]["columns"][2]["name"] = "nodes"


def described_twice(told: list[Any]) -> None:
    told[FACTS]["columns"].append(told[FACTS]["columns"][1])


NAMES = ["start_seconds", "seconds", "seconds"]
DISAGREEING: dict[str, tuple[Callable[[list[Any]], None], int, str]] = {
    "times that go backwards": (clock_of(THIRD, 0.5), THIRD, "from 1.0 on belongs"),
    "flips out of order": (swapped, GC, "event at step 1 comes after one at step 2"),
    "readings after the end": (of_facts(evidence={"a": [[4, 1.0]]}), FACTS, '"a" is at step 4'),
    "readings before 0": (of_facts(evidence={"a": [[-1, 1.0]]}), FACTS, '"a" is at step -1'),
    "readings out of order": (
        of_facts(evidence={"a": [[2, 1.0], [1, 1.0]]}), FACTS, "at step 1 comes after one at step 2"
    ),
    "a name twice": (of_facts(names=NAMES), FACTS, 'its names has "seconds" twice'),
    "a column described twice": (described_twice, FACTS, 'its columns has "seconds" twice'),
    "a column that is not there": (renamed, FACTS, 'describe "nodes", which its names'),
    "no clock": (of_facts(names=["start_seconds", "a", "b"]), FACTS, "'seconds' is missing"),
    "no worker": (lambda told: told[END].update(end=[]), END, "its end names no worker"),
    "no title": (lacking(FACTS, "title"), FACTS, 'it lacks the field "title"'),
    "no reason": (lacking(FACTS, "state", "reason"), FACTS, 'its state lacks the field "reason"'),
    "no unit": (lacking(FACTS, "columns", 2, "unit"), FACTS, 'columns[2] lacks the field "unit"'),
    "no text": (lacking(GC, "event", "text"), GC, 'its event lacks the field "text"'),
    "a flip to nothing": (lacking(FLIP, "event", "detail", "value"), FLIP, "event.detail lacks"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "line", "words"), DISAGREEING.values(), ids=DISAGREEING)
def test_what_does_not_agree_is_named(
    change: Callable[[list[Any]], None], line: int, words: str
) -> None:
    told = file()
    change(told)
    assert_refused(told, line, words)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
@pytest.mark.parametrize(
    ("line", "old"), [(FACTS, '"seed": 7'), (GC, '"ms": 1.5'), (SECOND, "0.30000000000000004")]
)
def test_a_number_that_is_none_is_refused_wherever_it_stands(
    line: int, old: str, word: str
) -> None:
    lines = list(run_to_lines(mapped_run()))
    number = old.rpartition(" ")[2]
    assert old in lines[line]
    lines[line] = lines[line].replace(old, old.replace(number, word))
    with pytest.raises(RunFileError, match=f"line {line + 1}, is damaged"):
        run_from_lines(lines)


@pytest.mark.parametrize("unit", ["s", "ops"])
def test_a_whole_number_that_no_double_holds_is_refused_in_any_column(unit: str) -> None:
    """Seen: one in a column of seconds raised OverflowError, and a folder's report was lost."""
    run = full_run()
    column = Column("worked", "work", unit, "machine")
    data = {name: run.steps.column(name) for name in run.steps.names} | {"worked": [0.1] * 3}
    run = replace(run, columns=(*run.columns, column), steps=Steps(data), others=())
    lines = list(run_to_lines(run))
    (place,) = [k for k, line in enumerate(lines) if "1e-09" in line]
    lines[place] = lines[place].replace("0.1]", f"{10**400}]")
    with pytest.raises(RunFileError, match=f"line {place + 1}, is damaged"):
        run_from_lines(lines)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_a_counter_without_bounds_that_an_earlier_labkit_saved_was_not_measured(word: str) -> None:
    lines = without_checksum(run_to_lines(full_run()))
    lines[4] = lines[4].replace("18.0", word)
    told = run_from_lines(lines).steps.column("graph_ops")
    assert [math.isnan(each) for each in told] == [True, True, False]


@pytest.mark.parametrize("brackets", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900])
def test_brackets_within_brackets_are_refused_in_one_sentence(brackets: str) -> None:
    lines = list(run_to_lines(full_run()))
    lines[1] = lines[1].replace('"settings": {', f'"settings": {brackets}, "old": {{')
    with pytest.raises(RunFileError, match=r"line 2, is damaged: .*; use another copy of"):
        run_from_lines(lines)


def test_columns_that_nobody_describes_are_read() -> None:
    """A loop of the reader's own may be saved without a word on what was recorded."""
    for columns in (full_run().columns[:2], ()):
        run = replace(full_run(), columns=columns)
        assert run_from_lines(run_to_lines(run)) == run


def test_several_things_may_happen_at_one_step_and_at_either_end() -> None:
    events = (toggled(0, "grow", False), toggled(3, "grow", True), toggled(3, "mode", "tree"))
    run = replace(full_run(), events=events, evidence={"a": ((0, 1.0), (3, 2.0), (3, -2.0))})
    assert run_from_lines(run_to_lines(run)) == run


def test_steps_may_begin_at_one_time() -> None:
    """A recording rounds its times, and a short step may begin where the one before did."""
    made = replace(full_run(), others=())
    named = {name: made.steps.column(name) for name in made.steps.names}
    run = replace(made, steps=type(made.steps)({**named, "start_seconds": [0.0, 0.0, 0.0]}))
    assert run_from_lines(run_to_lines(run)) == run


def test_a_worker_that_said_nothing_takes_no_columns_from_the_others() -> None:
    silent = type(full_run().steps)({"start_seconds": [], "seconds": []})
    run = replace(full_run(), columns=(), steps=silent, events=(), evidence={},
                  others=(steps([0.5], [3.0]),))  # fmt: skip
    loaded = run_from_lines(run_to_lines(run))
    assert not loaded.steps and loaded.others == run.others
