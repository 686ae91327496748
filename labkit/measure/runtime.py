"""TensorFlow's runtime: whether it is up, asked without starting it.

``Context._initialized`` is a private name of TensorFlow 2.19-2.21 (``python/eager/context.py``),
used here and nowhere else. Where it is missing, the runtime counts as not up: to ask it for more
would set it up, before the loop has made its settings.
"""

from __future__ import annotations

from typing import Any


def is_up(context: Any) -> bool:
    """Tell whether a context has run an op.

    Args:
        context: What ``tensorflow.python.eager.context.context()`` returns.
    """
    return bool(getattr(context, "_initialized", False))
