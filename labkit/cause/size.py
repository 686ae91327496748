"""A size: one whole number that sets how large a loop is."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.record import LabkitError


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
