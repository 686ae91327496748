"""A damaged run file is refused in one sentence, or every use of it works.

Tier: make test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from labkit.causes import SLUGS, load
from labkit.course.classroom.classroom import classroom
from labkit.diagnosis import judgement
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.replayed import Replayed
from labkit.record import LabkitError, Run, RunFileError, load_run, run_to_lines, save_run
from labkit.record.format.reader import run_from_lines
from labkit.show.report.report import report_html
from tests.measure.owned_clock import OwnedClock
from tests.record.damage import damaged, whole

EXAMPLES = 400
MOST_LETTERS = 600
SAVED = run_from_lines(run_to_lines(whole()))


def use(run: Run) -> None:
    """Report a run, and play it again."""
    report_html([judgement(run)]).encode()
    if run.cause not in SLUGS or not len(run.steps):
        with pytest.raises(LabkitError):
            RecordedRuns([run])
        return
    player = LabPlayer(load(run.cause), recorded=RecordedRuns([run]))
    player.start({toggle.name: toggle.default for toggle in player.toggles})
    player.banner.encode()
    clock = OwnedClock()
    played = Replayed("one", run, clock=clock)
    for _ in range(3):
        clock.pass_ms(500)
        assert played.snapshot().steps.names == run.steps.names
        assert played.toggles and played.state and len(played.events) <= len(run.events)
        assert all(len(played.read(each.name, 0, 100)) <= 100 for each in run.columns)


def test_a_damaged_file_is_refused_in_one_sentence_or_can_be_used(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    save_run(whole(), folder / "whole.jsonl")
    read: list[Path] = []

    @settings(
        max_examples=EXAMPLES, suppress_health_check=list(HealthCheck),
        database=None,
    )  # fmt: skip
    @given(damaged())
    def check(text: str) -> None:
        file = folder / f"run-{len(read)}.jsonl"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            run = load_run(file)
        except RunFileError as error:
            sentence = str(error)
            assert sentence.startswith(file.name) and sentence.endswith(".")
            assert "\n" not in sentence and len(sentence) < MOST_LETTERS
            sentence.encode()
            file.unlink()
            return
        use(run)
        assert load_run(save_run(run, tmp_path / "again.jsonl")) == run
        read.append(file)

    check()
    shown = classroom(folder, cause="graph_growth")
    assert len(read) > EXAMPLES // 20, "so little is read that nothing was tried"
    assert len(shown.members) > len(read) // 2 and shown.picture.png
    assert all("has no step" in each for each in shown.passed_over)
    shown._repr_mimebundle_()["text/html"].encode()


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
@given(damaged(signed=True))
def test_what_is_read_of_a_file_with_its_checksum_is_what_was_saved(text: str) -> None:
    try:
        run = run_from_lines(text.splitlines(keepends=True))
    except RunFileError:
        return
    assert run == SAVED or not re.search(r'"checksum": \d', text)
