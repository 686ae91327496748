"""For pytest: the fixture ``assert_steady``, known wherever labkit is installed.

It loads nothing until a test asks for it: every test session of the environment loads this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from labkit.lab.own_loop.diagnosed import Diagnosed


@pytest.fixture
def assert_steady() -> Callable[..., Diagnosed]:
    """Fail when a loop slows down or leaks: ``assert_steady(make_step, steps=200)``.

    The arguments are those of `labkit.assert_steady`.
    """
    from labkit.lab.own_loop import steady

    return steady.assert_steady
