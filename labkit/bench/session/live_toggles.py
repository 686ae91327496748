"""The toggles of a run in progress: what each stands at, and which may be flipped now."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.cause import Cause
from labkit.record import LabkitError, ToggleValue


class LiveToggles:
    """What the toggles of a run stand at; whoever holds it keeps others from it meanwhile.

    Args:
        cause: What is run.
        values: What they stand at when it starts.
    """

    def __init__(self, cause: Cause, values: Mapping[str, ToggleValue]) -> None:
        self._cause = cause
        self._values = dict(values)

    def values(self) -> Mapping[str, ToggleValue]:
        """Return what they stand at."""
        return dict(self._values)

    def flip(self, name: str, value: object, *, ended: bool) -> dict[str, object] | None:
        """Set one, and return the command for the workers; None where it stands there already.

        Raises:
            ChoiceError: If there is no such toggle or value.
            LabkitError: If it is a launch toggle, or the run has ended.
        """
        toggle = self._cause.toggle(name)
        parsed = toggle.parse(value)
        if toggle.kind == "launch":
            raise LabkitError(
                f"{name} is read only when a process starts; start a new run with {name} = "
                f"{toggle.word(parsed)}."
            )
        if ended:
            raise LabkitError(
                f"The run has ended, so {name} cannot be switched in it; start a new run."
            )
        if self._values[name] == parsed:
            return None
        self._values[name] = parsed
        text = f"{name} {toggle.word(parsed)}"
        return {"do": "set", "name": name, "value": parsed, "text": text}
