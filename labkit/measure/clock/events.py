"""Events: what probes saw happen, handed on between two steps."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import EllipsisType

from labkit.record import Plain

MOST_OF_A_KIND = 1_000
Place = tuple[str, int] | None


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

    def __init__(self, line: Callable[[], Place] | None = None) -> None:
        self._line = line
        self._waiting: deque[Happening] = deque()
        self.counts: Counter[str] = Counter()

    def add(self, kind: str, text: str, *, at: Place | EllipsisType = ..., **detail: Plain) -> None:
        """Note that something happened; after 1,000 of its kind it is only counted.

        Args:
            kind: As for `Happening`.
            text: As for `Happening`.
            at: The reader's file and line, None for no line of theirs; by default that which runs.
            detail: As for `Happening`.
        """
        self.counts[kind] += 1
        if self.counts[kind] <= MOST_OF_A_KIND:
            if isinstance(at, EllipsisType):
                at = self._line() if self._line is not None else None
            if at is not None:
                detail = {**detail, "file": at[0], "line": at[1]}
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
