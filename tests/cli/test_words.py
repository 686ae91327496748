"""What becomes of a command whose words nobody takes: files are kept, and 0 is never said in vain.

Tier: make test, in turn.
Real processes with real pipes and ``/dev/full``; where it takes a run of many
causes, this process with made-up runs.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import labkit.cli as labkit_cli
from labkit.causes import SLUGS
from labkit.claims import Played, Ruling, Tried, chosen
from labkit.cli.program import carry_out
from labkit.cli.words import Words
from labkit.record import LabkitError, Run, State, Steps, load_run, save_run
from tests.command import labkit
from tests.lab.own_loop.test_alarms import said
from tests.show.hostile import OBEYED

pytestmark = pytest.mark.in_turn

UNTOLD = "labkit: The answer could not be written to standard output "
# It fails, for then its words are told: half of a surrogate pair, and a letter beyond ASCII.
ODD_WORDS = """
def make_step():
    steps = []

    def step():
        steps.append(0)
        if len(steps) == 5:
            raise ValueError("odd \\ud800 caf\\u00e9")

    return step
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "times.json").write_text(json.dumps([0.01] * 50))
    (tmp_path / "quick.py").write_text("def make_step():\n    return lambda: None\n")
    (tmp_path / "odd.py").write_text(ODD_WORDS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextlib.contextmanager
def nobody_reads() -> Iterator[None]:
    """Give this process a standard output whose reader has left."""
    left, ours = os.pipe()
    os.close(left)
    stream = open(ours, "w")  # noqa: SIM115
    try:
        with contextlib.redirect_stdout(stream):
            yield
    finally:
        with contextlib.suppress(BrokenPipeError):  # what was not read is still in its buffer
            stream.close()


def in_shell(*arguments: str, to: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run labkit afresh in a shell.

    Args:
        arguments: What follows the program's name.
        to: A redirection of the shell's, e.g. ``">&-"``.
        variables: Of the environment.
    """
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m labkit.cli "$@" {to}', sys.executable, *arguments],
        capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, **variables},
    )  # fmt: skip


def unread(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run labkit for a reader who has left."""
    left, ours = os.pipe()
    os.close(left)
    with open(ours, "wb") as stream:
        return labkit(*arguments, stdout=stream.fileno())


def run_of(cause: str, steps: int = 3, state: str = "done") -> Run:
    """Return a made-up run."""
    columns: dict[str, Sequence[float]] = {
        "start_seconds": [float(step) for step in range(steps)], "seconds": [0.01] * steps,
    }  # fmt: skip
    return Run(cause, cause, State(state), (), Steps(columns))  # type: ignore[arg-type]


def test_a_reader_who_leaves_takes_no_run_along(folder: Path) -> None:
    done = unread("run", "quick.py", "--steps", "5", "--out", "kept.jsonl")
    assert (done.returncode, done.stderr) == (0, "saved to kept.jsonl\n")
    assert len(load_run("kept.jsonl").steps) == 5


def test_a_name_that_cannot_be_shown_is_written_with_its_numbers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Python reads a byte that is no letter."""
    Path("a\udcff.json").write_text("[0.01]")
    assert carry_out(["verdict", "a\udcff.json", "times.json"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("a\\udcff.json: too short") and last.startswith("times.json: flat")


# It retitles a terminal, goes back to the start of the line, turns the writing, begins a line.
ODD_NAME = "a\x1b]0;title\x07\r\x7f\u202e\nb"
ODD_NAME_SHOWN = r"a\x1b]0;title\x07\r\x7f\u202e\nb"


def test_a_name_of_a_file_gives_the_terminal_no_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(f"{ODD_NAME}.json").write_text("[0.01]")
    assert carry_out(["verdict", f"{ODD_NAME}.json"]) == 0
    assert capsys.readouterr().out.startswith(f"{ODD_NAME_SHOWN}.json: too short")
    assert carry_out(["verdict", f"{ODD_NAME}.none"]) == 1
    assert capsys.readouterr().out.startswith(f"{ODD_NAME_SHOWN}.none cannot be read")
    trials(monkeypatch, tried(3))
    assert carry_out(["trial", "1.2", "--json", "--out", ODD_NAME]) == 0
    assert capsys.readouterr().err == f"saved to {ODD_NAME_SHOWN}\n"
    save_run(run_of("healthy"), "run.jsonl")
    page, picture = f"{ODD_NAME}.html", f"{ODD_NAME}.svg"
    assert carry_out(["report", "run.jsonl", "--out", page, "--picture", picture]) == 0
    saved = [f"saved to {ODD_NAME_SHOWN}{ending}" for ending in (".html", ".svg")]
    assert capsys.readouterr().err.splitlines() == saved
    assert carry_out(["list", ODD_NAME]) == carry_out([ODD_NAME]) == 2
    assert not OBEYED.search(capsys.readouterr().err)


def test_json_is_the_same_whatever_a_file_is_called(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(f"{ODD_NAME}.json").write_text("[0.01]")
    many = [f"{ODD_NAME}.json"] * 50  # so that it is longer than a line of words may be
    assert carry_out(["verdict", *many, "--json"]) == 0
    assert [each["file"] for each in json.loads(capsys.readouterr().out)["verdicts"]] == many


def test_a_usual_path_is_told_as_it_is_however_long(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = Path("x" * 200, "y" * 200, "z" * 200, "caf\u00e9 (1).json")
    usual.parent.mkdir(parents=True)
    usual.write_text("[0.01]")
    assert carry_out(["verdict", str(usual)]) == 0
    assert capsys.readouterr().out.startswith(f"{usual}: too short")


def test_only_json_is_printed_past_what_keeps_a_terminal_from_obeying() -> None:
    files = Path(labkit_cli.__file__).parent.glob("*.py")
    calls = [
        ast.unparse(call)
        for file in files
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("click.echo", "print")
    ]
    assert [call for call in calls if not call.startswith("click.echo(json.dumps(")] == [
        "click.echo(plain_text(text), err=err)"
    ]


@pytest.mark.full
def test_words_that_no_terminal_can_show_are_written_with_their_numbers(folder: Path) -> None:
    """Both at once: the loop fails with them, and the terminal knows only ASCII."""
    done = in_shell("diagnose", "odd.py", "--out", "page.html", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, "saved to page.html\n")
    assert "ValueError: odd \\ud800 caf\\xe9" in done.stdout
    assert "odd.py" in Path("page.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "to", "status", "sentence"),
    [
        (["verdict", "times.json"], None, 141, ""),
        (["verdict", "times.json"], ">/dev/full", 2, f"{UNTOLD}(No space left on device)"),
        (["verdict", "times.json"], ">&-", 2, f"{UNTOLD}(Bad file descriptor)"),
        (["verdict", "times.json", "--json"], None, 141, ""),
        pytest.param(["list"], ">&- 2>&-", 2, "", marks=pytest.mark.full),
        # click's own words
        (["run", "--help"], None, 141, ""),
    ],
)
def test_what_is_told_to_nobody_and_kept_nowhere_is_no_success(
    folder: Path, arguments: list[str], to: str | None, status: int, sentence: str
) -> None:
    done = unread(*arguments) if to is None else in_shell(*arguments, to=to)
    assert done.returncode == status
    assert done.stderr.startswith(sentence) and done.stderr.count("\n") == bool(sentence)


@pytest.mark.parametrize("to", ["2>&-", pytest.param("2>/dev/full", marks=pytest.mark.full)])
def test_who_does_not_want_to_hear_of_errors_is_told_the_rest(folder: Path, to: str) -> None:
    done = in_shell("verdict", "times.json", to=to)
    assert done.returncode == 0 and done.stdout.startswith("times.json: flat: 10.0 ms per step")


@pytest.mark.full
def test_a_run_completes_and_is_saved_with_all_its_streams_closed(folder: Path) -> None:
    done = in_shell("run", "quick.py", "--steps", "5", "--out", "kept.jsonl", to="<&- >&- 2>&-")
    assert done.returncode == 0 and len(load_run("kept.jsonl").steps) == 5


def test_all_causes_are_run_and_saved_for_a_reader_who_has_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("labkit.cli.commands.running._run", lambda _bench, slug, *_: run_of(slug))
    with nobody_reads():
        assert carry_out(["run", "all", "--out", "runs"]) == 0
    assert {file.stem for file in Path("runs").iterdir()} == set(SLUGS)
    assert "Traceback" not in capsys.readouterr().err


def test_all_causes_run_again_replace_no_run_of_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.cli.commands.running._run", lambda _bench, slug, *_: run_of(slug))
    Path("runs").mkdir()
    Path("runs", "graph_growth.jsonl").write_text("mine")
    assert carry_out(["run", "all", "--out", "runs"]) == 0
    assert Path("runs", "graph_growth.jsonl").read_text() == "mine"
    assert Path("runs", "graph_growth-2.jsonl").exists()


def test_no_cause_is_run_for_a_reader_who_has_left_and_asked_for_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(_bench: object, slug: str, *_: object) -> Run:
        ran.append(slug)
        return run_of(slug)

    monkeypatch.setattr("labkit.cli.commands.running._run", run)
    with nobody_reads():
        assert carry_out(["run", "all"]) == 141
    assert ran == [SLUGS[0]]


def test_a_run_that_cannot_be_started_takes_none_of_those_before_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_bench: object, slug: str, *_: object) -> Run:
        if slug == SLUGS[2]:
            raise LabkitError("No more runs.")
        return run_of(slug)

    monkeypatch.setattr("labkit.cli.commands.running._run", run)
    assert carry_out(["run", "all", "--json"]) == 2
    printed = capsys.readouterr()
    assert [run["cause"] for run in json.loads(printed.out)["runs"]] == list(SLUGS[:2])
    assert printed.err == "labkit: No more runs.\n"


@pytest.mark.parametrize("shape", [[], ["--json"]])
def test_a_gate_that_fires_says_so_by_its_status_whoever_listens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, shape: list[str]
) -> None:
    found = said("slowdown", run=run_of("quick", 60))
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: found)
    options = ["--fail-on", "slowdown", *shape]
    with nobody_reads():
        assert carry_out(["diagnose", "quick.py", *options]) == 3
        assert carry_out(["diagnose", "quick.py", *options, "--out", "page.html"]) == 3
    assert Path("page.html").exists()


def test_what_has_lost_its_folder_is_kept_beside_and_the_place_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object) -> Run:
        shutil.rmtree("results")
        return run_of("quick", 7)

    monkeypatch.setattr("labkit.cli.commands.running._run", run)
    Path("results").mkdir()
    Path("it.jsonl").write_text("another's")
    assert carry_out(["run", "quick.py", "--out", "results/it.jsonl"]) == 2
    printed = capsys.readouterr()
    kept = folder / "it-2.jsonl"
    first, last = printed.err.splitlines()
    assert first == f"saved to {kept} instead of results/it.jsonl"
    assert last.startswith("labkit: The run could not be saved to 'results/it.jsonl'")
    assert len(load_run(kept).steps) == 7 and Path("it.jsonl").read_text() == "another's"
    assert "done after 7 steps" in printed.out


def test_a_fault_of_labkits_own_in_a_page_takes_no_words_along(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def drawn(*_: object) -> str:
        raise ZeroDivisionError

    found = said(run=run_of("quick", 60))
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose", lambda *_, **__: found)
    monkeypatch.setattr("labkit.show.report.report.report_html", drawn)
    with pytest.raises(ZeroDivisionError):
        carry_out(["diagnose", "quick.py", "--out", "page.html"])
    assert "60 steps" in capsys.readouterr().out


def tried(steps: int) -> Tried:
    return Tried(*chosen(["1.2"]), Played({"eager": run_of("eager", steps)}), Ruling("true", ""))


def trials(monkeypatch: pytest.MonkeyPatch, *every: Tried, error: Exception | None = None) -> None:
    """Let these claims be tried, and an error end it."""

    def trial(*_: str, device: str, on: object, tell: Any) -> None:
        for each in every:
            tell(each)
        if error is not None:
            raise error

    monkeypatch.setattr("labkit.cli.commands.trying.trial", trial)


def test_a_claim_without_a_step_was_not_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials(monkeypatch, tried(3))
    assert carry_out(["trial", "1.2"]) == 0
    trials(monkeypatch, tried(3), tried(0))
    assert carry_out(["trial", "1.2", "5.1"]) == 1


def test_an_error_takes_none_of_the_claims_tried_before_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trials(monkeypatch, tried(3), error=LabkitError("No more runs."))
    assert carry_out(["trial", "1.2", "5.1", "--out", "page.html", "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.err == "saved to page.html\nlabkit: No more runs.\n"
    answer, page = json.loads(printed.out), Path("page.html").read_text()
    assert [claim["id"] for claim in answer["claims"]] == ["1.2"] and answer["missing"] == ["5.1"]
    assert "An eager loop slows down" in page and "these are missing: 5.1" in page


def test_a_trial_goes_on_for_its_page_and_for_nobody_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with nobody_reads():
        trials(monkeypatch, tried(3), error=AssertionError("a second claim"))
        assert carry_out(["trial", "1.2", "5.1"]) == 141
        trials(monkeypatch, tried(3), tried(3))
        assert carry_out(["trial", "1.2", "5.1", "--out", "page.html"]) == 0
    assert Path("page.html").read_text().count("An eager loop slows down") >= 2


def test_versions_are_told_without_tensorflow_being_imported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert carry_out(["--version"]) == 0
    assert re.fullmatch(
        r"labkit \S+ on Python 3\.\S+, \w+; (TensorFlow \S+|no TensorFlow)\n",
        capsys.readouterr().out,
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_run_for_a_pipe_that_nobody_reads_is_kept_in_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen: it was lost after ten seconds."""
    monkeypatch.setattr("labkit.record.saving.whole_file.LONGEST_WAIT_SECONDS", 0.1)
    os.mkfifo("pipe.jsonl")
    words = Words()
    assert words.keep(functools.partial(save_run, run_of("healthy")), Path("pipe.jsonl"))
    assert capsys.readouterr().err == f"saved to {folder / 'pipe-2.jsonl'} instead of pipe.jsonl\n"
    assert len(load_run("pipe-2.jsonl").steps) and words.status(0) == 2


def test_who_has_read_enough_of_a_pipe_gets_no_file_in_its_place(folder: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        save = functools.partial(save_run, run_of("healthy"))
        assert not Words().keep(save, Path(f"/dev/fd/{theirs}"))
    finally:
        os.close(theirs)
    assert list(folder.glob(f"{theirs}*")) == []
