"""The loop of a cause to read: what one step does is seen at once, the rest is folded."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from labkit.causes import load

# Who reads more than this before the first curve has forgotten the question (docs/teaching).
MOST_LINES = 40


@dataclass(frozen=True)
class LoopSource:
    """Plain TensorFlow, without any labkit code.

    Args:
        step: The function that does one step, and those beside it that it calls, as far as they
            are 40 lines together.
        whole: Everything.
    """

    step: str
    whole: str

    def __repr__(self) -> str:
        return self.whole

    def _repr_markdown_(self) -> str:
        fenced = f"```python\n{self.step}\n```\n"
        if self.step == self.whole:
            return fenced
        lines = len(self.whole.splitlines())
        return (
            f"{fenced}\n<details><summary>The whole loop, {lines} lines</summary>\n\n"
            f"```python\n{self.whole}\n```\n\n</details>\n"
        )


def source(name: str) -> LoopSource:
    """Return the loop of a cause: plain TensorFlow, without any labkit code.

    A notebook shows what one step does, and the rest folded below it; elsewhere it is all text.

    Args:
        name: The cause's slug.

    Raises:
        ChoiceError: If there is no such cause; the sentence lists them.
    """
    make_step = load(name).make_step
    own = [
        each
        for each in vars(inspect.getmodule(make_step)).values()
        if inspect.isfunction(each) or inspect.isclass(each)
        if each.__module__ == make_step.__module__
    ]
    own.sort(key=lambda each: inspect.getsourcelines(each)[1])
    whole = "\n\n".join(inspect.getsource(each).rstrip() for each in own)
    return LoopSource(_step_of(make_step), whole)


def _step_of(make_step: Callable[..., Any]) -> str:
    """Return the text of the function that is one step, or of what makes it if it has no name."""
    text = textwrap.dedent(inspect.getsource(make_step))
    (made,) = ast.parse(text).body
    inner = {each.name: each for each in ast.walk(made) if isinstance(each, ast.FunctionDef)}
    if "step" not in inner:
        return text.rstrip()
    shown = [inner["step"]]
    called = [inner[name] for name in dict.fromkeys(_called(inner["step"])) if name in inner]
    # What a toggle changes is what one looks for.
    for each in sorted(called, key=lambda each: "toggles." not in ast.unparse(each)):
        if each not in shown and _length(*shown, each) <= MOST_LINES:
            shown.append(each)
    lines = text.splitlines()
    shown.sort(key=lambda each: each.lineno)
    return "\n\n".join(
        textwrap.dedent("\n".join(lines[_first(each) - 1 : each.end_lineno])) for each in shown
    )


def _called(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names a function calls, in the order of its text."""
    calls = (each for each in ast.walk(function) if isinstance(each, ast.Call))
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        if isinstance(call.func, ast.Name):
            yield call.func.id


def _first(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def _length(*functions: ast.FunctionDef) -> int:
    """Return how many lines they take, with one between each two."""
    ends = ((each.end_lineno or each.lineno) - _first(each) + 1 for each in functions)
    return sum(ends) + len(functions) - 1
