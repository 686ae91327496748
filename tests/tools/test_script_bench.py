"""What is said of a script is held against its truth, and what is wrong is named.

Tier: make test.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.scripts.expected import ScriptTruth, scripts
from tools.bench.diagnosis.script_outcome import ScriptOutcome
from tools.bench.diagnosis.scripts import misses, scored

TRUTH = ScriptTruth(
    "train", "known", (), "", "train.py", 61, ("slowdown", "shift"), ("retracing",),
    frozenset({"train.py:38"}), True, "growth",
)  # fmt: skip
SOUND = replace(TRUTH, labels=("flat", "warmup"), causes=(), lines=frozenset(), leaks=False)


def said(
    label: str = "slowdown", cause: str = "retracing", line: int | None = 38, *,
    memory: str = "leaking", step: int = 61, spikes: float = 0.0,
) -> dict[str, Any]:  # fmt: skip
    finding = {
        "cause": cause, "kind": "growth", "share": 0.9,
        "line": line and {"file": "/a/train.py", "line": line},
    }  # fmt: skip
    return {
        "step": {"kind": "for", "file": "/a/train.py", "line": step},
        "steps": 300,
        "verdict": {"label": label, "growth": 0.5, "more": {"spike_share": spikes}},
        "memory": {"label": memory},
        "findings": [finding] if cause else [],
        "loops": [],
    }


def test_all_right_is_no_miss() -> None:
    outcome = ScriptOutcome(TRUTH, said(), 12.0)
    assert outcome.misses() == () and str(outcome).startswith("ok")
    sound = ScriptOutcome(SOUND, said("warmup", "", memory="flat"), 12.0)
    assert sound.misses() == () and sound.quiet


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (said(step=40), "step for train.py:40, is train.py:61"),
        (said("flat"), "called flat, is slowdown or shift"),
        (said(cause="history"), "found history (growth 90%), is retracing"),
        (said(line=40), "line train.py:40, is train.py:38"),
        (said(line=None), "line none, is train.py:38"),
        (said(memory="flat"), "leak not seen"),
    ],
)
def test_each_wrong_word_is_a_miss(wrong: dict[str, Any], told: str) -> None:
    assert ScriptOutcome(TRUTH, wrong, 12.0).misses() == (told,)


def test_a_finding_in_any_loop_of_a_sound_script_is_a_miss() -> None:
    sound = said("flat", "", memory="flat")
    outcome = ScriptOutcome(SOUND, {**sound, "loops": [said()]}, 12.0)
    assert not outcome.quiet and outcome.leak_told
    assert len(outcome.misses()) == 2


def test_few_spikes_over_a_flat_level_are_flat_and_many_are_not() -> None:
    few, many = (said("spikes", "", memory="flat", spikes=share) for share in (0.05, 0.4))
    assert ScriptOutcome(SOUND, few, 12.0).label_right
    assert not ScriptOutcome(SOUND, many, 12.0).label_right
    assert not ScriptOutcome(TRUTH, few, 12.0).label_right


def test_a_script_without_a_diagnosis_is_wrong_in_all() -> None:
    outcome = ScriptOutcome(TRUTH, None, 12.0, "it hung")
    assert outcome.misses() == ("no diagnosis: it hung",)
    assert not any([outcome.step_right, outcome.label_right, outcome.cause_right])
    assert "MISS" in str(outcome) and "no diagnosis" in misses([outcome])


def test_the_figures_count_those_that_are_asked_about() -> None:
    outcomes = [
        ScriptOutcome(TRUTH, said(), 12.0), ScriptOutcome(TRUTH, said(line=40), 12.0),
        ScriptOutcome(SOUND, said("flat", "", memory="flat"), 12.0),
    ]  # fmt: skip
    found = {figure.name: figure.note for figure in scored("scripts", outcomes)}
    assert found["first finding is the cause"] == "2 of 2"
    assert found["and its line"] == "1 of 2"
    assert found["nothing found in a healthy one"] == "1 of 1"
    assert "nothing found in a mended twin" not in found


@pytest.mark.parametrize("group", ["known", "held_out", "unseen", "newest"])
def test_each_truth_has_its_script_and_its_lines_stand_there(group: str) -> None:
    for truth in scripts(group):
        file = truth.folder / (
            f"{truth.module.replace('.', '/')}.py" if truth.module else f"{truth.name}.py"
        )
        assert file.is_file(), truth.name
        assert truth.healthy == (not truth.lines), truth.name
        for place in truth.lines:
            name, _, line = place.rpartition(":")
            (where,) = {*truth.folder.rglob(name)} & {*file.parent.glob(name)}
            assert where.read_text().splitlines()[int(line) - 1].strip(), place


def test_two_thirds_of_the_known_scripts_have_a_fault_and_each_of_them_has_its_twin() -> None:
    known = scripts("known")
    whole = [truth for truth in known if not truth.mended]
    ill = {truth.name for truth in whole if not truth.healthy}
    assert len(whole) == 24 and len(ill) == 16
    assert {f"{name}_mended" for name in ill} == {each.name for each in known if each.mended}
    assert all(each.healthy for each in known if each.mended)
