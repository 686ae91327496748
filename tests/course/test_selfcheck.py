"""The self-check: what its table says, and that a cause that fails costs only its own row.

Tier: make test, in turn; the whole of it is marked full.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import signal
import threading
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

import labkit as lk
from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.causes import SLUGS
from labkit.course.check import selfcheck
from labkit.course.check.selfchecked import CheckedCause, SelfCheck, packed
from labkit.course.check.setup import graphics_card
from labkit.record import ChoiceError, LabkitError, load_run
from tests.record.example import full_run

pytestmark = pytest.mark.in_turn

BROKEN = 'def make_step():\n    raise ValueError("the loop cannot be built")\n'
SLOW = """
from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

def make_step(toggles, seed=0):
    import threading
    return Loop(lambda: threading.Event().wait(1.0), {"rest": lambda: 0})

CAUSE = Cause(
    "slow_loop", "A slow loop", "Takes a second per step.", make_step, (), (),
    Expectation("flat", steps=60, growth=0.0, per_step={"rest": 0}), "",
    counters=(Column("rest", "a counter at rest", "times", "counter"),),
)
"""


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "broken_loop.py"
    path.write_text(BROKEN)
    return str(path)


def row(check: SelfCheck, slug: str) -> CheckedCause:
    (found,) = [row for row in check.rows if row.slug == slug]
    return found


@pytest.fixture(scope="module")
def check(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> SelfCheck:
    """Two causes, with one between them that cannot be built."""
    folder = tmp_path_factory.mktemp("check")
    broken = folder / "broken_loop.py"
    broken.write_text(BROKEN)
    return lk.selfcheck(
        "host_transfer", str(broken), "remedies", device="cpu", folder=folder, on=bench
    )


def test_a_cause_that_does_what_it_declares_works(check: SelfCheck) -> None:
    found = row(check, "host_transfer")
    assert found.works and found.ran and found.counters is True
    assert found.verdict and found.seconds > 0
    assert found.run is not None and len(found.run.steps) == 500


def test_a_loop_that_fails_costs_its_own_row_and_says_why(check: SelfCheck) -> None:
    failed = row(check, "broken_loop.py")
    assert not failed.works and failed.counters is None and failed.cells()[2] == "no"
    assert "the loop cannot be built" in " ".join(failed.short)
    assert row(check, "remedies").ran
    assert not check.works and "2 of 3 causes work here" in check.summary()


def test_the_download_has_every_run_and_the_table(check: SelfCheck, tmp_path: Path) -> None:
    assert check.file is not None and check.note == ""
    with zipfile.ZipFile(check.file) as archive:
        archive.extractall(tmp_path)
        names = archive.namelist()
    assert "runs/host_transfer.jsonl" in names
    assert load_run(tmp_path / "runs" / "host_transfer.jsonl").cause == "host_transfer"
    told = json.loads((tmp_path / "selfcheck.json").read_text())
    assert [each["works"] for each in told["causes"]] == [True, False, True]
    assert told["environment"]["tensorflow"] and told["environment"]["device"] == "cpu"


def test_a_notebook_shows_the_table_and_a_link_that_holds_the_file(check: SelfCheck) -> None:
    bundle = check._repr_mimebundle_()
    assert bundle["text/html"].count('<th scope="row">') == 3
    link = re.search(r'href="data:application/zip;base64,([^"]+)"', bundle["text/html"])
    assert link is not None and check.file is not None
    assert f'download="{check.file.name}"' in bundle["text/html"]
    assert base64.b64decode(link.group(1)) == check.file.read_bytes()
    lines = bundle["text/plain"].splitlines()
    assert [line.split()[0] for line in lines[1:4]] == [each.slug for each in check.rows]
    assert str(check.file) in lines[-1]


def checked(**more: object) -> CheckedCause:
    run = full_run()
    return CheckedCause("graph_growth", "Graph growth", run=run, **more)  # type: ignore[arg-type]


def test_what_did_not_end_well_never_works_whatever_its_counters() -> None:
    assert checked().run is not None and not checked(counters=True).works
    assert not CheckedCause("a", "A", counters=True).works


def test_a_check_without_a_file_says_why_and_offers_no_link() -> None:
    told = SelfCheck((checked(),), note="There are no run files to download: the disk is full.")
    bundle = told._repr_mimebundle_()
    assert "the disk is full" in bundle["text/html"] and "href" not in bundle["text/html"]
    assert bundle["text/plain"].endswith("the disk is full.")


def test_a_file_that_is_gone_again_is_told_by_its_path_alone(tmp_path: Path) -> None:
    told = SelfCheck((checked(),), file=tmp_path / "gone.zip")
    assert "href" not in told._repr_mimebundle_()["text/html"]
    assert "gone.zip" in str(told)


def test_two_checks_of_one_second_are_both_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 23, tzinfo=UTC)
    monkeypatch.setattr(selfcheck, "datetime", SimpleNamespace(now=lambda _zone: now))
    names = [selfcheck._kept(SelfCheck((checked(),)), tmp_path).file for _ in range(2)]
    stem = "labkit-selfcheck-20261123-000000"
    assert names == [tmp_path / f"{stem}.zip", tmp_path / f"{stem}-2.zip"]
    assert all(name is not None and zipfile.is_zipfile(name) for name in names)


def test_a_cause_without_a_run_is_in_the_table_and_not_among_the_files() -> None:
    made = packed(SelfCheck((CheckedCause("a", "A", short=("it did not start",)), checked())))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.namelist() == ["selfcheck.json", "runs/graph_growth.jsonl"]


def test_a_folder_that_is_not_there_costs_the_file_and_not_the_table(
    bench: Bench, broken: str, tmp_path: Path
) -> None:
    found = lk.selfcheck(broken, device="cpu", folder=tmp_path / "nowhere", on=bench)
    assert found.file is None and "nowhere" in found.note and len(found.rows) == 1


def test_a_cause_that_is_none_is_refused_before_anything_runs(bench: Bench) -> None:
    before = len(bench.sessions)
    with pytest.raises(ChoiceError, match="graph_growth"):
        lk.selfcheck("host_transfer", "graph_groth", on=bench)
    with pytest.raises(LabkitError, match="seconds = 0"):
        lk.selfcheck(seconds=0, on=bench)
    with pytest.raises(ChoiceError, match="cpu, gpu"):
        lk.selfcheck(device="tpu", on=bench)
    assert len(bench.sessions) == before


def test_two_loops_of_one_name_are_two_run_files() -> None:
    made = packed(SelfCheck((checked(), checked())))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        names = archive.namelist()[1:]
    assert names == ["runs/graph_growth.jsonl", "runs/graph_growth-2.jsonl"]


def test_a_card_that_is_asked_for_and_not_there_is_said_before_anything_runs(
    bench: Bench, tmp_path: Path
) -> None:
    if os.path.exists("/proc/driver/nvidia"):
        pytest.skip("there is a GPU here")
    before = len(bench.sessions)
    with pytest.raises(LabkitError, match="TensorFlow finds none"):
        lk.selfcheck("remedies", device="gpu", folder=tmp_path, on=bench)
    assert len(bench.sessions) == before and not list(tmp_path.iterdir())


def test_a_check_of_both_devices_counts_each_and_names_its_files_apart() -> None:
    told = SelfCheck(
        (checked(device="cpu", counters=True), checked(device="gpu", short=("it was lost",)))
    )
    assert told.summary().startswith("0 of 1 causes work on the CPU, 0 of 1 causes work on the GPU")
    with zipfile.ZipFile(io.BytesIO(packed(told))) as archive:
        assert archive.namelist()[1:] == ["runs/graph_growth.jsonl", "runs/graph_growth-gpu.jsonl"]


def test_no_driver_is_no_card_and_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert graphics_card() is None
    command = tmp_path / "nvidia-smi"
    command.write_text("#!/bin/sh\nexit 9\n")
    command.chmod(0o755)
    assert graphics_card() is None
    command.write_text("#!/bin/sh\necho 'A card'\necho 'Another'\n")
    assert graphics_card() == "A card"


@pytest.mark.full
def test_every_cause_works_in_its_short_form_and_in_time(bench: Bench, tmp_path: Path) -> None:
    began = time.monotonic()
    found = lk.selfcheck(device="cpu", folder=tmp_path, on=bench)
    assert [each.slug for each in found.rows] == list(SLUGS)
    assert found.works, str(found)
    unknown = [each.slug for each in found.rows if each.counters is None]
    assert set(unknown) <= {"fragmentation", "garbage", "memory_limit"}, str(found)
    # A generous bound: a machine that is busy may need its least time for each cause.
    assert time.monotonic() - began < 300


@pytest.mark.full
def test_a_cause_that_needs_more_than_its_share_is_cut_and_says_so(
    bench: Bench, tmp_path: Path
) -> None:
    found = lk.selfcheck("memory_limit", seconds=3, device="cpu", folder=tmp_path, on=bench)
    (only,) = found.rows
    if only.run is not None and len(only.run.steps) == 4_800:
        pytest.skip("this machine runs all of it in three seconds")
    assert only.works and only.counters is None
    assert only.short and only.short[0].startswith("cut at ")


@pytest.mark.full
def test_a_run_that_was_cut_before_it_could_show_anything_has_counters_that_are_not_known(
    bench: Bench, tmp_path: Path
) -> None:
    slow = tmp_path / "slow_loop.py"
    slow.write_text(SLOW)
    found = lk.selfcheck(str(slow), seconds=1, device="cpu", folder=tmp_path, on=bench)
    (only,) = found.rows
    assert only.run is not None and 0 < len(only.run.steps) < 6, only.run
    assert only.ran and only.counters is None


@pytest.fixture
def interrupt_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt comes just when a run has ended by itself."""

    def interrupted(session: Session, *_: object, **__: object) -> None:
        assert session.wait(90)
        raise KeyboardInterrupt

    monkeypatch.setattr("labkit.lab.kernel.follow", interrupted)


@pytest.mark.usefixtures("interrupt_at_the_end")
def test_an_interrupt_that_comes_as_a_run_ends_keeps_that_run_and_begins_no_other(
    bench: Bench, broken: str, tmp_path: Path
) -> None:
    found = lk.selfcheck("host_transfer", broken, device="cpu", folder=tmp_path, on=bench)
    first, second = found.rows
    assert first.run is not None and first.run.state.name == "done"
    assert second.run is None and second.short == ("stopped before it",)


@pytest.mark.full
def test_an_interrupt_ends_the_check_and_keeps_what_was_found(bench: Bench, tmp_path: Path) -> None:
    before = bench.sessions

    def interrupt() -> None:
        while len(set(bench.sessions) - set(before)) < 2 or bench.sessions[-1].count < 5:
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    found = lk.selfcheck(
        # The second takes seconds: a short one may be over before anybody has seen five steps.
        "host_transfer",
        "input_pipeline",
        "retracing",
        device="cpu",
        folder=tmp_path,
        on=bench,
    )
    first, second, third = found.rows
    assert first.works
    assert not second.works and second.run is not None and second.run.state.name == "stopped"
    assert third.run is None and third.short == ("stopped before it",)
    assert found.file is not None
    assert "runs/retracing.jsonl" not in zipfile.ZipFile(found.file).namelist()
