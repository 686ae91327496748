"""Numbers that are noted are told as numbers, in whatever they are kept. Tier: make quick."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

from labkit.measure.memory.reach.object_sizes import reach
from tests.measure.memory.reach.test_bounded_stores import KB, Loud, Pair, Transition


@dataclass
class Noted:
    step: int = 0
    loss: float = 0.5
    why: str | None = None
    names: list[str] = field(default_factory=lambda: ["a"])


def found(kept: object) -> dict[str, float]:
    return reach(lambda: kept)


def test_notes_are_numbers_in_whatever_they_are_kept() -> None:
    rows: dict[str, object] = {
        "tuples": [(1, 0.5)], "records": [Pair(1, 0.5)], "objects": [Noted()], "steps": {1, 2},
        "array": np.ones(2), "optional": [(1, None)],
    }  # fmt: skip
    said = found(rows)
    for name in rows:
        assert 0 < said[f"numbers/kept['{name}']"] <= 20, name
    large = {"states": [Transition(np.ones(8 * KB))], "outputs": [Pair(1, tf.ones(2))]}
    assert not {f"numbers/kept['{name}']" for name in large} & found(large).keys()


def test_a_bound_that_no_memory_could_hold_is_not_told() -> None:
    """What such a store keeps is then a leak, by its name."""
    stores = {
        "huge": deque((np.ones(2_500) for _ in range(40)), maxlen=10**9),
        "modest": deque((np.ones(25) for _ in range(40)), maxlen=1_000_000),
        "full": deque((np.ones(25) for _ in range(40)), maxlen=40),
        "empty": deque(maxlen=9), "strange": deque([object()], maxlen=9),
        "none": deque([np.ones(25)]),
    }  # fmt: skip
    told = {name for name in found(stores) if name.startswith("bounded/")}
    assert told == {f"bounded/kept['{name}']" for name in ("modest", "full", "empty", "strange")}


def test_nothing_of_the_reader_s_is_called() -> None:
    assert "numbers/kept" in found([Loud()])
