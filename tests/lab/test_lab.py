"""The lab joins the rooms: runs, adoption of a run in progress, what a blocking cell returns."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import labkit as lk
from labkit.bench.session.session import Session
from labkit.diagnosis import judgement
from labkit.lab.compare import telling_lanes
from labkit.lab.kernel import bench, live_mode, wait_for
from labkit.lab.settings import run_limits
from labkit.record import ChoiceError, LabkitError
from labkit.show.report.terminal import diagnosis_lines
from tests.lab.loop_file import quiet_loop

pytestmark = pytest.mark.in_turn

NO_TOGGLES = str(Path(__file__).parents[2] / "tools" / "atlas" / "loops" / "unfreezing.py")


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    yield
    for session in bench().sessions:
        session.stop()
        assert session.wait(30)


def until_running(session: Session | None) -> Session:
    assert session is not None
    while session.count < 5:
        assert not session.state.ended
        time.sleep(0.005)
    return session


def test_run_waits_and_returns_every_step() -> None:
    run = lk.run("graph_growth", steps=60, grow=False)
    assert run.state.name == "done" and len(run.steps) == 60
    assert lk.verdict(run).steps == 60
    assert repr(run) == "Run(graph_growth: 60 steps, done)"


@pytest.mark.parametrize(
    ("room", "limit"), [(6_000_000_000, 3_000_000_000), (100_000_000_000, 4_000_000_000)]
)
def test_a_loop_may_take_half_of_the_free_memory_and_4_gb_at_most(
    monkeypatch: pytest.MonkeyPatch, room: int, limit: int
) -> None:
    monkeypatch.setattr("labkit.lab.settings.memory_room", lambda: room)
    limits = run_limits(7.0)
    assert (limits.wall_seconds, limits.memory_bytes) == (7.0, limit)


def test_play_runs_the_main_toggle_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    off, on = lk.Lab("graph_growth").play("off", "on", steps=60)
    assert off.toggles["grow"] is False and on.toggles["grow"] is True
    assert set(off.steps.column("graph_ops")) == {17.0}
    assert on.steps.column("graph_ops")[-1] == 17 + 6 * 60
    printed = capsys.readouterr().out
    assert "grow off: " in printed and "grow on: " in printed


def test_play_with_one_value_returns_one_run() -> None:
    run = lk.Lab("graph_growth", chain="on").play(steps=40)
    on = {name for name, value in run.toggles.items() if value is True}
    assert on == {"grow", "chain"} and run.toggles["build_once"] is False


def test_a_loop_without_toggles_is_played_once_and_told_without_a_comma() -> None:
    lab = lk.Lab(NO_TOGGLES)
    run = lab.play(steps=5)
    assert len(run.steps) == 5
    lines = diagnosis_lines(judgement(run))
    assert lines[:2] == ["Layers that are unfrozen", "  done after 5 steps"]


def test_a_progress_that_nobody_takes_costs_no_run() -> None:
    def show(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    session = bench().start(NO_TOGGLES, steps=5)
    with pytest.warns(UserWarning, match="progress of a loop cannot be shown .*Broken pipe"):
        run = wait_for(session, "a loop", show)
    assert run.state.name == "done" and len(run.steps) == 5


def test_a_value_for_a_loop_without_toggles_is_refused_in_one_sentence() -> None:
    with pytest.raises(LabkitError, match=r"has no toggle that 'on' could be a value of; call lab"):
        lk.Lab(NO_TOGGLES).play("on")


def test_a_lab_whose_cell_is_run_again_adopts_the_run_in_progress() -> None:
    first = lk.Lab("graph_growth", steps=100_000, grow="off")
    # A switch that was pressed in the panel before makes no other lab of it.
    started = until_running(first.player.start({"build_once": "on"}))
    second = lk.Lab("graph_growth", steps=100_000, grow="off")
    assert second.player.current is started
    second.player.stop()
    assert started.wait(30) and started.state.name == "stopped"


def test_a_lab_adopts_no_run_of_another_file_or_cause_of_that_name(tmp_path: Path) -> None:
    name = "graph_growth.py"
    first = lk.Lab(str(quiet_loop(tmp_path / "alice", name)), steps=1_000_000)
    going = until_running(first.player.start({}))
    for other in (str(quiet_loop(tmp_path / "bob", name)), "graph_growth"):
        lab = lk.Lab(other)
        assert lab.player.current is None
        lab.player.stop()
    assert not going.stop_asked and not going.state.ended


def test_a_lab_of_the_same_file_adopts_its_run_however_the_path_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = quiet_loop(tmp_path, "loop.py")
    monkeypatch.chdir(tmp_path)
    going = until_running(lk.Lab(str(file), steps=1_000_000).player.start({}))
    assert lk.Lab("loop.py", steps=1_000_000).player.current is going


def test_a_lab_adopts_no_run_of_its_file_as_it_was_before_and_ends_it_when_it_runs(
    tmp_path: Path,
) -> None:
    """Recorded: the loop was repaired, the cell run again, and the old loop's steps were shown."""
    file = quiet_loop(tmp_path, "loop.py")
    going = until_running(lk.Lab(str(file), steps=1_000_000).player.start({}))
    file.write_text(file.read_text() + "# repaired\n")
    lab = lk.Lab(str(file), steps=1_000_000)
    assert lab.player.current is None and not going.stop_asked
    lab.player.start({})
    assert going.wait(30) and going.state.name == "stopped"


def test_a_lab_adopts_no_run_of_what_its_file_found_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: a module beside the loop was changed, and the old module's run was shown."""
    file = quiet_loop(tmp_path, "loop.py")
    going = until_running(lk.Lab(str(file), steps=1_000_000).player.start({}))
    with monkeypatch.context() as changed:
        changed.setenv("LEARNING_RATE", "0.5")
        assert lk.Lab(str(file), steps=1_000_000).player.current is None
    with monkeypatch.context() as changed:
        changed.chdir("/")
        assert lk.Lab(str(file), steps=1_000_000).player.current is None
    assert lk.Lab(str(file), steps=1_000_000).player.current is going
    (tmp_path / "helper.py").write_text("RATE = 0.5\n")
    assert lk.Lab(str(file), steps=1_000_000).player.current is None


def test_a_loop_s_file_may_be_a_link_to_one_of_any_name(tmp_path: Path) -> None:
    quiet_loop(tmp_path, "loop.py").rename(tmp_path / "loop_v1")
    (tmp_path / "linked.py").symlink_to(tmp_path / "loop_v1")
    assert lk.run(str(tmp_path / "linked.py"), steps=3).state.name == "done"


def test_a_lab_adopts_its_run_however_much_memory_is_free_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Recorded: on Binder the limit of a run is another number each time it is asked for."""
    free = itertools.count(2_000_000_000, -1_000_000)
    monkeypatch.setattr("labkit.lab.settings.memory_room", lambda: next(free))
    going = until_running(lk.Lab("graph_growth", steps=100_000, grow="off").player.start({}))
    assert lk.Lab("graph_growth", steps=100_000, grow="off").player.current is going


def test_a_lab_ends_neither_its_neighbour_s_run_nor_one_that_no_lab_has_started() -> None:
    """Recorded: Run in one cell ended the run of the next, and a diagnosis that went on."""
    beside = until_running(lk.Lab("graph_growth", steps=100_000, grow="off").player.start({}))
    other = until_running(bench().start("graph_growth", steps=100_000, toggles={"grow": "off"}))
    until_running(lk.Lab("graph_growth", steps=100_000).player.start({"grow": "off"}))
    assert not beside.stop_asked and not other.stop_asked


def test_two_labs_alike_that_stand_side_by_side_run_at_the_same_time() -> None:
    left, right = (lk.Lab("graph_growth", steps=100_000, grow="off") for _ in range(2))
    first = until_running(left.player.start({}))
    until_running(right.player.start({}))
    assert not first.stop_asked and left.player.current is first


def test_a_lab_adopts_no_run_with_other_settings_than_its_own() -> None:
    until_running(lk.Lab("graph_growth", steps=100_000, grow="off").player.start({}))
    for settings in ({"grow": "on"}, {"grow": "off", "seed": 5}, {"grow": "off", "seconds": 9}):
        assert lk.Lab("graph_growth", steps=100_000, **settings).player.current is None  # type: ignore[arg-type]


def test_a_lab_adopts_no_run_that_has_ended() -> None:
    lk.run("graph_growth", steps=5)
    assert lk.Lab("graph_growth").player.current is None


def test_a_new_start_ends_the_run_in_progress_and_keeps_it_as_ghost() -> None:
    player = lk.Lab("graph_growth", steps=100_000, grow="off").player
    first = player.start({})
    until_running(first)
    second = player.start({"build_once": "on"})
    assert first.wait(30) and first.state.name == "stopped"
    assert player.current is second and player.earlier == (first,)


def test_a_wrong_toggle_leaves_the_run_in_progress_alone() -> None:
    player = lk.Lab("graph_growth", steps=100_000, grow="off").player
    session = until_running(player.start({}))
    with pytest.raises(ChoiceError):
        player.start({"grow": "sideways"})
    with pytest.raises(ChoiceError):
        player.set("shrink", "on")
    assert not session.state.ended


def test_runs_finds_the_latest_run_of_this_kernel() -> None:
    before = lk.runs()
    lk.run("graph_growth", steps=3)
    assert lk.runs()[-1] not in before and lk.runs()[-1].state.name == "done"


def test_a_saved_run_comes_back_equal(tmp_path: Path) -> None:
    run = lk.run("graph_growth", steps=30)
    assert lk.load_run(run.save(tmp_path / "run.jsonl")) == run


def test_comparing_shows_picture_and_words_and_refuses_too_many() -> None:
    run = lk.run("graph_growth", steps=40, grow=False)
    bundle = lk.compare(run, run)._repr_mimebundle_()
    assert "<img alt=" in bundle["text/html"] and "run 1: " in bundle["text/plain"]
    with pytest.raises(LabkitError, match="1 to 5"):
        lk.compare(*[run] * 6)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"gro": "on"}, "did you mean 'grow'"),
        ({"grow": "x"}, "off, on"),
        ({"size": 1}, "2 to 1024"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(
    settings: dict[str, object], words: str
) -> None:
    with pytest.raises(LabkitError, match=words):
        lk.Lab("graph_growth", **settings)  # type: ignore[arg-type]


def test_a_lab_that_has_run_nothing_says_what_to_press() -> None:
    with pytest.raises(LabkitError, match="press Run first"):
        _ = lk.Lab("graph_growth").run


def test_setup_says_ready_and_imports_no_tensorflow(capsys: pytest.CaptureFixture[str]) -> None:
    import subprocess
    import sys

    program = "import labkit, sys; labkit.setup(); print('tensorflow' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ready: " in done.stdout and done.stdout.endswith("False\n")


def test_a_forced_live_mode_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABKIT_LIVE", "blocking")
    assert live_mode() == "blocking"
    monkeypatch.setenv("LABKIT_LIVE", "hologram")
    with pytest.raises(ChoiceError, match="panel, blocking"):
        live_mode()


def test_a_comparison_draws_the_evidence_that_moves_and_else_one_lane() -> None:
    growing, resting = (lk.run("graph_growth", steps=10, size=16, grow=g) for g in (True, False))
    assert telling_lanes([resting, growing])[0] == "graph_ops"
    still = replace(resting, steps=resting.steps[5:6])
    assert telling_lanes([still]) == ("graph_ops",)
