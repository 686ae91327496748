"""Diagnosing a loop from a file, and what was recorded already.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import labkit as lk
from labkit.bench.bench import Bench
from labkit.lab.own_loop import diagnose as driver
from labkit.lab.own_loop import printed
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.printed import Printed
from labkit.record import LabkitError
from labkit.record.proof import PagesAwaited
from tests.lab.loop_file import GROWING_GRAPH, HEALTHY, SMALL

pytestmark = pytest.mark.in_turn

FAULTS = {
    "raises": "raise ValueError('step 21 went wrong')",
    "exits": "import sys; sys.exit('enough')",
    "leaves": "import os; os._exit(5)",
    "floods": "print('a flood of words ' * 100_000)",
    "forks": "import os; os.fork() or os._exit(0)",
    "forks and goes on": "import os; os.fork()",
    "forks and exits there": "import os, sys; os.fork() or sys.exit(0)",
    "hoards": "kept.append(bytearray(10 ** 8)); kept[-1][::4096] = b'x' * len(kept[-1][::4096])",
    "hangs": "import threading; threading.Event().wait()",
}


def faulty(folder: Path, name: str) -> Path:
    """Write a loop that goes wrong after 20 steps."""
    path = folder / "my_loop.py"
    path.write_text(f"""
import tensorflow as tf

kept, done = [], 0

def make_step():
    matrix = tf.ones([40, 40])

    def step():
        global done
        done += 1
        tf.matmul(matrix, matrix)
        if done > 20:
            {FAULTS[name]}

    return step
""")
    return path


def written(folder: Path, text: str, name: str = "my_loop.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_run_in_a_process_of_its_own(bench: Bench, kind: type) -> None:
    said = lk.diagnose(kind(HEALTHY), steps=120, on=bench)
    assert isinstance(said, Diagnosed)
    assert said.run.title == "loop_91.py" and len(said.run.steps) == 120
    assert said.run.state.name == "done" and said.run.state.reason == ""
    assert said.diagnosis.memory.label == "flat"


def test_a_cause_is_run_by_its_slug(bench: Bench) -> None:
    said = lk.diagnose("retracing", steps=60, on=bench)
    assert said.run.cause == "retracing" and len(said.run.steps) == 60


def test_a_file_is_found_from_wherever_it_was_named(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that runs it may have been started in another folder."""
    written(tmp_path, SMALL)
    monkeypatch.chdir(tmp_path)
    assert len(lk.diagnose("my_loop.py", steps=5, on=bench).run.steps) == 5


def test_a_run_is_examined_as_it_is(bench: Bench) -> None:
    said = lk.diagnose(GROWING_GRAPH, steps=150, on=bench)
    again = lk.diagnose(said.run)
    assert again.run is said.run and again.diagnosis == said.diagnosis
    assert "graph_ops" in said.diagnosis.memory.grows


@pytest.mark.full
def test_without_a_number_of_steps_a_certain_answer_ends_the_run(bench: Bench) -> None:
    said = lk.diagnose(GROWING_GRAPH, on=bench)
    assert said.run.state.name == "done" and said.run.state.reason == ""
    assert 100 < len(said.run.steps) < driver.MOST_STEPS
    assert said.diagnosis.findings[0].cause == "graph_growth"


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux puts pages out when asked to")
def test_data_that_no_longer_fit_into_memory_are_told_by_the_pages_waited_for(bench: Bench) -> None:
    """No counter of the loop's is read: it is diagnosed as anyone's."""
    said = lk.diagnose("memory_limit", on=bench)
    found = said.diagnosis.findings[0]
    assert (found.cause, found.kind) == ("memory_limit", "growth")
    assert isinstance(found.proof, PagesAwaited), found.proof


@pytest.mark.parametrize(
    ("fault", "state", "words"),
    [
        ("raises", "failed", "The loop raised ValueError: step 21 went wrong"),
        ("exits", "failed", "SystemExit"),
        ("leaves", "killed", "status 5"),
        ("floods", "done", ""),
        ("forks", "done", ""),
        ("forks and goes on", "done", ""),
        ("forks and exits there", "done", ""),
        pytest.param("hoards", "memory_limit", "MB of memory", marks=pytest.mark.full),
        pytest.param("hangs", "silent", "No step came for 30 s", marks=pytest.mark.full),
    ],
)
def test_however_a_loop_ends_what_was_learned_is_told(
    bench: Bench, nothing_left: None, tmp_path: Path, fault: str, state: str, words: str
) -> None:
    said = lk.diagnose(faulty(tmp_path, fault), steps=25 if state == "done" else 500, on=bench)
    assert said.run.state.name == state and words in said.run.state.reason
    assert len(said.run.steps) == 25 if state == "done" else len(said.run.steps) >= 20
    assert "my_loop.py" in str(said) and said.run.state.reason[1:] in str(said)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise OSError('no data')\ndef make_step(): ...", "no data"),
        ("def make_step():\n    return 3", "returned int, not a function"),
        ("def make_step(batch):\n    ...", "make_step() missing 1 required"),
        ("import no_such_module\ndef make_step(): ...", "no_such_module"),
    ],
)
def test_a_loop_that_cannot_be_built_says_why(
    bench: Bench, tmp_path: Path, text: str, words: str
) -> None:
    said = lk.diagnose(written(tmp_path, text), on=bench)
    assert said.run.state.name == "failed" and words in said.run.state.reason
    assert len(said.run.steps) == 0 and said.diagnosis.verdict.label == "too_short"
    assert said.diagnosis.findings == () and said.run.state.reason[1:] in str(said)


def test_a_step_that_only_begins_something_ends_the_run_with_that_reason(
    tmp_path: Path, bench: Bench
) -> None:
    text = "async def train(): ...\ndef make_step():\n    return lambda: train()\n"
    said = lk.diagnose(written(tmp_path, text), steps=50, on=bench)
    assert said.run.state.name == "failed" and len(said.run.steps) == 0
    assert said.run.state.reason.startswith("The step returned a coroutine, so that nothing was")


@pytest.mark.parametrize("loop", [None, 3, [0.1, 0.2], b"loop.py"])
def test_what_is_no_loop_is_refused_with_the_choices(loop: Any) -> None:
    with pytest.raises(LabkitError, match=r"\.py file .* lk\.watch.* lk\.Watch.* run") as error:
        lk.diagnose(loop)
    assert type(loop).__name__ in str(error.value)


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        ("my_loop", "'my_loop' is not a loop; give the path of a .py file"),
        ("run.jsonl", "graph_growth"),
        (os.curdir, "'.' is a folder; give the file that is run, e.g. './__main__.py'"),
        ("nowhere/my_loop.py", "There is no file 'nowhere/my_loop.py'"),
    ],
)
def test_a_loop_that_is_not_there_is_refused(loop: str, words: str) -> None:
    with pytest.raises(LabkitError) as error:
        lk.diagnose(loop)
    assert words in str(error.value)


def test_a_file_without_make_step_is_a_script_and_without_a_step_that_is_said(
    tmp_path: Path,
) -> None:
    said = lk.diagnose(written(tmp_path, "print('x')"), args=["--any"])
    assert "No step was found" in said.run.state.reason and "make_step()" in said.run.state.reason
    assert len(said.run.steps) == 0 and said.run.log == "x\n"


def test_what_a_script_prints_is_shown_once_and_while_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for what it has printed first to be shown here; else it says that nobody did."""
    seen = tmp_path / "seen"
    text = f"""
import os, sys, time
print("first")
sys.stderr.write("second\\n")
for _ in range(200):
    if os.path.exists({str(seen)!r}): break
    time.sleep(0.05)
else: print("never shown")
print("last", end="")
"""
    shown = []

    def written_out(self: Printed, text: str) -> None:
        shown.append(text)
        if "second" in "".join(shown):
            seen.touch()
        show(self, text)

    show = Printed._show
    monkeypatch.setattr(Printed, "_show", written_out)
    lk.diagnose(written(tmp_path, text))
    assert capsys.readouterr().out == "first\nsecond\nlast" == "".join(shown)


def test_more_than_a_notebook_holds_is_not_shown_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printed, "MOST_LETTERS", 5)
    said = lk.diagnose(written(tmp_path, "print('1234567', flush=True)\nprint('8')"))
    assert said.run.log == "1234567\n8\n"
    assert capsys.readouterr().out == f"12345{printed.NO_MORE}"


def test_a_reader_who_has_closed_its_output_loses_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None, Refusing()):
        monkeypatch.setattr(sys, "stdout", stream)
        assert lk.diagnose(written(tmp_path, "print('x')")).run.log == "x\n"


class Refusing(io.StringIO):
    """A stream of the reader's own that goes wrong in a way of its own."""

    def write(self, text: str) -> int:
        raise RuntimeError("my stream")


def test_a_loop_ends_when_enough_is_known_though_no_progress_can_be_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: who had closed the output waited until the time was up."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no bar")

    monkeypatch.setattr(driver, "follow", broken)
    with pytest.warns(UserWarning, match="cannot be shown"):
        said = lk.diagnose(GROWING_GRAPH, on=bench)
    assert said.run.state.name == "done" and len(said.run.steps) < driver.MOST_STEPS


def test_a_script_that_is_nested_too_deeply_to_be_read_is_run_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = ".f()" * 1_480
    lk.diagnose(written(tmp_path, f"class A:\n def f(s): return s\nprint(A(){calls} is None)\n"))
    assert capsys.readouterr().out == "False\n"


@pytest.mark.parametrize("seconds", [0, -1, 3601, float("nan")])
def test_seconds_out_of_range_are_refused(seconds: float) -> None:
    with pytest.raises(LabkitError, match="from 1 to 3,600"):
        lk.diagnose(HEALTHY, seconds=seconds)
