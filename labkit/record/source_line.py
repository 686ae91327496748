"""A line of the reader's own code, and how a run has it in its evidence."""

from __future__ import annotations

from dataclasses import dataclass

# Evidence of this name has the seconds of calls from a line: ``line/tracing_seconds/FILE:LINE``.
LINE = "line/"
# And of this, how often a function stands within itself: ``nested/FILE:LINE``, where it is called.
NESTED = "nested/"


@dataclass(frozen=True)
class SourceLine:
    """A line of a file.

    Args:
        file: Its path.
        line: The number of the line.
        code: What stands there, without the space around it; empty where the file is not to be had.
    """

    file: str
    line: int
    code: str = ""
