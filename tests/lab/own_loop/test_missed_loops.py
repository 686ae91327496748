"""Loops that were missed once, each with two relatives: what grows has its cause and its line.

Tier: make test-full.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import labkit as lk

pytestmark = pytest.mark.full

SETTING = """
import collections, concurrent.futures, functools, tempfile, threading
import numpy as np
import tensorflow as tf

def make_step():
    random = np.random.default_rng(0)
    w = tf.Variable(tf.zeros([32, 32]))

    @tf.function
    def train(x):
        w.assign_add(0.001 * tf.matmul(x, x, transpose_a=True))
"""
DEQUE = """
memory = collections.deque()

def step():
    for _ in range(100):
        memory.append(random.normal(size=32).astype("float32"))
    picks = random.integers(0, len(memory), size=32)
    train(tf.constant(np.stack([memory[at] for at in picks])))
"""
FRONT = """
newest = []

def step():
    for _ in range(200):
        newest.insert(0, 1.5)
    train(tf.constant(random.normal(size=(32, 32)).astype("float32")))
"""
MEMBERSHIP = """
seen, count = [], [0]

def step():
    for _ in range(20):
        count[0] += 1
        if count[0] not in seen:
            seen.append(count[0])
    train(tf.constant(random.normal(size=(32, 32)).astype("float32")))
"""
WRITER = """
folder, v1 = tempfile.mkdtemp(), tf.compat.v1

def step():
    train(tf.constant(random.normal(size=(32, 32)).astype("float32")))
    with tf.Graph().as_default():  # it is no writer for eager code
        writer = v1.summary.FileWriter(folder)
    writer.add_summary(v1.Summary(value=[v1.Summary.Value(tag="loss", simple_value=0.5)]), 1)
"""
FIGURES = """
from matplotlib import pyplot as plt

def step():
    train(tf.constant(random.normal(size=(32, 32)).astype("float32")))
    figure = plt.figure()
    figure.add_subplot().plot([1.0, 2.0])
"""
POOLS = """
def step():
    train(tf.constant(random.normal(size=(32, 32)).astype("float32")))
    waiting = threading.Thread(target=threading.Event().wait, args=(60,), daemon=True)
    waiting.start()
"""
WRAPPED = """
state = {"train": lambda: train(tf.ones([32, 32]))}

def logged(function):
    @functools.wraps(function)
    def inner():
        return function()
    return inner

def step():
    state["train"] = logged(state["train"])
    state["train"]()
"""
METHOD = """
class Trainer:
    def go(self):
        train(tf.ones([32, 32]))

def timed(function):
    def inner():
        result = function()
        return result
    return inner

trainer = Trainer()

def step():
    trainer.go = timed(trainer.go)
    trainer.go()
"""
LAMBDAS = """
state = {"train": lambda: train(tf.ones([32, 32]))}

def step():
    before = state["train"]
    state["train"] = lambda: before()
    state["train"]()
"""


def found_in(folder: Path, code: str) -> list[tuple[str, str, str]]:
    """Diagnose a loop; return of each finding the cause, the line and the repair."""
    file = folder / "loop.py"
    file.write_text(SETTING + textwrap.indent(code, "    ") + "\n    return step\n")
    said = lk.diagnose(file).diagnosis
    return [(each.cause, each.line.code if each.line else "", each.fix) for each in said.findings]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (DEQUE, "memory[at] for at in picks"),
        (FRONT, "newest.insert(0"),
        (MEMBERSHIP, "seen"),
    ],
)
def test_what_goes_through_all_that_is_kept_is_named(tmp_path: Path, code: str, line: str) -> None:
    (cause, at, _), *_ = found_in(tmp_path, code)
    assert cause == "history" and line in at


@pytest.mark.parametrize(("code", "line"), [(WRITER, "FileWriter("), (FIGURES, ""), (POOLS, "")])
def test_what_is_opened_at_each_step_and_never_closed_is_kept(
    tmp_path: Path, code: str, line: str
) -> None:
    found = found_in(tmp_path, code)
    assert "kept_objects" in [cause for cause, _, _ in found]
    _, at, fix = next(each for each in found if each[0] == "kept_objects")
    assert line in at and fix in ("close_files", "close_figures")


@pytest.mark.parametrize(
    ("code", "line"),
    [(WRAPPED, "return function()"), (METHOD, "result = function()"), (LAMBDAS, "before()")],
)
def test_a_call_more_around_a_function_at_each_step_is_named_when_python_s_limit_ends_it(
    tmp_path: Path, code: str, line: str
) -> None:
    (cause, at, fix), *_ = found_in(tmp_path, code)
    assert cause == "work_growth" and line in at and fix == "wrap_once"
