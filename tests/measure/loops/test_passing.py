"""Names that hold something new at each turn are told from those that keep what they held.

Tier: make test.
"""

from __future__ import annotations

import ast

import pytest

from labkit.measure.loops.passing import passing_names


def passing(code: str) -> set[str]:
    return set(passing_names(ast.parse(code)))


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("for batch in data:\n    train(batch)", {"batch"}),
        ("for step, (x, y) in enumerate(data): train(x, y)", {"step", "x", "y"}),
        ("for batch in data:\n    x = batch[0]\n    z = tf.constant(x)", {"batch", "x", "z"}),
        ("while True:\n    rows = random.integers(9)", {"rows"}),
        ("losses = [train(*batch) for batch in data]", {"batch"}),
        ("for x in data:\n    if (n := len(x)) > 3:\n        y: int = n", {"x", "n", "y"}),
    ],
)
def test_what_comes_anew_passes(code: str, names: set[str]) -> None:
    assert passing(code) == names


@pytest.mark.parametrize(
    "code",
    [
        "for x in data:\n    history = np.concatenate([history, x])",
        "for x in data:\n    longer = np.append(history, x)\n    history = longer",
        "for x in data:\n    history += [x]",
        "history = []\nfor x in data:\n    history.append(x)",
        "while True:\n    history, x = grown(history), 1",
    ],
)
def test_what_is_made_of_itself_is_kept(code: str) -> None:
    assert "history" not in passing(code)


def test_what_is_made_before_the_loop_is_no_passing_name() -> None:
    assert passing("weights = make()\nfor x in data:\n    train(weights, x)") == {"x"}
