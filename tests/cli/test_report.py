"""``labkit report``: one file from saved runs, a picture for slides, refusals in one sentence.

Tier: make test.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from labkit.cli.program import carry_out
from labkit.record import Run, State, Steps, save_run
from tests.show.markup_tree import read
from tests.show.report.test_run_report import reported


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two saved runs in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    save_run(reported(120).run, tmp_path / "grew.jsonl")
    save_run(reported(120, grow="off").run, tmp_path / "rested.jsonl.gz")
    return ["grew.jsonl", "rested.jsonl.gz"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert carry_out(["report", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("labkit: ") and said.err.count("\n") == 1
    return said.err


def test_saved_runs_become_one_file(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(["report", *files, "--out", "both.html"]) == 0
    assert capsys.readouterr().err == "saved to both.html\n"
    root = read((tmp_path / "both.html").read_text())
    assert "grow on" in root.text and "grow off" in root.text
    assert not (tmp_path / "report.html").exists()


def test_a_folder_is_its_files_and_the_name_has_a_default(files: list[str], tmp_path: Path) -> None:
    assert carry_out(["report", "."]) == 0
    assert "2 runs" in read((tmp_path / "report.html").read_text()).text


def test_a_file_that_nobody_has_named_replaces_none(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.html").write_text("my thesis")
    assert carry_out(["report", *files]) == 0
    assert (tmp_path / "report.html").read_text() == "my thesis"
    named = capsys.readouterr().err.removeprefix("saved to ").strip()
    assert "2 runs" in read((tmp_path / named).read_text()).text


@pytest.mark.parametrize("taken", ["folder", "link", "another's link"])
def test_whatever_has_the_name_that_nobody_gave_is_in_nobody_s_way(
    files: list[str], tmp_path: Path, taken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen: in a folder that a class shares, a link of another's there was an error of --out."""
    name, secret = tmp_path / "report.html", tmp_path / "secret"
    secret.write_text("mine")
    if taken == "folder":
        name.mkdir()
    else:
        name.symlink_to(secret)
    if taken == "another's link":
        if os.getuid() != 0:
            pytest.skip("only root can give a link away")
        tmp_path.chmod(0o1777)
        os.lchown(name, 65534, 65534)
    assert carry_out(["report", *files]) == 0
    assert capsys.readouterr().err == "saved to report-2.html\n"
    assert secret.read_text() == "mine"


def test_a_picture_comes_as_vectors_or_pixels(files: list[str], tmp_path: Path) -> None:
    assert carry_out(["report", *files, "--picture", "curve.svg"]) == 0
    drawn = (tmp_path / "curve.svg").read_text()
    assert "<svg" in drawn and "ms per step" in drawn
    assert carry_out(["report", files[0], "--picture", "curve.PNG"]) == 0
    assert (tmp_path / "curve.PNG").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_reported_is_refused(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.jsonl").write_text("no run\n")
    (tmp_path / "empty").mkdir()
    assert "graph_growth" in refused(capsys)
    assert "broken.jsonl, line 1" in refused(capsys, *files, "broken.jsonl")
    assert "none.jsonl cannot be read" in refused(capsys, "none.jsonl")
    assert "no saved run in 'empty'" in refused(capsys, "empty")
    assert ".svg and .png" in refused(capsys, *files, "--picture", "curve.pdf")
    assert "a folder that exists" in refused(capsys, *files, "--out", "none/report.html")
    assert "--out names no file" in refused(capsys, *files, "--out", "")
    assert not (tmp_path / "report.html").exists(), "what is refused writes nothing"


def test_more_runs_than_a_picture_holds_are_refused(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(["report", *files * 3, "--picture", "curve.svg"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "saved to report.html" and said[1].startswith("labkit: 6 runs")


def test_a_run_without_a_step_is_reported_and_is_no_success(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = Steps({"start_seconds": [], "seconds": []})
    failed = State("failed", "ValueError: no data", "")
    save_run(Run("mine", "My loop", failed, (), steps), tmp_path / "none.jsonl")
    assert carry_out(["report", *files, "none.jsonl"]) == 1
    saved, empty = capsys.readouterr().err.splitlines()
    assert saved == "saved to report.html"
    assert empty.startswith("labkit: Runs without step times: 1 of 3; ")
    assert "ValueError: no data" in read((tmp_path / "report.html").read_text()).text


@pytest.mark.parametrize(
    "arguments",
    [
        ["--out", "grew.jsonl"],
        ["--out", "./rested.jsonl.gz"],
        ["--picture", "link.svg"],
        ["--out", "one.svg", "--picture", "one.svg"],
    ],
)
def test_what_is_read_is_not_replaced_and_two_files_are_two(
    files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "link.svg").symlink_to(tmp_path / "grew.jsonl")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert "would replace a file" in refused(capsys, *files, *arguments)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_no_number_in_a_run_costs_the_others_of_its_folder_their_report(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("grew.jsonl").read_text().splitlines()
    names = json.loads(text[1])["names"]
    row = json.loads(text[-2])
    for name, number in (("seconds", -1.0), ("others_seconds", -(2.0**63)), (names[-1], -1e308)):
        if name in names:
            row[1 + names.index(name)] = number
    text[-2] = json.dumps(row)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "odd.jsonl").write_text("\n".join(text))
    (tmp_path / "runs" / "whole.jsonl").write_text(Path("grew.jsonl").read_text())
    assert carry_out(["report", "runs"]) == 1
    assert "120 steps" in read((tmp_path / "report.html").read_text()).text
    saved, left_out = capsys.readouterr().err.splitlines()
    assert saved == "saved to report.html"
    assert left_out.startswith("labkit: Not in the report: ") and "odd.jsonl" in left_out
