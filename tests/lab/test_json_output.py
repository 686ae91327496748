"""The plain forms of verdict, ledger and diagnosis that scripts depend on. Tier: make test."""

from __future__ import annotations

import json
from dataclasses import replace

from labkit.lab.json_output import diagnosis_json, ledger_json, verdict_json
from labkit.record import UNEXPLAINED, Ledger, Memory
from labkit.record.loop import SourceLoop
from labkit.record.source_line import SourceLine
from tests.made_diagnosis import made_diagnosis
from tests.show import told


def test_a_verdict_keeps_its_five_stable_fields_first() -> None:
    plain = verdict_json(told.GREW)
    assert list(plain) == ["label", "growth", "low", "high", "detail", "more"]
    assert str(plain["detail"]).startswith("slowdown: from 5.0 to 13.5 ms per step (2.7x, 95 % CI")
    assert list(plain["more"]) == [  # type: ignore[call-overload]
        "steps", "warmup_steps", "first_seconds", "last_seconds", "onset_step", "spike_period",
        "spike_share", "smallest_growth", "machine_growth", "contended_share", "machine_detail",
    ]  # fmt: skip


def test_a_diagnosis_is_plain_enough_for_a_file() -> None:
    plain = json.loads(json.dumps(diagnosis_json(told.ill())))
    assert list(plain) == [
        "file", "state", "reason", "steps", "idle", "verdict", "memory", "ledger", "findings",
        "environment", "late_steps", "step", "loops",
    ]  # fmt: skip
    assert plain["step"] is None and plain["loops"] == []
    assert plain["ledger"][-1]["place"] == UNEXPLAINED
    assert list(plain["findings"][0]) == ["cause", "kind", "share", "proof", "fix", "line"]
    assert plain["findings"][0]["line"] is None


def test_a_script_tells_its_step_its_other_loops_and_the_line_of_each_finding() -> None:
    loop = SourceLoop("fit", "/home/me/train.py", 61, "model.fit(data)", 61)
    line = SourceLine("/home/me/train.py", 38, "loss = step(batch)")
    ill = told.ill()
    found = replace(ill.findings[0], line=line)
    of_script = replace(ill, loop=loop, entries=3, findings=(found,))
    plain = json.loads(json.dumps(diagnosis_json(of_script, [of_script])))
    assert plain["step"] == {
        "kind": "fit", "file": "/home/me/train.py", "line": 61, "code": "model.fit(data)",
        "count": len(ill.run.steps),
    }  # fmt: skip
    assert plain["findings"][0]["line"] == {
        "file": "/home/me/train.py", "line": 38, "code": "loss = step(batch)",
    }  # fmt: skip
    assert plain["loops"][0]["step"] == plain["step"] and plain["loops"][0]["loops"] == []


def test_places_and_counters_are_called_by_their_titles() -> None:
    plain = json.loads(json.dumps(diagnosis_json(told.ill())))
    assert plain["ledger"][0]["place"] == "session extension"
    assert plain["memory"]["grows"] == ["ops in the graph", "losses", "memory on the heap"]


def test_where_nothing_grew_the_ledger_is_empty() -> None:
    sound = made_diagnosis(told.FLAT, Memory("flat", 0.0), Ledger())
    assert ledger_json(sound.ledger, sound.judged.columns) == []
