"""That a loop which was watched leaves nothing behind, for whichever test file asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.patched_functions import changed, patched_functions


@pytest.fixture
def nothing_stays_hooked() -> Iterator[None]:
    before = patched_functions()
    yield
    assert changed(before) == []
