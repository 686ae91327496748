"""Where the figures of a measurement go: a file that keeps the newest, and pages of docs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.bench.figure import Figure, markdown

# Facts without which two figures are not of one kind.
TELLING = ("date", "processor", "cores", "TensorFlow", "Python")


class Kept:
    """The newest figures of every group, so that one group can be measured again alone.

    Args:
        path: The file; where there is none yet, nothing is known.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._groups: dict[str, Any] = {}
        if path.is_file():
            self._groups = json.loads(path.read_text())["groups"]

    def machines(self, groups: Iterable[str]) -> dict[str, Mapping[str, str]]:
        """Return where each of some groups was measured; one that never was is left out."""
        return {name: self._groups[name]["machine"] for name in groups if name in self._groups}

    def figures(self, groups: Iterable[str]) -> list[Figure]:
        """Return the figures of some groups, in order."""
        return [
            Figure(**{key: value for key, value in told.items() if key != "reached"})
            for group in groups
            for told in self._groups[group]["figures"]
        ]

    def add(self, group: str, figures: Sequence[Figure], machine: Mapping[str, str]) -> None:
        """Put a group's newer figures in the place of its older ones, and write the file."""
        told = [{**dataclasses.asdict(each), "reached": each.mark or None} for each in figures]
        self._groups[group] = {"machine": dict(machine), "figures": told}
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps({"groups": self._groups}, indent=2) + "\n")


@dataclasses.dataclass(frozen=True)
class Page:
    """What a measurement writes into a page of docs.

    Args:
        folder: Of the groups' modules, in this one.
        groups: The groups of figures on the page, in order.
        appendix: A file that measuring leaves, to stand below them; empty for none.
    """

    folder: str
    groups: tuple[str, ...]
    appendix: str = ""

    def written(self, kept: Kept, folder: Path) -> str:
        """Return figures and machines in Markdown.

        Args:
            kept: Has the figures of its groups.
            folder: Where the appendix lies.
        """
        machines = kept.machines(self.groups)
        parts = [*self._where(machines), markdown(kept.figures(machines))]
        if self.appendix:
            parts.append((folder / self.appendix).read_text().rstrip())
        return "\n\n".join(parts)

    def _where(self, machines: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Return the machine of the newest figures, and which groups were measured elsewhere."""
        newest = max(machines.values(), key=lambda facts: facts["date"])
        yield "\n".join(f"- {name}: {value}" for name, value in newest.items())
        elsewhere: dict[str, list[str]] = {}
        for group, facts in machines.items():
            if any(facts[name] != newest[name] for name in TELLING):
                told = ", ".join(f"{name} {facts[name]}" for name in TELLING)
                elsewhere.setdefault(told, []).append(f"`{group}`")
        for told, groups in elsewhere.items():
            yield f"The figures of {', '.join(groups)} come from another day or machine: {told}."
        missing = [group for group in self.groups if group not in machines]
        if missing:
            yield f"Not measured so far: {', '.join(missing)}."
