"""A loop of a script: where it stands, and how the rows of a run say which of them is whose.

A run of a script has an event for each loop, and a row for each stretch of time between two moments
at which a loop was entered, turned or left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from labkit.record.run import Plain
from labkit.record.steps import Column

LoopKind = Literal["for", "while", "comprehension", "map", "fit", "epoch"]
LOOP_EVENT = "loop"
OUTSIDE = 0  # the number of no loop
# Evidence of a whole script: how many trainings were in no row, how many calls there changed
# weights in another way, and how long both took; the time of processors for processes that it
# started and waited for, and for TensorFlow's work in them.
OF_SCRIPT = (
    "unseen_trainings", "unseen_changes", "unseen_seconds", "children_seconds",
    "tensorflow_children_seconds",
)  # fmt: skip
(
    UNSEEN_TRAININGS, UNSEEN_CHANGES, UNSEEN_SECONDS, CHILDREN_SECONDS,
    TENSORFLOW_CHILDREN_SECONDS,
) = OF_SCRIPT  # fmt: skip
LOOP, OUTER, BEGINS, TRAININGS = LOOP_COLUMNS = (
    Column("loop", "the loop it is part of", "", "machine"),
    Column("outer_loop", "the loop around that", "", "machine"),
    Column("turn_begins", "whether a turn of that loop begins", "", "machine"),
    Column("trainings", "calls that train in the step", "calls", "counter"),
)


@dataclass(frozen=True)
class SourceLoop:
    """A loop as it stands in a file.

    Args:
        kind: What kind of loop it is; a call of Keras's fit has two: its ``fit`` turns once for
            each batch, and its ``epoch`` for each epoch.
        file: The file it stands in, or that calls fit.
        line: Where it begins there.
        code: That line, without what stands before and behind it.
        last_line: The last line that is within it.
    """

    kind: LoopKind
    file: str
    line: int
    code: str = ""
    last_line: int = 0

    def as_detail(self, number: int) -> dict[str, Plain]:
        """Return what its event has beside its kind."""
        return {"number": number, **asdict(self)}

    @classmethod
    def from_detail(cls, detail: Mapping[str, Plain]) -> SourceLoop:
        """Read it back."""
        kind: LoopKind = detail["kind"]  # type: ignore[assignment]
        first, last = (int(detail[name] or 0) for name in ("line", "last_line"))
        return cls(kind, str(detail["file"]), first, str(detail["code"]), last)

    def contains(self, file: str, line: int) -> bool:
        """Tell whether a line is within it.

        Args:
            file: The file, or the end of its path.
            line: The number of the line.
        """
        same = self.file == file or self.file.endswith(f"/{file}")
        return same and self.line <= line <= max(self.line, self.last_line)
