"""An exercise: a loop with a fault in it, and what its repair has to show.

An exercise is a folder ``exercises/LESSON/NAME`` with ``exercise.toml``, the broken loop
``stub.py`` and one repair, ``solution.py``. Both files define ``make_step() -> callable``, and each
step returns a number, so that a repair can be held against the loop it repairs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from labkit.record import ChoiceError

# Of the broken loop only the first steps are needed: what they return, and how long one takes.
BROKEN_STEPS = 40


@dataclass(frozen=True)
class Exercise:
    """A loop to repair, and how a repair is judged.

    Args:
        name: Lesson and exercise, e.g. ``"graph_growth.build_once"``.
        title: A few words.
        task: What is to be done, in one or two sentences.
        steps: How many steps a repair is run.
        hints: The next one says a little more than the one before.
        stub: The broken loop, as Python.
        solution: A repaired one.
        tolerance: By how much a result may differ from that of the broken loop, relatively.
        growth: A slowdown of more than this is refused; 0.25 is +25 %. None where time may grow.
        rests: Counters that may not rise in the second half of the run.
        keeps_nothing: Whether a loop that keeps something at every step is refused.
        time_share: How long a usual step may take, as a share of one of the broken loop. None where
            that does not matter.
        memory_bytes: How much the process may grow from the second step to its highest. None where
            that does not matter.
        not_found: Causes that a diagnosis of the repaired loop may not name.
    """

    name: str
    title: str
    task: str
    steps: int
    hints: tuple[str, ...]
    stub: str
    solution: str
    tolerance: float = 1e-3
    growth: float | None = None
    rests: tuple[str, ...] = ()
    keeps_nothing: bool = False
    time_share: float | None = None
    memory_bytes: float | None = None
    not_found: tuple[str, ...] = ()

    @property
    def broken_steps(self) -> int:
        """How many steps of the broken loop a repair is held against."""
        return min(BROKEN_STEPS, self.steps)


def exercise_names() -> tuple[str, ...]:
    """Return the names of all exercises, lesson by lesson."""
    return tuple(
        f"{lesson.name}.{each.name}"
        for lesson in _folders(resources.files("labkit.course.exercises"))
        for each in _folders(lesson)
    )


def load_exercise(name: str) -> Exercise:
    """Return an exercise by its name.

    Raises:
        ChoiceError: If there is none of that name; the sentence lists them.
    """
    if name not in exercise_names():
        raise ChoiceError("exercise", name, exercise_names())
    folder = resources.files("labkit.course.exercises").joinpath(*name.split("."))
    texts = {each.name: each.read_text("utf-8") for each in folder.iterdir() if each.is_file()}
    facts = tomllib.loads(texts["exercise.toml"])
    return read_exercise(name, facts, texts["stub.py"], texts["solution.py"])


def read_exercise(name: str, facts: Mapping[str, Any], stub: str, solution: str) -> Exercise:
    """Return an exercise from what its files say.

    Raises:
        ValueError: If ``exercise.toml`` names something that is no part of an exercise, or demands
            nothing.
    """
    known = {field.name for field in fields(Exercise)} - {"name", "stub", "solution"}
    if facts.keys() - known:
        raise ValueError(f"exercise {name}: there is no {sorted(facts.keys() - known)}")
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()
    }
    made = Exercise(name=name, stub=stub, solution=solution, **given)
    demands = (made.growth, made.time_share, made.memory_bytes)
    if all(each is None for each in demands) and not (
        made.rests or made.keeps_nothing or made.not_found
    ):
        raise ValueError(f"exercise {name} demands nothing, so its own stub would pass")
    return made


def _folders(place: Traversable) -> list[Traversable]:
    found = [each for each in place.iterdir() if each.is_dir() and not each.name.startswith("_")]
    return sorted(found, key=lambda each: each.name)
