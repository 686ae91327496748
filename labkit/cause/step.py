"""A step of the reader's own: a function that does one whole step when it is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from labkit.record import LabkitError

# What a call that only begins something returns, by what a reader calls it.
ONLY_BEGUN: Mapping[str, Callable[[object], bool]] = {
    "a coroutine": inspect.isawaitable,
    "a generator": inspect.isgenerator,
    "an async generator": inspect.isasyncgen,
    "a function": inspect.isroutine,
}


def plain_step(made: Any, maker: str) -> Callable[[], object]:
    """Return what a maker made, if calling it does a step.

    Args:
        made: What was returned.
        maker: Who returned it, as a sentence begins.

    Raises:
        LabkitError: If it is no function, or one of which a call only begins.
    """
    if not callable(made):
        raise LabkitError(
            f"{maker} returned {type(made).__name__}, not a function; return the function that "
            "does one step, without calling it."
        )
    if inspect.iscoroutinefunction(made) or inspect.isgeneratorfunction(made):
        kind = "an async function" if inspect.iscoroutinefunction(made) else "a generator function"
        raise LabkitError(
            f"{maker} returned {kind}, and calling it does nothing yet; return a plain function "
            "that does one whole step."
        )
    return made  # type: ignore[no-any-return]


def whole_step(step: Callable[[], object]) -> Callable[[], object]:
    """Return a step that is seen to do something, and not only to begin it; for its first call.

    Its type may not tell: an object may have an async ``__call__``, and a function return another.

    Args:
        step: What `plain_step` took.

    Returns:
        What calls it, and raises a LabkitError if what comes back has yet to be run.
    """

    def checked() -> object:
        result = step()
        kind = next((name for name, found in ONLY_BEGUN.items() if found(result)), None)
        if kind is not None:
            if close := getattr(result, "close", None):  # or Python warns that it never ran
                close()
            raise LabkitError(
                f"The step returned {kind}, so that nothing was done yet; let make_step() return a "
                "plain function that does one whole step."
            )
        return result

    return checked
