"""The page and the run of a diagnosis are there before fresh runs confirm it. Tier: make test.

What runs have shown is made up here: chance and a kill at a certain moment cannot be ordered.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from labkit.cli.program import carry_out
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record.file import load_run
from tests.cli.test_words import run_of
from tests.lab.own_loop.test_alarms import said

Diagnose = Callable[[Callable[[int], Diagnosed]], None]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl.gz"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


@pytest.fixture
def gate(tmp_path: Path, saved: Path, page: Path) -> Callable[[], int]:
    loop = tmp_path / "mine.py"
    loop.write_text("def make_step(): ...\n")
    asked = ["diagnose", str(loop), "--fail-on", "slowdown", "--save", str(saved)]
    return lambda: carry_out([*asked, "--out", str(page)])


@pytest.fixture
def diagnosing(monkeypatch: pytest.MonkeyPatch) -> Diagnose:
    """Let a function that knows how many runs there were say what comes of the next."""

    def by(one: Callable[[int], Diagnosed]) -> None:
        numbers = iter(range(100))
        diagnose: Callable[..., Diagnosed] = lambda *_, **__: one(next(numbers))  # noqa: E731
        monkeypatch.setattr("labkit.cli.diagnosed.diagnose", diagnose)

    return by


def slower(steps: int) -> Diagnosed:
    return said("slowdown", run=run_of("mine", steps))


def test_a_run_and_its_page_are_kept_before_another_confirms_it(
    gate: Callable[[], int], diagnosing: Diagnose, saved: Path, page: Path
) -> None:
    """Recorded: a job that was killed amid its second run left nothing of its first."""
    kept = []

    def one(number: int) -> Diagnosed:
        kept.append((len(load_run(saved).steps) if saved.exists() else 0, page.exists()))
        return slower(60 + number)

    diagnosing(one)
    assert gate() == 3
    assert kept == [(0, False), (60, True), (61, True)] and len(load_run(saved).steps) == 62


def test_each_of_them_is_told_of_once(
    gate: Callable[[], int], diagnosing: Diagnose, saved: Path, page: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    diagnosing(lambda _: slower(60))
    gate()
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("saved to")]
    assert told == [f"saved to {page}", f"saved to {saved}"]
    assert sorted(saved.parent.glob("*.*")) == [saved.parent / "mine.py", page, saved]


def test_what_a_script_writes_there_in_its_second_run_is_not_replaced(
    gate: Callable[[], int], diagnosing: Diagnose, saved: Path, page: Path
) -> None:
    def one(number: int) -> Diagnosed:
        if number == 1:
            page.write_text("the script's own")
        return slower(60)

    diagnosing(one)
    gate()
    assert page.read_text() == "the script's own"
    assert len(list(page.parent.glob("page*.html"))) == 2, "ours stands beside it"


def test_a_run_that_none_has_to_confirm_is_written_once(
    gate: Callable[[], int], diagnosing: Diagnose, monkeypatch: pytest.MonkeyPatch
) -> None:
    diagnosing(lambda _: said("flat", run=run_of("mine", 60)))
    written: list[object] = []
    monkeypatch.setattr("labkit.cli.outputs.Outputs.keep_meanwhile", lambda *_: written.append(1))
    assert gate() == 0 and written == []


def test_a_pipe_gets_the_page_once(
    gate: Callable[[], int], diagnosing: Diagnose, page: Path
) -> None:
    os.mkfifo(page)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(page.read_text()), daemon=True)
    reader.start()
    diagnosing(lambda _: slower(60))
    gate()
    reader.join(30)
    assert read[0].count("<html") == 1


def test_who_interrupts_while_they_are_kept_has_no_other_run_begun(
    gate: Callable[[], int], diagnosing: Diagnose, monkeypatch: pytest.MonkeyPatch, saved: Path
) -> None:
    begun: list[int] = []
    diagnosing(lambda number: (begun.append(number), slower(60))[1])
    whole = Diagnosed.save

    def interrupted(said: Diagnosed, path: Path, *, replace: bool = True) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return whole(said, path, replace=replace)

    monkeypatch.setattr(Diagnosed, "save", interrupted)
    assert gate() == 130
    assert begun == [0] and saved.exists()
