"""No rule looks at the reader's names, comments or docstrings. Tier: make test."""

from __future__ import annotations

import re
from pathlib import Path

import labkit as lk
from tests.lab.loop_file import GROWING_GRAPH

INNOCENT = {
    "tf1": "np2", "graph": "healthy", "session": "fast", "learning_rate": "constant",
    "feed": "nothing_kept", "step": "always_the_same", "rate": "flat",
}  # fmt: skip
ACCUSED = """
'''This loop leaks: it retraces, and its graph and its history grow at every step.'''
import tensorflow as tf

def make_step():
    # graph_growth, retracing, open_tape, checkpoint_io, garbage
    history = tf.ones([40, 40])
    session, leak = tf.zeros([40, 40]), tf.ones([40])

    def graph_grows_and_is_traced_anew():
        "Keeps all losses in a list."
        return tf.reduce_sum(tf.matmul(history, history) + session) + tf.reduce_sum(leak)

    return graph_grows_and_is_traced_anew
"""


def test_a_growing_graph_is_found_whatever_its_names_say(tmp_path: Path) -> None:
    text = GROWING_GRAPH.read_text()
    for name, other in INNOCENT.items():
        text = re.sub(rf"(?<![\w.\"]){name}\b(?!=)", other, text)
    path = tmp_path / "healthy_no_leak.py"
    path.write_text(text)
    assert "with healthy.as_default()" in text and "def always_the_same" in text
    said = lk.diagnose(str(path), steps=150).diagnosis
    assert said.memory.label == "leaking" and "graph_ops" in said.memory.grows
    assert "graph_growth" in [finding.cause for finding in said.findings]


def test_a_healthy_loop_is_healthy_whatever_its_names_say(tmp_path: Path) -> None:
    path = tmp_path / "graph_growth_leak.py"
    path.write_text(ACCUSED)
    said = lk.diagnose(str(path), steps=400).diagnosis
    assert said.memory.label == "flat"
    # The machine may be busy with something else; that is no cause in the loop.
    assert not said.findings
