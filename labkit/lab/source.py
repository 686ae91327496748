"""The source of a cause's loop, to be read in a notebook."""

from __future__ import annotations

import inspect

from labkit.causes import load


def source(name: str) -> None:
    """Print the loop of a cause: plain TensorFlow, without any labkit code.

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
    print("\n\n".join(inspect.getsource(each) for each in own))
