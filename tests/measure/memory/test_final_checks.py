"""The last look: what a leak of each kind gives back, and what a healthy loop does not.

Each in a process of its own: the caches are the process's. Tier: make test.
"""

from __future__ import annotations

import json

import pytest

from labkit.measure.memory import final_checks as tested
from labkit.measure.patches.group import PrivateName
from tests.measure.alone import said_alone

pytest.importorskip("tensorflow")
pytest.importorskip("keras")

RUN = """
import gc, json
import numpy as np
import keras
import tensorflow as tf
from labkit.measure.memory.heap import Heap
from labkit.measure.memory.final_checks import last_look
{loop}
for _ in range(20):
    step()
gc.collect()
heap, in_use = Heap(), []
for _ in range(20):
    for _ in range(10):
        step()
    in_use.append(heap.bytes_in_use())
line = np.polyval(np.polyfit(range(20), in_use, 1), range(20))
straight = 1 - np.var(in_use - line) / np.var(in_use) if np.var(in_use) else 0.0
print(json.dumps(last_look(tf) | {{"grew": in_use[-1] - in_use[0], "straight": straight}}))
"""
SEEDED_EAGER_DRAWS = """
tf.random.set_seed(1)
def step():
    for _ in range(5):
        tf.random.uniform([2])
"""
EAGER_PY_FUNCTIONS = """
ones = tf.ones([100])
def step():
    tf.py_function(np.sin, [ones], tf.float32)
"""
A_NEW_OPTIMIZER = """
weight = keras.Variable([1.0, 2.0])
slope = tf.constant([0.1, 0.1])
def step():
    keras.optimizers.Adam().apply([slope], [weight])
"""
A_NEW_COMPILE = """
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(2)])
def step():
    model.compile("adam", "mse", metrics=["mae"])
"""
NEW_NUMBERS = """
count = [0]
def step():
    for _ in range(10):
        count[0] += 1
        tf.constant(count[0])
"""
ARRAYS_IN_CYCLES = """
gc.disable()
def step():
    one = [np.ones(1000)]
    one.append(one)
"""
HEALTHY = """
weights = tf.Variable(tf.ones([8, 4]))
rows = tf.ones([2, 8])
@tf.function
def train():
    weights.assign_sub(0.01 * tf.transpose(rows) @ (rows @ weights))
def step():
    train()
"""


def after(loop: str) -> dict[str, float]:
    said = said_alone(RUN.format(loop=loop))
    assert said and said[-1].startswith("{"), said
    found: dict[str, float] = json.loads(said[-1])
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("loop", "cache"),
    [
        (SEEDED_EAGER_DRAWS, "kernel_cache_bytes"),
        (EAGER_PY_FUNCTIONS, "kernel_cache_bytes"),
        (A_NEW_OPTIMIZER, "kernel_cache_bytes"),
        (A_NEW_COMPILE, "kernel_cache_bytes"),
        (NEW_NUMBERS, "scalar_cache_bytes"),
    ],
    ids=["seeded draws", "py_function", "optimizer", "compile", "numbers"],
)
def test_a_leak_into_a_cache_is_a_straight_line_and_the_cache_gives_it_back(
    loop: str, cache: str
) -> None:
    found = after(loop)
    assert found["grew"] > 300_000 and found["straight"] > 0.97, found
    assert found[cache] > 0.8 * found["grew"], found
    assert found["collectable_bytes"] < 0.1 * found["grew"], found


@pytest.mark.full
def test_garbage_in_cycles_is_given_back_by_the_collection_and_no_cache() -> None:
    found = after(ARRAYS_IN_CYCLES)
    assert found["collectable_bytes"] > 0.9 * found["grew"] > 190 * 8000 * 0.8, found
    assert found["collectable_objects"] >= 200
    assert found["kernel_cache_bytes"] < 0.1 * found["grew"]


@pytest.mark.full
def test_a_healthy_loop_gives_little_back() -> None:
    found = after(HEALTHY)
    assert abs(found["grew"]) < 50_000, found
    assert found["collectable_bytes"] < 50_000
    assert found["scalar_cache_bytes"] < 50_000 and found["kernel_cache_bytes"] < 3_000_000


def test_the_private_names_are_there() -> None:
    for name in (tested.KERNEL_CACHE, tested.SCALAR_CACHE, tested.CONTEXT):
        assert callable(getattr(name.find(), name.attribute)), str(name)


@pytest.mark.parametrize(
    ("name", "left_out"),
    [("KERNEL_CACHE", "kernel_cache_bytes"), ("SCALAR_CACHE", "scalar_cache_bytes"),
     ("CONTEXT", "kernel_cache_bytes")],
)  # fmt: skip
def test_a_missing_private_name_leaves_its_figure_out(
    monkeypatch: pytest.MonkeyPatch, name: str, left_out: str
) -> None:
    import tensorflow as tf

    monkeypatch.setattr(tested, name, PrivateName("tensorflow", "", "not_there"))
    # The one that is there is not to be cleared for the other tests of this process.
    monkeypatch.setattr(tested, "_clear_" + ("scalar" if "kernel" in left_out else "kernel")
                        + "_cache", lambda: True)  # fmt: skip
    expected = {"collectable_objects", "collectable_bytes", "kernel_cache_bytes",
                "scalar_cache_bytes"} - {left_out}  # fmt: skip
    assert set(tested.last_look(tf)) == expected
