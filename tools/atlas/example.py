"""The examples: for each label of a verdict one real loop whose curve has that shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labkit.record.verdict import Label

LOOPS = Path(__file__).parent / "loops"


@dataclass(frozen=True)
class Example:
    """A loop to run, and what the judge should say of it.

    Args:
        label: What the judge should say.
        source: A cause's slug, or the name of a file in ``loops``.
        steps: How many steps.
        toggles: What differs from the defaults.
    """

    label: Label
    source: str
    steps: int
    toggles: Mapping[str, object] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """What a bench is asked to run: the slug, or the whole path of the file."""
        return str(LOOPS / self.source) if self.source.endswith(".py") else self.source


# In the order of labkit.record.verdict.LABELS, which is the order of the page.
EXAMPLES: tuple[Example, ...] = (
    Example("flat", "ready.py", 300),
    Example("warmup", "new_lengths.py", 150),
    Example("slowdown", "graph_growth", 240),
    Example("shift", "unfreezing.py", 240),
    Example("spikes", "saving.py", 150),
    Example("speedup", "lengths.py", 280),
    Example("unsteady", "lengths.py", 280, {"order": "file_by_file"}),
    Example("too_short", "healthy", 12),
)
