"""What is true of each script: which loop's turns are its steps, what happens to them, and where.

The truth of a set stands in a TOML file beside its folder, and how it was measured at its head.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from labkit.record.verdict import Label

FOLDER = Path(__file__).parent
# Other words that are true as well: the first steps of nearly every loop are slow ones, and a climb
# may be called by its leap.
ALSO: Mapping[str, tuple[Label, ...]] = {
    "flat": ("warmup",),
    "slowdown": ("shift",),
    "shift": ("slowdown",),
}


@dataclass(frozen=True)
class ScriptTruth:
    """What is right for one script.

    Args:
        name: Its file's name without the ending, or its package's.
        group: The set it is of, which is its folder's name.
        arguments: What comes after its name.
        module: What comes after ``python -m``; empty where it is a file.
        step_file: The end of the path of the file whose loop's turns are the steps.
        step_line: The line that loop begins in.
        labels: The verdicts on the time that are right, the plainest first.
        causes: Those of which one must stand first; empty where nothing is to be found.
        lines: The places, as ``train.py:61``, of which any is right as the line that does it.
        leaks: Whether something is kept for ever.
        kind: What the fault does, in a word.
    """

    name: str
    group: str
    arguments: tuple[str, ...]
    module: str
    step_file: str
    step_line: int
    labels: tuple[Label, ...]
    causes: tuple[str, ...]
    lines: frozenset[str]
    leaks: bool
    kind: str

    @property
    def folder(self) -> Path:
        """The folder that it is run in."""
        return FOLDER / self.group

    @property
    def healthy(self) -> bool:
        """Whether there is nothing to be found."""
        return not self.causes

    @property
    def mended(self) -> bool:
        """Whether it is the twin of a script with a fault, without it."""
        return self.name.endswith("_mended")


def scripts(group: str) -> tuple[ScriptTruth, ...]:
    """Return the truth of a set's scripts.

    Args:
        group: ``known``, ``held_out``, ``unseen`` or ``newest``.
    """
    table = tomllib.loads((FOLDER / f"{group}.toml").read_text())
    return tuple(_truth(name, group, row) for name, row in table.items())


def _truth(name: str, group: str, row: Mapping[str, object]) -> ScriptTruth:
    label = cast(Label, row["label"])
    also = cast("list[Label]", row.get("also", []))
    module = str(row.get("module", ""))
    cause = row["cause"]
    causes = cause if isinstance(cause, list) else [cause] if cause else []
    own = f"{module.replace('.', '/')}.py" if module else f"{name}.py"
    lines = cast("list[int | str]", row["lines"])
    return ScriptTruth(
        name=name, group=group, arguments=tuple(cast("list[str]", row["run"])), module=module,
        step_file=str(row.get("step_file", own)), step_line=cast(int, row["step_line"]),
        labels=(label, *ALSO.get(label, ()), *also), causes=tuple(causes),
        lines=frozenset(f"{Path(own).name}:{line}" if isinstance(line, int) else line
                        for line in lines),
        leaks=bool(row["leak"]), kind=str(row["kind"]),
    )  # fmt: skip
