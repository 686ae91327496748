"""The source of a cause's loop, to be read in a notebook."""

from __future__ import annotations

import inspect

from labkit.causes import load


def source(name: str) -> None:
    """Print the loop of a cause: plain TensorFlow, nothing of labkit inside.

    Args:
        name: The cause's slug.

    Raises:
        ChoiceError: If there is no such cause; the sentence lists them.
    """
    print(inspect.getsource(load(name).make_step))
