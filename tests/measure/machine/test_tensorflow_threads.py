"""Whether TensorFlow computes in another process is told from its threads.

Tier: make quick.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labkit.measure.machine import tensorflow_threads
from labkit.measure.machine.tensorflow_threads import Work, tensorflow_work


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tensorflow_threads, "PROCESSES", tmp_path)
    monkeypatch.setattr(os, "sysconf", lambda name: 100)
    return tmp_path


def process(folder: Path, *threads: tuple[str, int]) -> None:
    """Make what Linux tells of process 7: its threads' names and ticks of processor time."""
    for number, (name, ticks) in enumerate((("python", sum(t for _, t in threads)), *threads)):
        file = folder / "7" / "task" / str(number) / "stat" if number else folder / "7" / "stat"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"7 ({name}) S 1 7 7 0 -1 4194304 1 0 0 0 {ticks} 5 0 0 20 0 1 0 9\n")


def test_threads_that_tensorflow_makes_tell_of_it(processes: Path) -> None:
    process(processes, ("python", 300), ("tf_Compute", 95), ("tf_graph_runner", 0))
    assert tensorflow_work(7) == Work(4.0, 1.05)


@pytest.mark.parametrize("name", ["python", "git (tf_x) y", "nvidia-smi", "openblas tf_"])
def test_no_other_thread_does(processes: Path, name: str) -> None:
    """A pool that loads data has TensorFlow's libraries, and none of its threads."""
    process(processes, (name, 300))
    assert tensorflow_work(7) is None


def test_a_process_that_has_ended_is_none(processes: Path) -> None:
    assert tensorflow_work(7) is None
    process(processes, ("tf_Compute", 95))
    (processes / "7" / "stat").unlink()
    assert tensorflow_work(7) is None
