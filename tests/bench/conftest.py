"""The bench is tested with real TensorFlow; no test may leave anything behind."""

from __future__ import annotations

import pytest

from labkit.bench import isolation
from labkit.bench.bench import Bench
from labkit.bench.isolation import Isolator
from labkit.bench.private_network import PrivateNetwork


@pytest.fixture(autouse=True)
def watched(nothing_left: None) -> None:
    """See that nothing but the launcher is left after each test."""


def forbidden(*_: object) -> PrivateNetwork:
    raise PermissionError(1, "Operation not permitted")


@pytest.fixture
def without_networks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that forbids them."""
    monkeypatch.setattr(isolation, "PrivateNetwork", forbidden)
    monkeypatch.setattr(bench, "_isolator", Isolator())
