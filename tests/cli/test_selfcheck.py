"""``labkit selfcheck`` says what works here, and packs it. Tier: make test, in turn."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from labkit.record import load_run
from tests.command import labkit

pytestmark = pytest.mark.in_turn

BROKEN = 'def make_step():\n    raise ValueError("the loop cannot be built")\n'


@pytest.fixture
def broken(tmp_path: Path) -> str:
    (tmp_path / "broken.py").write_text(BROKEN)
    return str(tmp_path / "broken.py")


def test_what_works_is_told_cause_by_cause_and_packed(tmp_path: Path) -> None:
    out = tmp_path / "check.zip"
    done = labkit("selfcheck", "host_transfer", "--device", "cpu", "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("host_transfer on the CPU: works, ")
    assert lines[-1].startswith("1 of 1 causes work here")
    assert f"saved to {out}" in done.stderr
    with zipfile.ZipFile(out) as archive:
        archive.extract("runs/host_transfer.jsonl", tmp_path)
    assert len(load_run(tmp_path / "runs" / "host_transfer.jsonl").steps) == 500


def test_a_loop_that_fails_makes_the_status_one_and_hides_no_other(
    broken: str, tmp_path: Path
) -> None:
    done = labkit("selfcheck", broken, "remedies", "--device", "cpu", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert [each["works"] for each in told["causes"]] == [False, True]
    assert "the loop cannot be built" in told["causes"][0]["short"][0]
    assert list(tmp_path.glob("*.zip")) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["graph_groth"], "graph_growth"),
        (["--device", "tpu"], "auto, cpu, gpu"),
        (["--seconds", "0"], "above 0"),
        (["--out", "/nowhere/check.zip"], "choose a folder that exists"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_choices(arguments: list[str], said: str) -> None:
    done = labkit("selfcheck", *arguments)
    assert done.returncode == 2 and said in done.stderr and not done.stdout
