"""Lessons broken on purpose: the loop is another one, the run says what was asked, the lab fails.

Tier: make test, in turn; all of them in make test-full.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.causes import SLUGS, load
from tools.lessons.broken import VARIABLE
from tools.lessons.trial import ROOT, Break, breaks, outcome

KNOWN = json.loads((ROOT / "docs" / "measured" / "lessons.json").read_text("utf-8"))
IN_ORDER = list(breaks())
# One by one of each kind: a cause switched off, a toggle without effect, a cause of another lab.
SHORT = ("grow is off behind its back", "collect_every does nothing", "argument does nothing")
RUN = """
import labkit as lk
from tools.lessons.broken import break_lesson
break_lesson()
for word in ("on", "off"):
    run = lk.run("graph_growth", steps=40, grow=word)
    ops = run.steps.column("graph_ops")
    print(run.toggles["grow"], ops[-1] - ops[0])
"""


def named(broken: Break) -> str:
    return f"{broken.cause}, {broken.says}"


def test_every_toggle_of_every_cause_is_broken() -> None:
    everything = {(slug, toggle.name) for slug in SLUGS for toggle in load(slug).toggles}
    assert {(each.cause, each.toggle) for each in IN_ORDER} == everything
    assert len(set(map(named, IN_ORDER))) == len(IN_ORDER)


def test_a_broken_run_says_what_was_asked_for_and_does_something_else(tmp_path: Path) -> None:
    told = tmp_path / "told"
    about = {"cause": "graph_growth", "toggle": "grow", "value": False, "told": str(told)}
    ran = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), VARIABLE: json.dumps(about)},
    )  # fmt: skip
    assert ran.stdout.splitlines()[-2:] == ["True 0.0", "False 0.0"]
    assert told.read_text() == "True\n", "of the run that was left alone nothing is told"


def test_no_lesson_that_was_broken_is_known_to_pass() -> None:
    assert [name for name, (_, said) in KNOWN.items() if said == "passes"] == []


@pytest.mark.in_turn
@pytest.mark.parametrize("broken", [each for each in IN_ORDER if each.says in SHORT], ids=named)
def test_a_notebook_fails_when_its_lesson_does(broken: Break) -> None:
    assert outcome(broken) == "fails"


@pytest.mark.full
@pytest.mark.parametrize("broken", [each for each in IN_ORDER if each.says not in SHORT], ids=named)
def test_no_notebook_passes_while_its_lesson_fails(broken: Break) -> None:
    assert outcome(broken) != "passes"
