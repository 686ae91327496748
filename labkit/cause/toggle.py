"""Toggles and sizes: what a learner can switch and set, and the board a loop reads toggles from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Literal

from labkit.record import ChoiceError, LabkitError, ToggleValue

ON_OFF = ("off", "on")
SCRATCH = "{scratch}"


@dataclass(frozen=True)
class Toggle:
    """One thing a learner can switch.

    Args:
        name: What scripts write, e.g. ``"grow"``.
        title: What a learner reads, e.g. ``"grow the graph"``.
        default: Its value when nobody touched it; the defaults show the cause at work.
        choices: All values. A toggle with the choices off and on reaches the loop as a bool.
        ordered: Whether the choices stand in order, as numbers do: a panel has a slider for them,
            and the whole number may be written for its word.
        role: ``"cause"`` makes it worse, ``"fix"`` cures it, ``"control"`` looks guilty and is not.
        kind: ``"live"`` toggles act while the loop runs; ``"launch"`` toggles need a fresh process.
        read: When TensorFlow reads a launch toggle: ``"import"`` needs a plain fresh start,
            ``"first_op"`` can be set in a forked worker.
        environment: For a launch toggle, the environment variables of each choice; ``{scratch}`` in
            a value stands for the run's own folder.
        workers: For a launch toggle, how many processes each choice needs, where more than one.
    """

    name: str
    title: str
    default: str = "off"
    choices: tuple[str, ...] = ON_OFF
    role: Literal["cause", "fix", "control"] = "cause"
    kind: Literal["live", "launch"] = "live"
    read: Literal["import", "first_op"] = "first_op"
    environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    workers: Mapping[str, int] = field(default_factory=dict)
    ordered: bool = False

    def parse(self, value: object) -> ToggleValue:
        """Turn what a person wrote (``"on"``, ``True``, ``"chain"``) into what the loop reads.

        Raises:
            ChoiceError: If it is not one of the choices.
        """
        two_way = self.choices == ON_OFF
        if isinstance(value, bool) and two_way:
            return value
        if self.ordered and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or value not in self.choices:
            raise ChoiceError(f"value for the toggle {self.name!r}:", value, self.choices)
        return value == "on" if two_way else value

    def word(self, value: ToggleValue) -> str:
        """Return the choice a loop's value stands for."""
        return ("on" if value else "off") if isinstance(value, bool) else value


def switchboard(values: Mapping[str, ToggleValue]) -> SimpleNamespace:
    """Return the ``toggles`` object a loop reads: one attribute a toggle."""
    return SimpleNamespace(**values)


@dataclass(frozen=True)
class Size:
    """One whole number that sets how large the loop is.

    Args:
        name: The argument of ``make_step`` it fills.
        default: Its value when nobody chose.
        low: Smallest value allowed.
        high: Largest value allowed.
        title: What it is, with its unit.
        small: Its value on a small machine (one core, or less than 2 GB free) when nobody chose;
            None where the default fits there as well.
    """

    name: str
    default: int
    low: int
    high: int
    title: str
    small: int | None = None

    def check(self, value: object) -> int:
        """Return the value if it is allowed.

        Raises:
            LabkitError: If it is not a whole number from `low` to `high`.
        """
        if isinstance(value, bool) or not isinstance(value, int):
            raise LabkitError(
                f"{self.name} = {value!r} is not a whole number; "
                f"choose one from {self.low} to {self.high}."
            )
        if not self.low <= value <= self.high:
            raise LabkitError(
                f"{self.name} = {value} is out of range; choose from {self.low} to {self.high}."
            )
        return value

    def fitted(self, *, small: bool) -> int:
        """Return the value nobody has to choose, on a small machine or on any other."""
        return self.small if small and self.small is not None else self.default
