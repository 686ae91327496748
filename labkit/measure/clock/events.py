"""Events: what probes saw happen, handed on between two steps."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from labkit.record import Plain

MOST_OF_A_KIND = 1_000


@dataclass(frozen=True)
class Happening:
    """One thing that happened during a step.

    Args:
        kind: ``"gc"``, ``"checkpoint"``, ``"trace"``, ``"stall"`` and so on.
        text: What a learner reads at the mark.
        detail: More facts, by name.
    """

    kind: str
    text: str
    detail: dict[str, Plain] = field(default_factory=dict)


class Events:
    """Takes what happens, from any thread; keeps the first 1,000 of a kind and counts the rest.

    Args:
        line: Returns the reader's line that runs; None to note none.
    """

    def __init__(self, line: Callable[[], tuple[str, int] | None] | None = None) -> None:
        self._line = line
        self._waiting: deque[Happening] = deque()
        self.counts: Counter[str] = Counter()

    def add(self, kind: str, text: str, **detail: Plain) -> None:
        """Note that something happened; after 1,000 of its kind it is only counted."""
        self.counts[kind] += 1
        if self.counts[kind] <= MOST_OF_A_KIND:
            if self._line is not None and (line := self._line()) is not None:
                detail = {**detail, "file": line[0], "line": line[1]}
            self._waiting.append(Happening(kind, text, detail))

    def take(self) -> list[Happening]:
        """Return what has happened since the last call; costs next to nothing when empty."""
        taken: list[Happening] = []
        while self._waiting:
            try:
                taken.append(self._waiting.popleft())
            except IndexError:  # another thread took it
                break
        return taken
