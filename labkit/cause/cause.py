"""A cause: one reason why steps get slower, with all that a bench and a lab need to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from labkit.cause.expectation import Expectation, Explanation
from labkit.cause.mechanism import Mechanism, Meeting
from labkit.cause.toggle import Size, Toggle
from labkit.record import ChoiceError, Column, ToggleValue


@dataclass(frozen=True)
class Loop:
    """What a cause's ``make_step`` may return instead of a bare step.

    Args:
        step: Does one step.
        counters: For each counter the cause declares, a function that reads it now. They are read
            after every step, outside its clock, so they must be cheap: a ``len``, not a search.
    """

    step: Callable[[], object]
    counters: Mapping[str, Callable[[], float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Cause:
    """One reason why steps get slower.

    Args:
        slug: Its name in scripts, files and notebooks.
        title: Its name for a learner.
        summary: What goes wrong, in one sentence.
        make_step: Called as ``make_step(toggles, seed=..., **sizes)``; builds the loop and returns
            a callable that does one step, or a `Loop` where counters go with it. ``toggles`` has
            one attribute for each toggle, whose value may change between two steps. Imports
            TensorFlow inside.
        toggles: The first is the lab's main toggle.
        sizes: What can be made larger or smaller.
        expectation: What it should do.
        notebook: The file in ``notebooks/`` that teaches it.
        lanes: The evidence columns to show under the chart, most telling first.
        counters: What the loop itself counts, where `make_step` returns a `Loop`.
        functions: Functions of the cause's file whose time gets a place of its own: the
            function's name, and the place's title.
        probes: Probes that are too expensive for every run, by their names in
            ``labkit/measure/registry.py``.
        explanations: What to say of the errors that belong to the lesson.
        device_wait: The toggle that says whether a step's clock waits until the device is done with
            its work; empty where it does so always.
        mechanism: What happens inside a step, where its columns count that.
    """

    slug: str
    title: str
    summary: str
    make_step: Callable[..., Callable[[], object] | Loop]
    toggles: tuple[Toggle, ...]
    sizes: tuple[Size, ...]
    expectation: Expectation
    notebook: str
    lanes: tuple[str, ...] = ()
    counters: tuple[Column, ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)
    probes: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    device_wait: str = ""
    mechanism: Mechanism | Meeting | None = None

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
            ChoiceError: If a name or a value is not one of the choices.
        """
        for name in chosen:
            self.toggle(name)
        return {
            toggle.name: toggle.parse(chosen.get(toggle.name, toggle.default))
            for toggle in self.toggles
        }

    def size_values(self, chosen: Mapping[str, object], *, small: bool = False) -> dict[str, int]:
        """Return a value for every size: what was chosen, else the default.

        Args:
            chosen: What somebody chose.
            small: Take the defaults that fit a small machine.

        Raises:
            ChoiceError: If there is no size of that name.
            LabkitError: If a value is not allowed.
        """
        known = {size.name: size for size in self.sizes}
        for name in chosen:
            if name not in known:
                raise ChoiceError(f"size of {self.slug}", name, known)
        return {
            name: size.check(chosen.get(name, size.fitted(small=small)))
            for name, size in known.items()
        }

    def workers(self, values: Mapping[str, ToggleValue]) -> int:
        """Return how many processes the toggles' values ask for."""
        asked = (toggle.workers.get(toggle.word(values[toggle.name]), 1) for toggle in self.toggles)
        return max(asked, default=1)
