"""The newest figures of every group, kept so that one group can be measured again alone."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.bench.figure import Figure


class Kept:
    """The figures in a file.

    Args:
        path: The file; where there is none yet, nothing is known.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._groups: dict[str, Any] = {}
        if path.is_file():
            self._groups = json.loads(path.read_text()).get("groups", {})

    def has(self, groups: Iterable[str]) -> bool:
        """Tell whether all of some groups were measured."""
        return set(groups) <= set(self._groups)

    def machine(self, group: str) -> Mapping[str, str]:
        """Return facts about the machine on which a group was measured."""
        facts: Mapping[str, str] = self._groups[group]["machine"]
        return facts

    def figures(self, groups: Iterable[str]) -> list[Figure]:
        """Return the figures of some groups, in order."""
        return [
            Figure(**{key: value for key, value in told.items() if key != "reached"})
            for group in groups
            for told in self._groups[group]["figures"]
        ]

    def add(self, measured: Mapping[str, Sequence[Figure]], machine: Mapping[str, str]) -> None:
        """Put newer figures in the place of older ones, and write the file.

        Args:
            measured: Figures by group.
            machine: Facts about the machine and the versions, by name.
        """
        for group, figures in measured.items():
            told = [{**dataclasses.asdict(each), "reached": each.mark or None} for each in figures]
            self._groups[group] = {"machine": dict(machine), "figures": told}
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps({"groups": self._groups}, indent=2) + "\n")
