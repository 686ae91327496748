"""A loop that was not measured passes no gate: no file ends a command with the status of success.

Tier: make test, in turn. What such a file does to a command is asked in a process of its own.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from labkit.bench.isolation.isolation import ExposedError
from labkit.causes import load
from labkit.cli.loading import loaded
from labkit.cli.program import carry_out
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import LabkitError
from tests.cli.test_words import run_of
from tests.command import labkit
from tests.lab.own_loop.test_alarms import said
from tests.running import came, gone

pytestmark = pytest.mark.in_turn

CAUSE = """
from dataclasses import replace
from labkit.causes.healthy import CAUSE

CAUSE = replace(CAUSE, slug="mine")
"""


LOOP = "def make_step(): ...\n"


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(LOOP)
    return path


def written(folder: Path, *lines: str) -> str:
    """Return the path of a file that defines CAUSE and does something else after it."""
    path = folder / "mine.py"
    path.write_text(CAUSE + "\n".join(lines))
    return str(path)


@pytest.mark.parametrize(
    ("command", "line", "words"),
    [
        ("diagnose", "import os; os._exit(0)", "ends its own process"),
        ("run", "import sys; sys.exit(0)", "SystemExit in line 6: 0"),
    ],
)
def test_a_file_that_exits_is_one_sentence_and_no_success(
    tmp_path: Path, command: str, line: str, words: str
) -> None:
    done = labkit(command, written(tmp_path, line), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("labkit: ") and done.stderr.count("\n") == 1
    assert "mine.py" in done.stderr and words in done.stderr


def test_what_a_file_leaves_behind_neither_holds_the_command_nor_changes_its_status(
    tmp_path: Path,
) -> None:
    file = written(
        tmp_path,
        "import atexit, os, threading, time",
        "atexit.register(os._exit, 0)",
        "threading.Thread(target=time.sleep, args=(600,)).start()",
    )
    done = labkit("run", file, "--set", "no_such_toggle=on")
    assert done.returncode == 2 and "'no_such_toggle'" in done.stderr


@pytest.mark.parametrize("command", ["run", "diagnose"])
def test_the_result_does_not_replace_the_loop(
    loop: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    link = loop.with_name("link")
    link.symlink_to(loop)
    for out in (loop, link):
        assert carry_out([command, str(loop), "--out", str(out)]) == 2
        assert "would replace a" in capsys.readouterr().err
    assert loop.read_text() == LOOP


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("raise SystemExit(None)", "SystemExit in line 6"),
        ("raise GeneratorExit", r"\(GeneratorExit in line 6\); correct"),
        ("raise type('Own', (BaseException,), {})('no')", "Own in line 6: no"),
        ("1 / 0", "ZeroDivisionError in line 6"),
    ],
)
def test_whatever_a_file_raises_is_a_sentence_in_a_notebook_as_well(
    tmp_path: Path, line: str, words: str
) -> None:
    with pytest.raises(LabkitError, match=rf"mine\.py cannot be loaded .*{words}"):
        load(written(tmp_path, line))


def test_an_interrupted_kernel_is_interrupted_while_a_file_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(written(tmp_path, "raise KeyboardInterrupt"))


@pytest.mark.parametrize(
    ("line", "how"),
    [("raise KeyboardInterrupt", "SIGINT"), ("import os; os.kill(os.getpid(), 9)", "SIGKILL")],
)
def test_a_file_that_kills_its_process_leaves_ours_alone(
    tmp_path: Path, line: str, how: str
) -> None:
    with pytest.raises(LabkitError, match=f"ends its own process while it is loaded, by {how}"):
        loaded(written(tmp_path, line))


def test_a_file_that_never_comes_to_its_end_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.cli.loading.LONGEST_SECONDS", 0.5)
    with pytest.raises(LabkitError, match=r"was not loaded within 0\.5 s"):
        loaded(written(tmp_path, "import time; time.sleep(600)"))


def test_a_file_that_never_comes_to_its_end_ends_with_a_command_that_is_killed(
    tmp_path: Path,
) -> None:
    told = tmp_path / "pid"
    tell = f"import os, ctypes; open({str(told)!r}, 'w').write(f'{{os.getpid()}}.')"
    source = written(tmp_path, tell, "ctypes.PyDLL(None).sleep(600)")
    assert labkit("run", source, meanwhile=signalled(told, signal.SIGKILL)).returncode == -9
    assert gone(told.read_text().rstrip("."), seconds=5)


def signalled(told: Path, number: signal.Signals) -> Callable[[int], None]:
    """Return what sends a command a signal when a file has told its process id and a full stop."""

    def send(process_id: int) -> None:
        assert came(lambda: told.exists() and told.read_text().endswith("."), 30)
        os.kill(process_id, number)

    return send


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_a_file_starts_ends_with_a_command_that_is_told_to_end_while_it_is_loaded(
    tmp_path: Path, number: signal.Signals
) -> None:
    told = tmp_path / "pid"
    source = written(
        tmp_path,
        "import subprocess, time",
        "child = subprocess.Popen(['sleep', '600'], start_new_session=True)",
        f"open({str(told)!r}, 'w').write(f'{{child.pid}}.'); time.sleep(600)",
    )
    done = labkit("run", source, meanwhile=signalled(told, number))
    assert done.returncode == 128 + number
    assert gone(told.read_text().rstrip("."), seconds=5)


def test_a_file_that_only_defines_things_is_loaded_and_its_words_spoil_no_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--json` prints one object on standard output and nothing else."""
    assert loaded(written(tmp_path, "print('on my way')")).slug == "mine"
    assert capsys.readouterr() == ("", "on my way\n")


def test_a_file_with_make_step_is_not_run_here(loop: Path) -> None:
    loop.write_text(f"import os\nos._exit(0)\n{LOOP}")
    assert loaded(str(loop)).title == "mine.py"


@pytest.mark.parametrize(("steps", "status"), [(0, 1), (60, 0)])
def test_a_run_without_a_step_is_no_success(
    loop: Path, monkeypatch: pytest.MonkeyPatch, steps: int, status: int
) -> None:
    run = run_of("mine", steps)
    diagnosed = said(run=run)
    monkeypatch.setattr("labkit.cli.commands.running._run", lambda *_: run)
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: diagnosed)
    assert carry_out(["run", str(loop)]) == status
    assert carry_out(["diagnose", str(loop), "--fail-on", "slowdown"]) == status


@pytest.mark.parametrize(
    ("label", "told"),
    [("too_short", "was too short"), ("unsteady", "step times vary too much"), ("flat", "")],
)
def test_a_gate_that_a_run_could_not_answer_is_not_passed(
    loop: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    label: str,
    told: str,
) -> None:
    diagnosed = said(label, run=run_of("mine", 5))
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: diagnosed)
    assert carry_out(["diagnose", str(loop), "--fail-on", "slowdown"]) == bool(told)
    answer = capsys.readouterr().err
    assert ("--fail-on slowdown could not tell" in answer) == bool(told) and told in answer


def test_a_gate_is_not_passed_by_a_second_run_that_was_too_short(
    loop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen: a training that found its own checkpoint did twenty steps more, and all was well."""
    short = said("too_short", run=run_of("mine", 20))
    every = iter([said("slowdown", run=run_of("mine", 900)), short])
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: next(every))
    assert carry_out(["diagnose", str(loop), "--fail-on", "slowdown", "--json"]) == 1
    answer = capsys.readouterr()
    assert json.loads(answer.out)["steps"] == 900, "the run that showed it is told"
    assert answer.err == (
        "labkit: it slows down, but a fresh run could not confirm it: the run was too short; let "
        "it make more steps.\n"
    )


def test_a_gate_that_is_interrupted_between_its_runs_begins_no_other(
    loop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recorded: the script ran anew and emptied the folder of the training that was over."""
    begun = []

    def diagnose(*_: object, **__: object) -> Diagnosed:
        begun.append(1)
        os.kill(os.getpid(), signal.SIGINT)
        return said("slowdown", run=run_of("mine", 60))

    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", diagnose)
    assert carry_out(["diagnose", str(loop), "--fail-on", "slowdown"]) == 130
    assert begun == [1]
    assert "it slows down, but this was stopped before fresh runs" in capsys.readouterr().err


def refuse(self: object, exposed: bool) -> None:
    if not exposed:
        raise ExposedError("Others could reach the workers.")


@pytest.mark.usefixtures("warm_commands")
def test_a_run_that_others_could_reach_is_refused_and_the_rest_of_all_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("labkit.bench.isolation.isolation.Isolator.isolate", refuse)
    monkeypatch.setattr("labkit.cli.commands.running.SLUGS", ("two_workers", "healthy"))
    assert carry_out(["run", "two_workers", "--steps", "2"]) == 2
    assert "Others could reach" in capsys.readouterr().err
    # What was not measured is never a success.
    assert carry_out(["run", "all", "--steps", "2", "--out", str(tmp_path / "runs")]) == 1
    assert [file.name for file in (tmp_path / "runs").iterdir()] == ["healthy.jsonl"]
    assert "Two workers was not run: Others could reach" in capsys.readouterr().err


def test_what_a_file_starts_while_it_is_loaded_ends_with_the_command(tmp_path: Path) -> None:
    note = tmp_path / "started"
    file = written(
        tmp_path,
        "import subprocess",
        "process = subprocess.Popen(['sleep', '600'], start_new_session=True)",
        f"open({str(note)!r}, 'a').write(f'{{process.pid}}\\n')",
    )
    done = labkit("run", file, "--steps", "3")
    assert done.returncode == 0, done.stderr
    processes = [int(line) for line in note.read_text().split()]
    assert processes and all(gone(each) for each in processes)


def test_a_name_that_is_too_long_is_one_sentence(tmp_path: Path) -> None:
    done = labkit("run", "healthy", "--steps", "2", "--out", str(tmp_path / ("a" * 300)))
    assert done.returncode == 2 and "File name too long" in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_a_file_that_goes_to_another_folder_leaves_the_command_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: ``--out`` replaced a file of that name in the other folder."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "import os; os.chdir('/')")
    assert loaded("mine.py").slug == "mine" and Path.cwd() == tmp_path
