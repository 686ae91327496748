"""What a cause declares: its loop, its toggles, what to expect.

Standard library only; a cause says nothing of how its loop is run or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Literal

from labkit.record import ChoiceError, LabkitError, ToggleValue

ON_OFF = ("off", "on")


@dataclass(frozen=True)
class Toggle:
    """One thing a learner can switch.

    Args:
        name: What scripts write, e.g. ``"grow"``.
        title: What a learner reads, e.g. ``"grow the graph"``.
        default: Its value when nobody touched it; the defaults show the cause at work.
        choices: All values. A toggle with the choices off and on reaches the loop as a bool.
        role: ``"cause"`` makes it worse, ``"fix"`` mends it, ``"control"`` looks guilty and is not.
        kind: ``"live"`` toggles act while the loop runs; ``"launch"`` toggles need a fresh process.
        read: When TensorFlow reads a launch toggle: ``"import"`` needs a plain fresh start,
            ``"first_op"`` can be set in a forked worker.
        environment: For a launch toggle, the environment variables of each choice.
    """

    name: str
    title: str
    default: str = "off"
    choices: tuple[str, ...] = ON_OFF
    role: Literal["cause", "fix", "control"] = "cause"
    kind: Literal["live", "launch"] = "live"
    read: Literal["import", "first_op"] = "first_op"
    environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def parse(self, value: object) -> ToggleValue:
        """Turn what a person wrote (``"on"``, ``True``, ``"chain"``) into what the loop reads.

        Raises:
            ChoiceError: If it is none of the choices.
        """
        two_way = self.choices == ON_OFF
        if isinstance(value, bool) and two_way:
            return value
        if not isinstance(value, str) or value not in self.choices:
            raise ChoiceError(f"value for the toggle {self.name!r}:", value, self.choices)
        return value == "on" if two_way else value

    def word(self, value: ToggleValue) -> str:
        """Return the choice a loop's value stands for."""
        return ("on" if value else "off") if isinstance(value, bool) else value


@dataclass(frozen=True)
class Size:
    """One whole number that sets how large the loop is.

    Args:
        name: The argument of ``make_step`` it fills.
        default: Its value when nobody chose.
        low: Smallest value allowed.
        high: Largest value allowed.
        title: What it is, with its unit.
    """

    name: str
    default: int
    low: int
    high: int
    title: str

    def check(self, value: object) -> int:
        """Return the value if it is allowed.

        Raises:
            LabkitError: If it is no whole number from `low` to `high`.
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


@dataclass(frozen=True)
class Expectation:
    """What a cause is expected to do at its default toggles and sizes.

    Args:
        shape: The shape of the iteration-time curve.
        steps: How many steps make the effect clear.
        growth: The smallest growth that counts as showing it (0.8 is +80 %).
        per_step: For each counter, how much it rises a step, exactly.
        places: Where the ledger is expected to book the growth.
    """

    shape: Literal["flat", "ramp", "stairs", "comb", "cliff"]
    steps: int
    growth: float
    per_step: Mapping[str, float] = field(default_factory=dict)
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cause:
    """One reason why steps get slower.

    Args:
        slug: Its name in scripts, files and notebooks.
        title: Its name for a learner.
        summary: What goes wrong, in one sentence.
        make_step: Called as ``make_step(toggles, seed=..., **sizes)``; builds the loop and returns
            a callable that does one step. ``toggles`` has one attribute a toggle, whose value may
            change between two steps. Imports TensorFlow inside.
        toggles: The first is the lab's main toggle.
        sizes: What can be made larger or smaller.
        expectation: What it should do.
        notebook: The file in ``notebooks/`` that teaches it.
        lanes: The evidence columns to show under the chart, most telling first.
    """

    slug: str
    title: str
    summary: str
    make_step: Callable[..., Callable[[], object]]
    toggles: tuple[Toggle, ...]
    sizes: tuple[Size, ...]
    expectation: Expectation
    notebook: str
    lanes: tuple[str, ...] = ()

    def toggle(self, name: str) -> Toggle:
        """Return one toggle.

        Raises:
            ChoiceError: If this cause has no such toggle.
        """
        for toggle in self.toggles:
            if toggle.name == name:
                return toggle
        raise ChoiceError(f"toggle of {self.slug}", name, (toggle.name for toggle in self.toggles))

    def toggle_values(self, chosen: Mapping[str, object]) -> dict[str, ToggleValue]:
        """Return a value for every toggle: what was chosen, else the default.

        Raises:
            ChoiceError: If a name or a value is none of the choices.
        """
        for name in chosen:
            self.toggle(name)
        return {
            toggle.name: toggle.parse(chosen.get(toggle.name, toggle.default))
            for toggle in self.toggles
        }

    def size_values(self, chosen: Mapping[str, object]) -> dict[str, int]:
        """Return a value for every size: what was chosen, else the default.

        Raises:
            ChoiceError: If there is no size of that name.
            LabkitError: If a value is not allowed.
        """
        known = {size.name: size for size in self.sizes}
        for name in chosen:
            if name not in known:
                raise ChoiceError(f"size of {self.slug}", name, known)
        return {name: size.check(chosen.get(name, size.default)) for name, size in known.items()}


def switchboard(values: Mapping[str, ToggleValue]) -> SimpleNamespace:
    """Return the ``toggles`` object a loop reads: one attribute a toggle."""
    return SimpleNamespace(**values)
