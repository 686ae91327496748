"""A diagnosis in a terminal: verdict, causes with proof and fix, and little where nothing is wrong.

Tier: make test.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import labkit.diagnosis
from labkit.diagnosis.rules import RULES
from labkit.record import Diagnosis, Finding, Memory, State, Verdict
from labkit.record.proof import KeptForEver
from labkit.show.report.cause_words import CAUSE_WORDS, cause_words
from labkit.show.report.diagnosis_words import HEALTHY, NO_CAUSE, memory, share
from labkit.show.report.fixes import FIXES
from labkit.show.report.terminal import WIDTH, diagnosis_lines
from tests.show import told

# What scripts may look for: none of these may go. A new one need not be added here.
PROMISED = (
    "graph_growth", "session_churn", "retracing", "open_tape", "fragmentation", "garbage",
    "checkpoint_io", "input_pipeline", "host_transfer", "history", "kept_objects", "observer",
    "memory_limit", "work_growth",
)  # fmt: skip


def named_by_a_diagnosis() -> set[str]:
    """Return the causes of all rules, and those that the code of a finding names outright."""
    folder = Path(labkit.diagnosis.__path__[0])
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py")]
    outright = {
        node.args[0].value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "Finding" and isinstance(node.args[0], ast.Constant)
    }
    kept_by_none_of_these = "kept_objects"
    return {*map(str, outright), *(each.cause for each in RULES), kept_by_none_of_these}


def said(diagnosis: Diagnosis, **changes: object) -> str:
    run = told.run(**changes)
    return "\n".join(diagnosis_lines(replace(diagnosis, run=run, judged=run)))


def test_everything_is_told_in_order() -> None:
    text = "\n".join(diagnosis_lines(told.looked_at(told.ill())))
    wanted = [
        "loop.py", "done after 614 steps", "left out: 14 steps that labkit looked at closely",
        "slowdown: from 5.0 to 13.5 ms", "memory: leaking, 21.0 kB per step",
        "where it went: session extension 71 %", "unexplained 5 %",
        "1. Graph growth: makes the steps longer (94 % of the growth)",
        "(6.0 ms ± 500 us, 95 % CI)",
        "The smallest fix:", "    session.run(update, ",
        "The lab that teaches it: notebooks/01_graph_growth.ipynb", "2. Kept objects: keeps memory",
        "losses +1 per step", "notebooks/09_memory.ipynb",
    ]  # fmt: skip
    places = [text.index(part) for part in wanted]
    assert places == sorted(places)


def test_a_fix_can_be_copied_as_it_stands() -> None:
    lines = said(told.ill()).splitlines()
    first = next(place for place, line in enumerate(lines) if "# build every op once" in line)
    indent = len(lines[first]) - len(lines[first].lstrip())
    fix = FIXES[told.GRAPH.fix].splitlines()
    assert [line[indent:] for line in lines[first : first + len(fix)]] == fix


def test_a_healthy_loop_says_so_in_one_line_and_names_no_cause() -> None:
    lines = diagnosis_lines(told.healthy())
    assert lines[-1] == f"  {HEALTHY}" and len(lines) == 5
    text = "\n".join(lines)
    assert not any(words.title in text for words in CAUSE_WORDS.values())
    assert "fix" not in text and "lab" not in text and "where it went" not in text


@pytest.mark.parametrize(
    ("changes", "state", "healthy"),
    [
        ({"label": "warmup"}, "done", True),
        ({"label": "speedup"}, "done", True),
        ({"label": "spikes"}, "done", True),
        ({"label": "too_short"}, "done", False),
        ({"label": "unsteady"}, "done", False),
        ({"label": "slowdown"}, "done", False),
        ({}, "done", True),
        ({}, "failed", False),
        ({}, "stopped", False),
        ({"smallest_growth": 0.1}, "done", True),
        # Recorded: steps that doubled on a restless machine were called healthy.
        ({"smallest_growth": 0.6}, "done", False),
    ],
)
def test_only_a_loop_of_which_enough_is_known_is_called_healthy(
    changes: dict[str, Any], state: Any, healthy: bool
) -> None:
    verdict = replace(told.FLAT, **changes)
    text = said(replace(told.healthy(), verdicts=(verdict,)), state=State(state))
    assert (HEALTHY in text, text.endswith(HEALTHY)) == (healthy, healthy)


def test_a_leak_alone_is_not_healthy() -> None:
    leaking = replace(told.healthy(), memory=Memory("leaking", 0.0, ("open_files",)))
    assert HEALTHY not in said(leaking)
    assert "memory: leaking; rising to the end: open files" in said(leaking)


def test_no_cause_found_says_what_would_tell() -> None:
    text = said(told.unexplained())
    after = text[text.index(NO_CAUSE) :]
    assert "7.1 ms per step more than at first: loop.py:12 step" in after
    assert "88 % of the growth is outside the instrumented code" in after
    assert "run it longer" in after
    assert "pyinstrument" not in after and "not measured here" not in text


def test_what_was_missing_is_named_where_it_would_have_told() -> None:
    environment = {**told.ENVIRONMENT, "not_measured": "session_extension"}
    verdict = replace(told.GREW, contended_share=0.5)
    text = said(replace(told.unexplained(), verdicts=(verdict,), slower_lines=()), evidence={},
                environment=environment)  # fmt: skip
    assert "install pyinstrument" in text
    assert "not measured here: session_extension" in text
    assert "rerun on an idle machine" in text


def test_what_was_not_measured_is_told_of_any_loop() -> None:
    environment = {**told.ENVIRONMENT, "not_measured": "session_extension"}
    assert "not measured here: session_extension" in said(told.ill(), environment=environment)
    assert "not measured here" not in said(told.ill())


def test_a_slowdown_without_cause_is_told_beside_a_leak_that_has_one() -> None:
    text = said(replace(told.unexplained(), findings=(told.KEPT,)))
    assert text.index("1. Kept objects") < text.index(NO_CAUSE)


def test_a_slowdown_with_a_cause_does_not_also_have_none() -> None:
    assert NO_CAUSE not in said(told.ill())


def test_a_loop_that_raised_ends_with_how_and_with_what_was_learned() -> None:
    state = State("failed", "The loop raised ValueError: no.", "Traceback\n  ValueError: no")
    lines = diagnosis_lines(told.ill(told.run(state=state)))
    assert lines[:2] == ["Traceback", "  ValueError: no"]
    assert lines[2:4] == ["loop.py",
                          "  failed after 600 steps: the loop raised ValueError: no."]  # fmt: skip
    assert any("Graph growth" in line for line in lines)


def test_of_a_loop_without_a_step_nothing_is_judged() -> None:
    state = State("failed", "make_step() raised ValueError.")
    verdict = Verdict("too_short", None, None, None, "few_steps")
    run = told.run(0, state=state)
    lines = diagnosis_lines(Diagnosis(run, run, (verdict,)))
    assert len(lines) == 2 and "make_step() raised" in lines[1]


def test_without_a_lab_none_is_named() -> None:
    growing = replace(told.KEPT, cause="work_growth")
    assert "lab that teaches" not in said(replace(told.ill(), findings=(growing,)))


def test_lines_fit_a_terminal_and_names_of_the_reader_stay_whole() -> None:
    path = "kept/" + "a_rather_long_name_" * 8
    finding = replace(told.KEPT, proof=KeptForEver(((f"kept/{path}", 1.0),), 0.0))
    lines = diagnosis_lines(replace(told.ill(), findings=(finding,)))
    assert any(path in line for line in lines)
    proofs = [line for line in lines if line.startswith("   ") and path not in line]
    assert proofs and all(len(line) <= WIDTH for line in proofs)


def test_every_cause_has_words_for_the_reader_and_no_other_has() -> None:
    assert set(PROMISED) <= set(CAUSE_WORDS) <= named_by_a_diagnosis()
    for words in CAUSE_WORDS.values():
        assert words.title and words.meaning.endswith(".")
    assert len({words.title for words in CAUSE_WORDS.values()}) == len(CAUSE_WORDS)


def test_every_cause_that_the_rules_can_name_has_words_and_a_repair() -> None:
    assert named_by_a_diagnosis() <= set(CAUSE_WORDS)
    assert {each.fix for each in RULES} <= set(FIXES)


def test_a_cause_nobody_described_is_still_readable() -> None:
    assert cause_words("new_cause").title == "New cause"
    assert cause_words("new_cause").meaning == ""


@pytest.mark.parametrize(
    ("kind", "words"),
    [("growth", "94 % of the growth"), ("spikes", "94 % of the spikes"),
     ("cost", "94 % of the step"), ("memory", "")],
)  # fmt: skip
def test_a_share_says_what_it_is_a_part_of(kind: str, words: str) -> None:
    assert share(Finding("garbage", kind, 0.94, told.KEPT.proof, "")) == words


def test_many_things_that_rise_are_counted_after_the_first_few() -> None:
    many = tuple(f"kept/list {number}" for number in range(30))
    text = memory(Memory("leaking", 12.0, many))
    assert text.startswith("memory: leaking, 12 bytes per step; rising to the end: list 0, list 1")
    assert text.endswith("list 3 and 26 more")
