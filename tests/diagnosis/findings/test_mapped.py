"""Memory that is mapped beside the heap leaks where it rises for ever and is used.

Tier: make quick.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.diagnosis import examine
from tests.diagnosis.test_examine import COUNT, watched

LEAK = {"mapped_bytes": 1.4e9 + 500_000 * COUNT, "no_file_bytes": 2e8 + 500_000 * COUNT}


def test_what_is_mapped_at_each_step_and_used_is_a_leak() -> None:
    """Recorded: hundreds of MB in mappings without a file, and the memory was told as flat."""
    said = examine(watched(evidence=LEAK))
    assert said.memory.label == "leaking" and said.memory.grows == ("mapped_bytes",)
    assert said.memory.bytes_per_step == pytest.approx(500_000, rel=0.01)
    assert [(each.cause, each.kind) for each in said.findings] == [("kept_objects", "memory")]


RESTS = np.full(len(COUNT), 1.4e9)
QUIET = {
    "an array that is filled": {"mapped_bytes": RESTS},
    "reserved and not used": {"no_file_bytes": RESTS},
    "noise": {"mapped_bytes": 1.4e9 + 1_500 * COUNT},
    "a pool that fills": {name: 1.4e9 + 5e5 * np.minimum(COUNT, 120) for name in LEAK},
    "a pool that doubles": {name: 1.4e9 + 1e8 * (COUNT // 150) for name in LEAK},
    "comes and goes": {name: 1.4e9 + 5e5 * (COUNT % 100) for name in LEAK},
    "Python's own objects": {"python_blocks": 1e5 + 1_000 * COUNT},
    "a store with a bound": {"bounded_items": 7 + COUNT, "bounded_unknown": 7 + COUNT},
}


@pytest.mark.parametrize("change", QUIET.values(), ids=QUIET)
def test_what_is_made_once_or_comes_to_rest_is_none(change: dict[str, np.ndarray]) -> None:
    assert examine(watched(evidence={**LEAK, **change})).memory.label == "flat"
