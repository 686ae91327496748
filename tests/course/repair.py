"""Repairs of the exercises' loops: wrong ones with the demand that refuses them, and right ones.

Each is written as what it changes in the loop to repair, so that loop and repairs cannot part.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.course.exercises.exercise import load_exercise

FOLDER = Path(__file__).parent / "repairs"


@dataclass(frozen=True)
class Repair:
    """A repair of one exercise's loop.

    Args:
        exercise: Its name, e.g. ``"graph_growth.build_once"``.
        name: What this repair is called.
        refused: Words of the demand that refuses it; empty for a right one.
        code: The whole loop.
    """

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
    if "code" in facts:
        return str(facts["code"])
    code = load_exercise(exercise).stub
    for change in facts["change"]:
        assert code.count(change["old"]) == 1, f"{exercise}: not once in it:\n{change['old']}"
        code = code.replace(change["old"], change["new"])
    return code
