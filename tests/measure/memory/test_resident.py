"""Resident memory against what psutil reads. Tier: make test."""

from __future__ import annotations

import psutil
import pytest

from labkit.measure.memory.resident import MemoryProbe


def test_resident_memory_agrees_with_psutil() -> None:
    probe = MemoryProbe()
    ours = probe.resident_bytes()
    probe.close()
    assert ours == pytest.approx(psutil.Process().memory_info().rss, rel=0.05)
