"""The repair fits what was seen, and is none that the code has. Tier: make test."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.diagnosis.repairs import fitting
from labkit.record import Finding, Run, State, Steps
from labkit.record.proof import KeptForEver

KERNELS = (("kernel_cache_bytes", 90_000.0), ("heap_bytes", 90_000.0))


def repair(
    rising: tuple[tuple[str, float], ...],
    *,
    places: tuple[str, ...] = (),
    evidence: tuple[str, ...] = (),
    code: Path | None = None,
    default: str = "keep_numbers",
) -> str:
    steps = Steps({"start_seconds": [0.0], "seconds": [0.1], **{each: [0.01] for each in places}})
    run = Run("train.py", "train.py", State("done"), (), steps,
              evidence={each: ((1, 1.0),) for each in evidence})  # fmt: skip
    finding = Finding("kept_objects", "memory", 1.0, KeptForEver(rising, 90_000.0), default)
    return fitting([finding], run, [str(code)] if code else [])[0].fix


@pytest.mark.parametrize(
    ("places", "fix"),
    [
        (("making_variables_seconds", "random_ops_seconds"), "make_once"),
        (("python_function_seconds",), "make_once"),
        (("random_ops_seconds",), "seed_as_tensor"),
        ((), ""),
    ],
)
def test_of_the_cache_of_kernels_it_is_chosen_by_what_gets_a_kernel_at_each_call(
    places: tuple[str, ...], fix: str
) -> None:
    assert repair(KERNELS, places=places) == fix


def test_tensors_that_no_name_holds_are_held_by_a_tape_where_one_is_open(tmp_path: Path) -> None:
    rising = (("live_tensors", 3.0), ("live_tensor_bytes", 90.0))
    code, other = tmp_path / "train.py", tmp_path / "other.py"
    code.write_text("tape = tf.GradientTape(persistent=True)\n")
    other.write_text("with tf.GradientTape() as tape:\n    pass\n")
    assert repair(rising, code=code) == "close_tape"
    assert repair(rising, code=other) == "keep_numbers"


def test_what_a_name_holds_is_tensors_or_something_else() -> None:
    rising = (("kept/history", 1.0),)
    assert repair(rising, evidence=("kept/history", "tensors/history")) == "keep_numbers"
    assert repair(rising, evidence=("kept/history",)) == "keep_few"


def test_a_bound_that_the_code_has_is_not_advised(tmp_path: Path) -> None:
    code = tmp_path / "train.py"
    code.write_text("recent = deque(maxlen=100)\n")
    assert repair((("kept/history", 1.0),), code=code) == "drop"


def test_of_memory_that_nobody_counts_no_repair_is_claimed() -> None:
    assert repair((("heap_bytes", 90_000.0),)) == ""
