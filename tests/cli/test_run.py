"""The command line keeps its promises to scripts: one JSON object, exit statuses, one sentence."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.causes import SLUGS
from labkit.record import load_run
from tests import command

pytestmark = pytest.mark.in_turn

RUN_FIELDS = {
    "cause", "toggles", "state", "steps", "seconds", "verdict", "evidence", "ledger", "environment",
}  # fmt: skip


def labkit(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = command.labkit(*arguments)
    assert done.returncode == status, done.stderr
    return done


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.stdout == ""
    assert done.stderr.startswith("labkit: ") and done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


def slowing(*arguments: str) -> str:
    """Run growing graphs until one of three is judged slower: a busy machine may hide a ramp.

    It may also bend the ramp into a step; that is slower, too.
    """
    for _ in range(3):
        done = labkit("run", "graph_growth", "--steps", "200", *arguments)
        assert "Traceback" not in done.stdout + done.stderr
        if re.search("(slowdown|shift): from", done.stdout):
            return done.stdout
    raise AssertionError(f"not slower in three runs, last: {done.stdout}")


def test_list_names_every_cause_with_its_toggles() -> None:
    causes = json.loads(labkit("list", "--json").stdout)["causes"]
    assert [cause["slug"] for cause in causes] == list(SLUGS)
    assert causes[0]["toggles"][0] == {
        "name": "grow", "kind": "live", "choices": ["off", "on"], "default": "on",
    }  # fmt: skip
    assert "graph_growth" in labkit("list").stdout


def test_a_run_ends_with_what_its_loop_shows_and_the_lab_that_teaches_it(tmp_path: Path) -> None:
    *_, about, lab = labkit("run", "healthy", "--steps", "40").stdout.splitlines()
    assert about.startswith("  What this loop shows: ")
    assert lab == "  The lab that teaches it: notebooks/00_read_the_curve.ipynb"
    other = labkit("run", "healthy", "--set", "keep_losses=on", "--steps", "40").stdout
    assert "  With the usual toggles this loop shows: " in other
    own = tmp_path / "mine.py"
    own.write_text("def make_step():\n    return lambda: sum(range(1000))\n")
    assert "lab" not in labkit("run", str(own), "--steps", "40").stdout.splitlines()[-1]


def test_it_starts_as_a_module_too_and_calls_itself_labkit() -> None:
    """Where a user's own installation leaves the folder of commands out of the path."""
    started = [sys.executable, "-m", "labkit"]
    done = subprocess.run([*started, "list"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == labkit("list").stdout
    wrong = subprocess.run([*started, "rum"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert wrong.stdout == "" and wrong.stderr.startswith("labkit: No such command 'rum'")


def test_run_prints_one_json_object_and_saves_what_it_ran(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    said = json.loads(slowing("--out", str(out), "--json"))
    assert said.keys() >= RUN_FIELDS
    assert said["state"] == "done" and said["steps"] == len(said["seconds"]) == 200
    assert said["toggles"].items() >= {"grow": "on", "chain": "off", "build_once": "off"}.items()
    assert said["evidence"]["graph_ops"]["per_step"] == 6.0
    assert said["verdict"].keys() >= {"label", "growth", "low", "high", "detail"}
    assert said["ledger"][-1]["place"] == "unexplained"
    assert sum(row["share"] for row in said["ledger"]) == pytest.approx(1.0)
    assert list(load_run(out).steps.seconds) == said["seconds"]


@pytest.mark.full
def test_run_in_words_says_verdict_ledger_and_evidence() -> None:
    told = slowing("--set", "size=32")
    assert "where it went: session" in told
    assert "ops in the graph: 23 to 1,217 ops" in told


@pytest.mark.full
def test_a_mended_loop_completes_with_resting_counters() -> None:
    done = labkit("run", "graph_growth", "--steps", "60", "--set", "build_once=on", "--json")
    said = json.loads(done.stdout)
    assert said["evidence"]["graph_ops"] == {"first": 17.0, "last": 17.0, "per_step": 0.0}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "graf_growth"], ["'graf_growth'", "graph_growth"]),
        (["run", "graph_growth", "--set", "gro=on"], ["'gro'", "grow, losses, chain, build_once"]),
        (["run", "graph_growth", "--set", "grow=maybe"], ["'maybe'", "off, on"]),
        (["run", "graph_growth", "--set", "grow"], ["'grow'", "TOGGLE=VALUE"]),
        (["run", "graph_growth", "--set", "size=9999"], ["9999", "from 2 to 1024"]),
        (["run", "graph_growth", "--steps", "0"], ["steps = 0", "from 1 to 1,000,000"]),
        (["run", "graph_growth", "--steps", "many"], ["many"]),
        (["run", "graph_growth", "--device", "tpu"], ["'tpu'", "auto, cpu, gpu"]),
        (["run", "graph_growth", "--out", "/nowhere/run.jsonl"], ["/nowhere/run.jsonl"]),
        (["runn"], ["runn", "list, run, verdict"]),
        (["run"], ["CAUSE", "all", "graph_growth"]),
        (["verdict"], ["FILES"]),
    ],
)
def test_a_bad_argument_is_one_sentence_and_status_2(
    arguments: list[str], words: list[str]
) -> None:
    assert_one_sentence(labkit(*arguments, status=2), *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, ["There is no file", "give the path of a .py file"]),
        (
            "CAUSE = 1\nx += y\n",
            ["mine.py cannot be loaded (NameError in line 2: name 'x'", "correct"],
        ),
        ("def :\n", ["mine.py", "line 1", "correct"]),
        ("import no_such_module\nCAUSE = 1", ["in line 1", "No module named 'no_such_module'"]),
    ],
)
def test_a_loop_file_that_cannot_be_used_is_one_sentence_and_status_2(
    tmp_path: Path, content: str | None, words: list[str]
) -> None:
    path = tmp_path / "mine.py"
    if content is not None:
        path.write_text(content)
    assert_one_sentence(labkit("run", str(path), "--steps", "3", status=2), *words)


def test_a_loop_file_without_a_loop_is_told_the_lines_to_add(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n")
    done = labkit("run", str(path), "--steps", "3", status=2)
    sentence, *lines = done.stderr.splitlines()
    assert done.stdout == "" and sentence.startswith("labkit: mine.py defines no make_step()")
    assert lines[1:] == [
        "def make_step():",
        "    ...  # build the model and the data here",
        "    return train_step",
    ]


@pytest.mark.full
def test_a_loop_of_ones_own_is_run_from_its_path_and_told_without_a_comma() -> None:
    loops = Path(__file__).parents[2] / "tools" / "atlas" / "loops"
    done = labkit("run", str(loops / "unfreezing.py"), "--steps", "5")
    assert done.stdout.splitlines()[:2] == ["Layers that are unfrozen", "  done after 5 steps"]


@pytest.mark.full
def test_a_loop_that_raises_is_told_with_status_1_and_its_own_traceback() -> None:
    faulty = Path(__file__).parents[1] / "bench" / "faulty_loop.py"
    done = labkit("run", str(faulty), "--set", "fault=raise", "--steps", "40", status=1)
    assert "failed after 20 steps: the loop raised ValueError: step 21 went wrong" in done.stdout
    assert "Traceback" not in done.stderr


def test_help_says_that_a_path_will_do() -> None:
    assert "path of a .py file" in " ".join(labkit("run", "--help").stdout.split())
    assert "one number of seconds a line" in " ".join(labkit("verdict", "--help").stdout.split())


def test_help_names_every_command() -> None:
    """As a shell starts it."""
    text = subprocess.check_output([sys.executable, "-m", "labkit.cli", "--help"], text=True)
    assert all(name in text for name in ("list", "run", "verdict", "diagnose"))


def test_the_run_does_not_replace_what_the_loop_has_written_and_does_an_older_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "older.jsonl").write_text("of yesterday")
    (tmp_path / "mine.py").write_text(
        "losses = open('losses.jsonl', 'w')\n"
        "print('mine', file=losses, flush=True)\n"
        "def make_step():\n"
        "    return lambda: None\n"
    )
    for out in ("losses.jsonl", "older.jsonl"):
        done = labkit("run", "mine.py", "--steps", "30", "--out", out)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "losses.jsonl").read_text() == "mine\n"
    assert (tmp_path / "losses-2.jsonl").read_text().startswith("{")
    assert (tmp_path / "older.jsonl").read_text().startswith("{")
