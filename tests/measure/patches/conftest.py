"""What the tests of patches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.measure.watching import Watching


@pytest.fixture
def watching(request: pytest.FixtureRequest) -> Iterator[Watching]:
    """The probes that a test file names as its `PROBES`."""
    with Watching(*request.module.PROBES) as made:
        yield made
