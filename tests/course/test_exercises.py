"""Exercises: judged on what a repair does, and not on what it says.

Tier: make test for the stub of each, a crash, and a solution of each lesson; all other solutions,
the wrong repairs and the second right one of each run in make test-full.
"""

from __future__ import annotations

import re
import tomllib
from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from labkit.course.exercises import attempt as exercise_module
from labkit.course.exercises.attempt import attempt, hint, solution
from labkit.course.exercises.demand import NO_LONGER, Demand, Measured, _same_results
from labkit.course.exercises.exercise import (
    Exercise,
    exercise_names,
    load_exercise,
    read_exercise,
)
from labkit.course.exercises.outcome import Outcome, is_untouched
from labkit.record import ChoiceError, LabkitError, Steps

pytestmark = pytest.mark.in_turn

FOLDER = Path(__file__).parent / "repairs"
NAMES = exercise_names()
FIRST = {name.partition(".")[0]: name for name in reversed(NAMES)}
ONE_A_LESSON = [
    name if name in FIRST.values() else pytest.param(name, marks=pytest.mark.full) for name in NAMES
]
SIMPLE = "graph_growth.build_once"


@dataclass(frozen=True)
class Repair:
    """A repair of an exercise's loop, and words of the demand that refuses it; none if right."""

    exercise: str
    name: str
    refused: str
    code: str

    def __str__(self) -> str:
        return f"{self.exercise}-{self.name}"


def repairs(kind: str, exercise: str = "*.*") -> list[Repair]:
    """Return the ``wrong`` or the ``right`` repairs of an exercise, or of all."""
    found = []
    for file in sorted(FOLDER.glob(f"{exercise.replace('.', '/', 1)}.toml")):
        name = f"{file.parent.name}.{file.stem}"
        for facts in tomllib.loads(file.read_text("utf-8")).get(kind, ()):
            found.append(Repair(name, facts["name"], facts.get("refused", ""), _code(name, facts)))
    return found


def _code(exercise: str, facts: dict[str, Any]) -> str:
    # Written as what it changes in the loop to repair, so that loop and repairs cannot part.
    if "code" in facts:
        return str(facts["code"])
    code = load_exercise(exercise).stub
    for change in facts["change"]:
        assert code.count(change["old"]) == 1, f"{exercise}: not once in it:\n{change['old']}"
        code = code.replace(change["old"], change["new"])
    return code


def missed(said: Outcome) -> list[str]:
    return [each.words for each in said.demands if not each.met]


@pytest.mark.parametrize("name", NAMES)
def test_the_untouched_loop_is_not_attempted_whatever_is_said_beside_it(name: str) -> None:
    stub = load_exercise(name).stub
    for code in (stub, f"# right\n{stub}\n# I mended it\n"):
        assert attempt(name, code).name == "not_attempted"


@pytest.mark.parametrize("name", ONE_A_LESSON)
def test_the_solution_is_right(name: str) -> None:
    said = attempt(name, load_exercise(name).solution)
    assert said.name == "right", str(said)
    assert re.match(
        r"Right: repaired, ([\d,.]+ times as fast|.+; that decides here, |all demands)",
        said.sentence,
    )
    assert said.picture is not None and "<img" in said.html()
    assert [len(run.steps) for run in said.runs] == [
        load_exercise(name).broken_steps, load_exercise(name).steps
    ]  # fmt: skip


def test_a_repair_that_is_none_has_no_picture_of_before_and_after() -> None:
    wrong = repairs("wrong", SIMPLE)[0]
    said = attempt(SIMPLE, wrong.code)
    assert said.name == "wrong" and said.picture is None and "<img" not in said.html()


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_two_wrong_repairs_and_another_right_one_to_be_held_against(
    name: str,
) -> None:
    assert len(repairs("wrong", name)) >= 2 and all(each.refused for each in repairs("wrong", name))
    assert len(repairs("right", name)) >= 1
    assert len(load_exercise(name).hints) == 3


def test_every_repair_belongs_to_an_exercise() -> None:
    files = {f"{path.parent.name}.{path.stem}" for path in FOLDER.glob("*/*.toml")}
    assert files == set(NAMES)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_the_loop_with_a_line_that_changes_nothing_is_refused(name: str) -> None:
    said = attempt(name, f"{load_exercise(name).stub}\n\nMENDED = True\n")
    assert said.name == "wrong" and missed(said), str(said)


@pytest.mark.full
@pytest.mark.parametrize("repair", repairs("wrong"), ids=str)
def test_a_wrong_repair_is_refused_with_what_was_measured(repair: Repair) -> None:
    said = attempt(repair.exercise, repair.code)
    assert said.name == "wrong", str(said)
    assert any(repair.refused in words for words in missed(said)), str(said)


@pytest.mark.full
def test_a_repair_is_not_right_because_the_loop_was_slow_when_it_was_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "input.ask_once"
    calm = exercise_module._measure_broken(load_exercise(name))
    names = ["start_seconds", "seconds", *(each.name for each in calm.run.columns)]
    columns = {each: calm.run.steps.column(each) for each in names}
    columns["seconds"] = array("d", [4 * each for each in columns["seconds"]])
    busy = replace(calm, run=replace(calm.run, steps=Steps(columns)))
    monkeypatch.setitem(exercise_module._broken, name, busy)
    (wrong,) = (each for each in repairs("wrong", name) if "cache_after_repeat" in str(each))
    said = attempt(name, wrong.code)
    assert said.name == "wrong" and any("a step takes" in each for each in missed(said))


@pytest.mark.parametrize(
    ("unmet", "name"), [(NO_LONGER, "right"), ("a step takes less", "wrong")], ids=str
)
def test_a_loop_that_grew_once_is_measured_once_more_and_for_nothing_else(
    monkeypatch: pytest.MonkeyPatch, unmet: str, name: str
) -> None:
    """Recorded: the machine became slower by half within the run of a right repair."""
    judged = exercise_module.judge_attempt
    once = [Demand(unmet, False, "as a busy machine has it")]

    def busy_once(exercise: Exercise, broken: Measured, measured: Measured) -> Outcome:
        if once:
            return Outcome(exercise, "wrong", "Not yet.", (once.pop(),))
        return judged(exercise, broken, measured)

    monkeypatch.setattr(exercise_module, "judge_attempt", busy_once)
    said = attempt(SIMPLE, load_exercise(SIMPLE).solution)
    assert said.name == name, str(said)


@pytest.mark.full
@pytest.mark.parametrize("repair", repairs("right"), ids=str)
def test_another_right_repair_passes(repair: Repair) -> None:
    said = attempt(repair.exercise, repair.code)
    assert said.name == "right", str(said)


@pytest.mark.parametrize(
    "name",
    [name if name == SIMPLE else pytest.param(name, marks=pytest.mark.full) for name in NAMES],
)
def test_a_crash_names_the_line_of_the_cell_and_no_file(name: str) -> None:
    stub = load_exercise(name).stub
    code = re.sub(r"( +)return step\b", r"\1return lambda: [][7]", stub)
    assert code != stub
    said = attempt(name, code)
    assert said.name == "crashed", str(said)
    # One more than in the code: the magic has the cell's first line.
    line = 2 + code.splitlines().index(next(each for each in code.splitlines() if "[][7]" in each))
    assert f'this cell", line {line}' in said.traceback
    assert "IndexError" in said.traceback
    assert "/tmp" not in said.traceback.split("this cell")[1]


@pytest.mark.full
def test_printing_the_right_words_helps_nobody() -> None:
    stub = load_exercise(SIMPLE).stub
    loud = stub.replace("def step():", "def step():\n        print('Right: flat, at rest, met')")
    assert attempt(SIMPLE, loud).name == "wrong"


def test_returning_nothing_is_refused_in_a_sentence() -> None:
    stub = load_exercise(SIMPLE).stub
    said = attempt(SIMPLE, re.sub(r"return session\.run.*", "pass", stub))
    assert said.name == "crashed"
    assert "must return one number" in said.sentence


@pytest.mark.parametrize(
    ("returned", "met"), [((), False), ((1.0, 2.0), False), ((1.0, 2.0, 3.0, 4.0), True)]
)
def test_steps_that_returned_nothing_did_not_return_the_same(
    returned: tuple[float, ...], met: bool
) -> None:
    assert _same_results((1.0, 2.0, 3.0), returned, 1e-3).met is met


def test_code_without_make_step_is_refused_in_a_sentence() -> None:
    with pytest.raises(LabkitError, match=r"this cell defines no make_step\(\)"):
        attempt(SIMPLE, "x = 1")


def test_code_that_is_no_python_is_no_attempt_at_all() -> None:
    assert not is_untouched(load_exercise(SIMPLE), "def make_step(:")
    with pytest.raises(LabkitError, match="is not Python"):
        attempt(SIMPLE, "def make_step(:")


def test_hints_come_one_by_one_and_end_with_the_solution(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hint(SIMPLE)
    assert f"lk.hint('{SIMPLE}', 2)" in capsys.readouterr().out
    hint(SIMPLE, 3)
    assert f"lk.solution('{SIMPLE}')" in capsys.readouterr().out
    with pytest.raises(LabkitError, match="there are 3"):
        hint(SIMPLE, 4)


def test_the_solution_is_shown_as_what_changes(capsys: pytest.CaptureFixture[str]) -> None:
    solution(SIMPLE)
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("- ") for line in lines)
    assert any(line.startswith("+ ") for line in lines)


def test_an_exercise_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ChoiceError, match=SIMPLE):
        attempt("graph_growth.nothing", "")


PLAIN: dict[str, object] = {"title": "t", "task": "t", "steps": 9, "hints": []}
BAD = {"no demand": PLAIN, "an unknown word": {**PLAIN, "speed": 3}}


@pytest.mark.parametrize("facts", BAD.values(), ids=BAD.keys())
def test_an_exercise_that_demands_nothing_or_something_unknown_is_none(
    facts: dict[str, object],
) -> None:
    with pytest.raises(ValueError, match=r"exercise lab\.name"):
        read_exercise("lab.name", facts, "", "")
