"""Ctrl-C, however early: no traceback, one short sentence, exit status 130. Tier: make test.

The signal comes while a chosen module is loaded, so it comes at the same place on every machine.
While there is a run, each signal that asks for the end stops it, and it is saved and told.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from labkit.cli.bench import CommandBench
from labkit.cli.interrupt import held_back, leaving_at_once

INTERRUPTED_WHILE_LOADING = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

# Said in both cases: whoever starts the tests in the background, or with nohup, has them ignored
# from the beginning.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.SIG_IGN if {ignored} else signal.default_int_handler)
if {blocked}:
    signal.pthread_sigmask(signal.SIG_BLOCK, [{number}])
sys.meta_path.insert(0, Interrupting())
from labkit.cli import main
main(sys.argv[1:])
"""


def interrupted(
    module: str,
    *arguments: str,
    ignored: bool = False,
    blocked: bool = False,
    number: int = signal.SIGINT,
) -> subprocess.CompletedProcess[str]:
    """Run labkit and send it one signal when it begins to load a module."""
    program = INTERRUPTED_WHILE_LOADING.format(
        module=module, ignored=ignored, blocked=blocked, number=int(number)
    )
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "times.json"
    path.write_text(json.dumps([0.01] * 50))
    return str(path)


# In the order in which they are loaded: the first of all, arrays, statistics, causes; or what
# judging asks for.
LOADED = ("labkit.cli.program", "click")
COMMANDS = {
    "list": ([], "labkit.causes.observer"),
    "verdict": (["FILE"], "numpy", "scipy", "scipy.special"),
    "run": (["graph_growth", "--steps", "5"], "numpy", "scipy", "labkit.causes.graph_growth"),
}


@pytest.mark.parametrize(
    ("command", "module"),
    [(name, module) for name, (_, *own) in COMMANDS.items() for module in (*LOADED, *own)],
)
def test_an_interrupt_while_labkit_is_loaded_is_one_sentence(
    command: str, module: str, file: str
) -> None:
    arguments = [file if each == "FILE" else each for each in COMMANDS[command][0]]
    done = interrupted(module, command, *arguments)
    assert done.returncode == 130, done.stderr
    assert done.stderr.strip() == "labkit: interrupted by Ctrl-C; nothing more was done."
    assert done.stdout == ""


@pytest.mark.full
def test_an_interrupt_as_soon_as_a_run_was_asked_for_stops_it() -> None:
    """The bar is loaded when the run is on its way."""
    done = interrupted("tqdm.auto", "run", "graph_growth", "--steps", "100000", "--json")
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["state"] == "stopped"


def test_an_interrupt_while_what_judges_is_loaded_ends_the_script_that_runs(
    tmp_path: Path,
) -> None:
    script, left = tmp_path / "train.py", tmp_path / "left"
    script.write_text(
        "import pathlib, sys, time\n"
        "try:\n    time.sleep(600)\nfinally:\n    pathlib.Path(sys.argv[1]).write_text('left')\n"
    )
    done = interrupted("labkit.diagnosis", "diagnose", "--json", str(script), "--", str(left))
    assert done.returncode == 130, done.stderr
    said = json.loads(done.stdout)
    # Recorded: it came before the script could be interrupted, and the script went on for a minute.
    assert said["state"] == "stopped"
    assert re.search("before the script began|the script was interrupted", said["reason"])
    assert left.exists() == ("interrupted" in said["reason"])


def test_who_has_interrupts_ignored_is_left_alone(file: str) -> None:
    """As a command in the background of a script has."""
    done = interrupted("numpy", "verdict", file, ignored=True)
    assert done.returncode == 0, done.stderr
    assert ": flat: 10.0 ms per step" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_who_started_the_command_has_blocked_ends_it(number: int, file: str) -> None:
    """As a daemon does that waits for its signals. Recorded: only ``kill -9`` ended a run."""
    done = interrupted("numpy", "verdict", file, blocked=True, number=number)
    assert done.returncode == 128 + number, done.stderr
    assert done.stdout == ""


def test_the_way_in_loads_nothing_that_takes_time() -> None:
    """What is loaded before Ctrl-C is looked after, is a time in which it makes a traceback."""
    first = "import sys, labkit.cli.interrupt, labkit.cli.leftovers"
    code = f"{first}; print(*sorted(m for m in sys.modules if 'labkit' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = [name for name in done.stdout.split() if not name.startswith("__editable__")]
    assert mine == ["labkit", "labkit.cli", "labkit.cli.interrupt", "labkit.cli.leftovers"]


@pytest.mark.full
@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize(
    ("command", "number"), [("run", signal.SIGTERM), ("diagnose", signal.SIGHUP)]
)
def test_who_ends_a_command_gets_what_it_has_run_so_far(
    command: str, number: int, blocked: bool, tmp_path: Path
) -> None:
    """By `timeout`, by the end of a CI job, by closing the terminal."""
    out = tmp_path / "kept"
    options = ["--steps", "100000", "--out", str(out), "--json"]
    done = interrupted("tqdm.auto", command, "healthy", *options, blocked=blocked, number=number)
    assert done.returncode == 128 + number, done.stderr
    assert done.stderr == f"saved to {out}\n" and out.stat().st_size
    assert json.loads(done.stdout)["state"] == "stopped"


class Stopped:
    """A run in progress that counts how often it is stopped, and interrupted after that."""

    def __init__(self) -> None:
        self.times = self.interrupted = self.passed_on = 0

    @property
    def stop_asked(self) -> bool:
        return self.times > 0

    def stop(self, _number: int = signal.SIGINT) -> None:
        self.times += 1

    def interrupt(self) -> None:
        self.interrupted += 1

    def pass_on(self, number: int, *, awaited: bool = False) -> None:
        assert awaited and number != signal.SIGINT
        self.passed_on += 1


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Stopped]:
    """The runs of a bench that starts no process."""
    every: list[Stopped] = []

    def begin(_bench: object, _source: str) -> Stopped:
        every.append(Stopped())
        return every[-1]

    monkeypatch.setattr("labkit.bench.bench.Bench.begin", begin)
    monkeypatch.setattr("labkit.bench.bench.Bench.close", lambda _: None)
    monkeypatch.setattr("labkit.bench.bench.Bench.sessions", every)
    return every


@contextlib.contextmanager
def handled_before(number: int, handler: Any = signal.default_int_handler) -> Iterator[None]:
    """Have a signal handled so, whatever was inherited: in the background Ctrl-C is ignored."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_run_and_those_after_it_and_raises_nothing(
    runs: list[Stopped], number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with handled_before(number):
        with CommandBench() as bench:
            bench.begin("first")
            assert bench.status == 0
            signal.raise_signal(number)
            assert [each.interrupted for each in runs] == [0]
            bench.begin("second")
        assert bench.status == 128 + number and [each.times for each in runs] == [1, 1]
        assert capfd.readouterr().err == ""
        assert signal.getsignal(number) is signal.default_int_handler


def test_who_asks_again_is_told_that_the_run_is_being_saved(
    runs: list[Stopped], capfd: pytest.CaptureFixture[str]
) -> None:
    with handled_before(signal.SIGINT), CommandBench() as bench:
        for _ in range(4):
            signal.raise_signal(signal.SIGINT)
    assert bench.status == 130
    assert capfd.readouterr().err.count("being stopped and saved") == 1


def test_a_signal_that_is_ignored_stays_so(runs: list[Stopped]) -> None:
    """As with nohup."""
    with handled_before(signal.SIGHUP, signal.SIG_IGN), CommandBench() as bench:
        bench.begin("first")
        signal.raise_signal(signal.SIGHUP)
    assert bench.status == 0 and runs[0].times == 0


def test_a_signal_waits_for_a_file_that_is_being_written() -> None:
    """Recorded: it left half a file under another name, which nobody removes."""
    written = []
    with handled_before(signal.SIGINT), pytest.raises(KeyboardInterrupt), held_back():
        signal.raise_signal(signal.SIGINT)
        written.append("all")
    assert written == ["all"]


def test_the_handler_is_put_back() -> None:
    with handled_before(signal.SIGINT):
        with leaving_at_once(lambda: None):
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_interrupts_the_run_and_a_second_kill_does_not(
    runs: list[Stopped], capfd: pytest.CaptureFixture[str]
) -> None:
    for number, times in ((signal.SIGINT, 2), (signal.SIGTERM, 0)):
        with handled_before(number), CommandBench() as bench:
            bench.begin("one")
            for _ in range(3):
                signal.raise_signal(number)
        assert runs.pop().interrupted == times
    capfd.readouterr()


@pytest.mark.parametrize("path", [":", "."])
def test_an_empty_entry_of_the_search_path_brings_in_no_file_of_this_folder(
    tmp_path: Path, path: str
) -> None:
    for name in ("click", "csv", "json", "numpy", "random", "tensorflow"):
        (tmp_path / f"{name}.py").write_text(f"print('{name} was run')\n")
    code = "from labkit.cli import main; main(['list'])"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "graph_growth" in done.stdout and "was run" not in done.stdout + done.stderr
