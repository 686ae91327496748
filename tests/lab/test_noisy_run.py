"""A run that was too noisy to judge is run once more."""

from __future__ import annotations

from pathlib import Path

import pytest

import labkit as lk
from labkit.lab.kernel import bench

pytestmark = pytest.mark.in_turn

NOISY = """
import random
import threading
from labkit.cause import Cause, Expectation

def make_step(toggles, *, seed=0):
    return lambda: threading.Event().wait(0.003 * random.lognormvariate(0, {scatter}))

flat = Expectation(shape="flat", steps=40, growth=0.0)
CAUSE = Cause("noisy", "Noisy", "Its steps vary.", make_step, (), (), flat, "")
"""


@pytest.mark.parametrize(("scatter", "steps", "times"), [(2.0, 40, 2), (2.0, 10, 1), (0.0, 40, 1)])
def test_what_was_too_noisy_to_judge_is_run_once_more_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scatter: float, steps: int, times: int
) -> None:
    file = tmp_path / "noisy.py"
    file.write_text(NOISY.format(scatter=scatter))
    run = lk.Lab(str(file)).play(steps=steps)
    of_file = [each.snapshot() for each in bench().sessions if each.job.source == str(file)]
    assert [len(each.steps) for each in of_file] == [steps] * times
    assert run == of_file[-1]
    assert ("it runs once more" in capsys.readouterr().out) == (times == 2)
