"""A prediction: what a learner says before a run, and when it was right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from labkit.record import ChoiceError, LabkitError
from labkit.record.quantity import quantity

Answer = str | float
# In percent. Three steps are enough to see whether somebody knows what they know.
SURENESS = (50, 70, 90)
# The shapes a curve can take, in the words a learner predicts, and the labels of a verdict that
# bear each out. A cliff is level for long and then suddenly far up: the statistics call that a
# shift, or a slowdown where it comes in more than one piece.
LABELS_OF = {
    "flat": ("flat", "warmup"),
    "ramp": ("slowdown",),
    "stairs": ("shift",),
    "comb": ("spikes",),
    "cliff": ("shift", "slowdown"),
}
SHAPES = tuple(LABELS_OF)
MOST_DRAWN = 100  # places of a curve that is drawn
# Anybody may have written what is read: a class's chart would show one guess and nothing else.
LARGEST_DRAWN = 1e9
MOST_TIMES_DRAWN = 1e4
RISING = frozenset({"ramp", "stairs", "cliff"})


@dataclass(frozen=True)
class Prediction:
    """What is asked before a run, and how the answer is scored.

    Args:
        name: The lesson and the question, e.g. ``"graph_growth.shape"``.
        ask: The question.
        choices: What may be answered; empty where a number is asked for.
        unit: What the number counts, e.g. ``"times"``.
        within: A number is right if it is off by this factor at most.
    """

    name: str
    ask: str
    choices: tuple[str, ...] = ()
    unit: str = ""
    within: float = 1.5

    @property
    def is_shape(self) -> bool:
        """Whether the shape of a curve is asked for."""
        return self.choices == SHAPES

    @property
    def is_of_shape(self) -> bool:
        """Whether it is asked how far such a curve rises, by the names that lessons give this."""
        return self.name.endswith((".factor", ".ratio"))

    @property
    def measure(self) -> str:
        """What a number counts and how far it may be off; empty where choices are given."""
        return "" if self.choices else f"{self.unit} (right within {self.within:g}x)".strip()

    def read(self, answer: object) -> Answer:
        """Return an answer as it is kept.

        Raises:
            ChoiceError: If it is not one of the choices.
            LabkitError: If a number is asked for and this is none above zero.
        """
        if self.choices:
            if answer not in self.choices:
                raise ChoiceError(f"answer to {self.name}", answer, self.choices)
            return str(answer)
        try:
            number = float(str(answer))
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            raise LabkitError(
                f"{answer!r} is not an answer to {self.name}; give a number above zero, such as 3."
            )
        return number

    def right(self, answer: Answer, truth: Answer | Sequence[str]) -> bool:
        """Tell whether an answer agrees with what was measured.

        Args:
            answer: What `read` returned.
            truth: What was measured: a number above zero, or the choice or choices it bears out.
        """
        if self.choices:
            return answer in ((truth,) if isinstance(truth, str) else truth)  # type: ignore[operator]
        measured = float(truth)  # type: ignore[arg-type]
        if not (math.isfinite(measured) and measured > 0):
            return False
        return abs(math.log(float(answer) / measured)) <= math.log(self.within)

    def counted(self, truth: Answer | Sequence[str]) -> str:
        """Return which numbers count as right, e.g. ``: 2 to 4.5 times counts``; else nothing.

        Args:
            truth: What was measured.
        """
        if self.choices:
            return ""
        measured = float(truth)  # type: ignore[arg-type]
        low, high = (quantity(measured * factor, "") for factor in (1 / self.within, self.within))
        return f": {low} to {high} {self.unit}".rstrip() + " counts"


def shapes_of(label: str) -> tuple[str, ...]:
    """Return the shapes that a verdict's label bears out; none for ``unsteady`` or ``too_short``.

    Args:
        label: One of `labkit.record.LABELS`.
    """
    return tuple(shape for shape, labels in LABELS_OF.items() if label in labels)


def drawn_curve(value: object) -> tuple[float, ...]:
    """Return a drawn curve as it is kept, as multiples of its beginning; empty of anything else."""
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= MOST_DRAWN:
        return ()
    numbers = [each for each in value if type(each) in (int, float) and 0 < each < LARGEST_DRAWN]
    if len(numbers) < len(value) or max(numbers) > MOST_TIMES_DRAWN * min(numbers):
        return ()
    # So many digits that nothing within these limits is rounded to nought, which no curve has.
    return tuple(round(each / numbers[0], 4) for each in numbers)
