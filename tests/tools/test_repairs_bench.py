"""What the table of repairs counts as told and as working, and two of them for real.

Tier: make test, in turn. Of the loops that are run only counters are claimed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import labkit as lk
from labkit.bench.bench import Bench
from labkit.record import Diagnosis
from tests.repairs.pairs import pairs
from tools.bench.diagnosis import repairs
from tools.bench.diagnosis.repair_outcome import RepairOutcome, Said

pytestmark = pytest.mark.in_turn

# As many as it takes until all that is alive has been counted often enough.
STEPS = 150
LEAK = Said((("kept_objects", "memory", "drop"),), True, 0.01, 5_000.0, 300)
SOUND = Said((), False, 0.01, 0.0, 900)


def outcome(before: Said, after: Said, fix: str = "drop") -> RepairOutcome:
    return RepairOutcome(fix, 1, "A loop", before, after)


def test_a_repair_works_where_it_was_printed_and_the_cause_is_gone() -> None:
    found = outcome(LEAK, SOUND)
    assert found.told and found.works and found.row()[-1] == "yes"
    assert found.row()[5:7] == ["5.0 kB", "nothing"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (SOUND, SOUND, "not printed: found nothing"),
        (LEAK, LEAK, "with it: kept_objects (memory)"),
        (LEAK, Said((), True, 0.01, 900.0, 900), "with it: a leak"),
        (LEAK, Said((), False, 0.01, 0.0, 9, "it raised"), "with it: it raised"),
        (LEAK, Said(error="OSError: gone"), "OSError: gone"),
    ],
)
def test_what_does_not_hold_is_named(before: Said, after: Said, told: str) -> None:
    found = outcome(before, after)
    assert not found.works and found.wrong == told
    assert str(found).startswith("MISS") and told in found.row()[-1]


def test_another_finding_with_the_repair_is_no_fault_of_it() -> None:
    other = Said((("garbage", "spikes", "freeze_garbage"),), False, 0.01, 0.0, 900)
    growth = Said((("history", "growth", "drop"),), True, 0.01, 5_000.0, 300)
    assert outcome(growth, other).works


def test_the_newest_outcome_of_a_pair_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "repairs.json"
    repairs.keep(outcome(LEAK, LEAK), path)
    repairs.keep(outcome(LEAK, SOUND, "keep_few"), path)
    repairs.keep(outcome(LEAK, SOUND), path)
    other, newest = repairs.known(path)
    assert newest == outcome(LEAK, SOUND)
    assert other.fix == "keep_few" and not other.told
    assert repairs.written([other, newest]).count("| yes |") == 1


def test_a_loop_that_cannot_be_run_is_no_repair_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repairs, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(repairs, "PAGE", tmp_path / "page.md")

    def fail(path: str, seconds: float) -> None:
        raise OSError("no such machine")

    figures = repairs.measure(["drop"], fail)  # type: ignore[arg-type]
    assert [figure.note for figure in figures] == ["0 of 2", "0 of 2"]
    assert not (tmp_path / "page.md").exists(), "one repair alone leaves the table as it is"
    repairs.measure((), fail)  # type: ignore[arg-type]
    assert "no such machine" in (tmp_path / "page.md").read_text()


@pytest.mark.parametrize(("fix", "number"), [("tensor_argument", 1), ("close_figures", 1)])
def test_a_repair_that_is_printed_works(bench: Bench, fix: str, number: int) -> None:
    def diagnosis(path: str, seconds: float) -> Diagnosis:
        return lk.diagnose(path, steps=STEPS, on=bench).diagnosis

    (pair,) = (each for each in pairs(fix) if each.number == number)
    (found,) = repairs.diagnosed([pair], diagnosis)
    assert found.told and found.works, str(found)
