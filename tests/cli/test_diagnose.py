"""``labkit diagnose`` keeps its promises to scripts: one JSON object, exit statuses, sentences.

Tier: make test, but where said. In this process where no process is to be seen: it saves seconds.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from labkit.cli import files
from labkit.cli.program import carry_out
from labkit.record import LabkitError
from labkit.record.saving import whole_file
from tests.cli.test_interrupt import interrupted
from tests.cli.test_words import run_of
from tests.lab.loop_file import GROWING_GRAPH, HEALTHY, SMALL
from tests.lab.own_loop.test_alarms import said

FIELDS = {"file", "state", "reason", "steps", "verdict", "memory", "ledger", "findings",
          "environment"}  # fmt: skip
ROW = {"place", "seconds", "share"}
FINDING = {"cause", "kind", "share", "proof", "fix"}


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "my_loop.py"
    path.write_text(SMALL)
    return str(path)


def labkit(*arguments: str, status: int = 0) -> None:
    assert carry_out(["diagnose", *arguments]) == status


@pytest.mark.full
def test_a_loop_that_grows_fails_on_request_with_one_object_and_a_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    options = ["--steps", "150", "--fail-on", "slowdown, leaking", "--out", str(out), "--json"]
    labkit(str(GROWING_GRAPH), *options, status=3)
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert told.keys() >= FIELDS
    assert told["file"] == "loop_02.py" and told["state"] == "done" and told["steps"] == 150
    assert told["verdict"].keys() >= {"label", "growth", "low", "high", "detail"}
    assert told["memory"]["label"] == "leaking" and told["memory"]["grows"]
    assert told["memory"].keys() >= {"label", "bytes_per_step", "grows"}
    assert all(row.keys() >= ROW for row in told["ledger"])
    assert "graph_growth" in [finding["cause"] for finding in told["findings"]]
    assert all(finding.keys() >= FINDING for finding in told["findings"])
    assert told["environment"]["tensorflow"]
    assert "labkit: --fail-on" in printed.err and "ops in the graph" in printed.err
    assert "Traceback" not in printed.err
    # Both were asked about; that it gets slower is enough by itself.
    labkit("retracing", "--steps", "150", "--fail-on", "slowdown", status=3)
    assert "labkit: --fail-on" in capsys.readouterr().err
    assert out.read_text().startswith("<!") and "loop_02.py" in out.read_text()


@pytest.mark.full
def test_a_healthy_loop_completes_and_fails_on_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    labkit(str(HEALTHY), "--steps", "200", "--fail-on", "slowdown,leaking")
    printed = capsys.readouterr()
    assert "loop_91.py" in printed.out.splitlines()[0]
    assert "Traceback" not in printed.out + printed.err


@pytest.mark.full
def test_a_gate_is_not_passed_by_a_run_too_short_to_tell_of_leaks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "short.py"
    path.write_text("def make_step():\n    return lambda: None\n")
    labkit(str(path), "--steps", "30", "--fail-on", "leaking", status=1)
    assert "--fail-on leaking could not tell" in capsys.readouterr().err
    labkit(str(path), "--steps", "90", "--fail-on", "slowdown")
    assert "could not tell" not in capsys.readouterr().err


def test_what_not_every_run_shows_passes_and_is_told(
    capsys: pytest.CaptureFixture[str], small: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance cannot be ordered, so what two runs have shown is made up here."""
    run = run_of("my_loop", 60)
    every = [said("slowdown", run=run), said(grows=["files_written"], run=run)]
    shown = iter(every)
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: next(shown))
    labkit(small, "--fail-on", "slowdown,leaking", "--json")
    printed = capsys.readouterr()
    assert printed.err == (
        "labkit: it leaks (files), but not in each of 3 runs: --fail-on lets it pass.\n"
    )
    assert json.loads(printed.out)["memory"]["grows"] == ["files"]


def test_what_only_the_first_run_shows_passes_and_is_told(
    capsys: pytest.CaptureFixture[str], small: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of("my_loop", 60)
    shown = iter([said("slowdown", grows=["files_written"], run=run), said(run=run)])
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: next(shown))
    labkit(small, "--fail-on", "slowdown,leaking", "--json")
    assert capsys.readouterr().err == (
        "labkit: it slows down and leaks (files) in the first run, but not in a fresh one: "
        "--fail-on lets it pass.\n"
    )


@pytest.mark.usefixtures("warm_commands")
def test_a_loop_that_raises_ends_with_status_1_and_what_was_learned(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "my_loop.py"
    path.write_text("def make_step():\n    return [1, 2].pop\n")
    labkit(str(path), "--json", "--fail-on", "leaking", status=1)
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert told["state"] == "failed" and told["steps"] == 2
    assert told["reason"] == "The loop raised IndexError: pop from empty list"
    assert told["verdict"]["label"] == "too_short" and told["findings"] == []
    assert "Traceback" in printed.err  # the loop's own, for who has to mend it


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["FILE", "--fail-on", "slow"], ["'slow'", "slowdown, leaking"]),
        (["FILE", "--fail-on", ""], ["''", "slowdown, leaking"]),
        (["FILE", "--fail-on", "slowdown,,leaking"], ["''", "slowdown, leaking"]),
        (["FILE", "--steps", "0"], ["steps = 0", "from 1 to 1,000,000"]),
        (["FILE", "--steps", "many"], ["many"]),
        (["FILE", "--seconds", "0"], ["seconds = 0", "from 1 to 3,600"]),
        (["FILE", "--seconds", "nan"], ["seconds = nan", "from 1 to 3,600"]),
        (["FILE", "--seed", "-1"], ["seed = -1", "from 0 to"]),
        (["FILE", "--device", "tpu"], ["'tpu'", "auto, cpu, gpu"]),
        (["FILE", "--out", "/nowhere/report.html"], ["/nowhere/report.html"]),
        (["my_loop"], ["'my_loop'", "path of a .py file", "graph_growth"]),
        (["nowhere.py"], ["nowhere.py", "give the path of a .py file"]),
        ([], [".py file", "-m"]),
    ],
)
def test_a_bad_argument_is_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], small: str, arguments: list[str], words: list[str]
) -> None:
    labkit(*[small if each == "FILE" else each for each in arguments], status=2)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("labkit: ") and printed.err.count("\n") == 1
    assert all(word in printed.err for word in words), printed.err


@pytest.mark.usefixtures("warm_commands")
@pytest.mark.parametrize(
    ("command", "shape"),
    [
        ("diagnose", []),
        pytest.param("diagnose", ["--json"], marks=pytest.mark.full),
        pytest.param("run", [], marks=pytest.mark.full),
        ("run", ["--json"]),
    ],
)
def test_a_disk_that_is_full_takes_nothing_of_what_was_learned(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    small: str,
    command: str,
    shape: list[str],
) -> None:
    def full(*_names: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_file.os, "replace", full)
    monkeypatch.setattr(whole_file.os, "link", full)  # nor elsewhere
    out = tmp_path / "kept" / "it"
    out.parent.mkdir()
    assert carry_out([command, small, "--steps", "60", "--out", str(out), *shape]) == 2
    printed = capsys.readouterr()
    if shape:
        told = json.loads(printed.out)
        assert 60 in (told.get("steps"), len(told.get("seconds", ()))), "what was learned"
    else:
        assert "60 steps" in printed.out, "what was learned"
    sentence = printed.err.splitlines()[-1]
    assert "No space left" in sentence and "choose a folder" in sentence
    assert list(out.parent.iterdir()) == [], "no half of a file"


@pytest.mark.full
def test_an_interrupt_ends_the_loop_and_tells_what_was_learned() -> None:
    """The bar is loaded when the loop is on its way."""
    done = interrupted("tqdm.auto", "diagnose", str(HEALTHY), "--json")
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["state"] == "stopped"


@pytest.mark.parametrize(("target", "allowed"), [("pipe", True), ("missing/x.html", False)])
def test_a_pipe_is_written_into_whoever_owns_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str, allowed: bool
) -> None:
    """`--out /dev/stdout` was refused to everybody but the owner of /dev."""
    out = tmp_path / target
    if allowed:
        os.mkfifo(out)
    monkeypatch.setattr(files.os, "access", lambda path, _mode: Path(path) == out)
    with nullcontext() if allowed else pytest.raises(LabkitError, match="cannot be written"):
        files.check_writable(out)
