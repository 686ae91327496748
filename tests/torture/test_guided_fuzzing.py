"""The loader is tried by a fuzzer that is led by coverage. Tier: make torture.

Atheris is no part of the tests' environment: `make torture` installs it where it has a build.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from labkit.record import Run, Steps, run_to_lines
from tests.record.damage import whole
from tests.torture.conftest import Tried

pytest.importorskip("atheris")
MOST_STEPS = 6
LIMIT_SECONDS = 3_600


def short(run: Run) -> Run:
    """Return a run of few steps: a fuzzer changes what is short sooner where it matters."""

    def first(steps: Steps) -> Steps:
        return Steps({name: steps.column(name)[:MOST_STEPS] for name in steps.names})

    events = tuple(replace(each, step=min(each.step, MOST_STEPS - 1)) for each in run.events)
    evidence = {name: ((0, 3.0), (MOST_STEPS - 1, 4.0)) for name in run.evidence}
    others = tuple(map(first, run.others))
    return replace(run, steps=first(run.steps), others=others, events=events, evidence=evidence)


def unsigned(run: Run) -> str:
    """Return a run's file without its checksum, which would refuse whatever is changed."""
    text, *rest = "\n".join(run_to_lines(run)).split(', "checksum": ')
    assert len(rest) == 1
    return text + "}"


def test_what_a_fuzzer_finds_its_way_to_is_refused_or_read_as_it_is_saved_again(
    tmp_path: Path, rounds: int, seed: int, tried: Tried
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    run = short(whole())
    events = replace(run, evidence={}, others=(), toggles={}, settings={}, environment={})
    for number, each in enumerate((run, events, replace(events, events=(), log=""))):
        (corpus / f"{number}.jsonl").write_text(unsigned(each))
    command = [sys.executable, "-m", "tests.torture.guided_loader", str(corpus)]
    options = [
        f"-runs={5_000 * rounds}",
        f"-seed={seed}",
        "-max_len=20000",
        "-timeout=10",
        "-rss_limit_mb=2048",
    ]
    ran = subprocess.run(
        [*command, *options, f"-artifact_prefix={tmp_path}/"],
        capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False,
        cwd=Path(__file__).parent.parent.parent,
    )  # fmt: skip
    said = ran.stdout[-3_000:] + ran.stderr[-3_000:]
    assert ran.returncode == 0, said
    done = re.findall(r"^Done (\d+) runs", said, re.MULTILINE)
    found = re.findall(r"cov: (\d+)", ran.stderr)
    assert done and int(found[-1]) > int(found[0]), said
    tried(int(done[0]), "files that a fuzzer was led to")
