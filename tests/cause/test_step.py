"""A step that only begins something has done nothing, and is not taken for a quick one.

Tier: make test.
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from labkit.cause.step import plain_step, whole_step
from labkit.record import LabkitError


class Async:
    async def __call__(self) -> None: ...


class Generator:
    def __call__(self) -> Iterator[int]:
        yield 1


class AsyncGenerator:
    async def __call__(self) -> AsyncIterator[int]:
        yield 1


def one_call_too_few() -> Callable[[], float]:
    return lambda: 1.0


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Async(), "a coroutine"), (lambda: Async()(), "a coroutine"),
        (Generator(), "a generator"), (AsyncGenerator(), "an async generator"),
        (one_call_too_few, "a function"),
    ],
)  # fmt: skip
def test_what_its_type_does_not_tell_its_first_call_does(
    step: Callable[[], object], kind: str
) -> None:
    assert plain_step(step, "make_step()") is step
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a coroutine that was never awaited
        with pytest.raises(LabkitError, match=f"The step returned {kind}, so that nothing was"):
            whole_step(step)()


@pytest.mark.parametrize("result", [None, 0.5, (1, 2), "loss", Generator(), [lambda: 1]])
def test_whatever_else_a_step_returns_is_left_alone(result: object) -> None:
    assert whole_step(lambda: result)() is result
