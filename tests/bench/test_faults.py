"""Whatever ends a run ends it with a state and a reason, keeps its steps and leaves no process.

A killed launcher is marked full.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from labkit.bench import bench as bench_module
from labkit.bench.bench import Bench
from labkit.bench.protocol import encode
from labkit.bench.session.session import Session
from labkit.bench.supervision.limits import Limits, Timing
from labkit.record import LabkitError
from tests.running import FAULTY, ended, gone, stepped

pytestmark = pytest.mark.in_turn


def faulty(bench: Bench, fault: str, *, limits: Limits | None = None, **more: object) -> Session:
    toggles = {"fault": fault, **more}
    return bench.start(FAULTY, toggles=toggles, steps=5_000, limits=limits)


def assert_one_sentence(session: Session) -> None:
    reason = session.state.reason
    assert reason and "\n" not in reason and len(reason) < 300


def of_text(
    bench: Bench, folder: Path, text: str, steps: int, limits: Limits | None = None
) -> Session:
    """Start a run of a loop's text."""
    path = folder / "odd.py"
    path.write_text(text)
    return bench.start(str(path), steps=steps, limits=limits)


FAULTS = {
    "raise": ("failed", "The loop raised ValueError: step 21 went wrong", 20),
    "broken_build": ("failed", "The loop raised RuntimeError: the loop could not be built", 0),
    "exit": ("failed", "The loop raised SystemExit: enough", 20),
    "leave": (
        "killed",
        "The worker process ended by itself with status 5, as by os._exit or os.execv; "
        "the 20 steps up to there are kept.",
        20,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_loop_that_ends_by_itself_says_why_and_keeps_the_steps_before_it(
    bench: Bench, name: str
) -> None:
    session = ended(faulty(bench, name))
    state, reason, steps = FAULTS[name]
    assert (session.state.name, session.state.reason) == (state, reason)
    assert len(session.snapshot().steps) == steps
    lines = session.state.traceback.splitlines()
    frames = [line for line in lines if line.startswith("  File ")]
    assert ["faulty_loop.py" in frame for frame in frames[:1]] == [True] * (state == "failed")


def test_a_killed_worker_loses_no_recorded_step(bench: Bench) -> None:
    session = stepped(bench.start(FAULTY, steps=1_000_000), 50)
    process = session.links[0].process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    ended(session)
    assert session.state.name == "killed" and "SIGKILL" in session.state.reason
    assert_one_sentence(session)
    assert len(session.snapshot().steps) >= 50


@pytest.mark.full
def test_a_killed_launcher_ends_its_run_and_the_next_run_gets_a_new_one(bench: Bench) -> None:
    if bench.launcher is None:
        pytest.skip("plain starts have no launcher")
    session = stepped(bench.start(FAULTY, steps=1_000_000), 50)
    worker = session.links[0].process_id
    assert bench.launcher.process_id is not None and worker is not None
    os.kill(bench.launcher.process_id, signal.SIGKILL)
    ended(session)
    assert session.state.name == "killed" and "launcher" in session.state.reason
    assert len(session.snapshot().steps) >= 50
    assert gone(worker)
    assert ended(bench.start(FAULTY, steps=30)).state.name == "done"


def test_stop_ends_the_run_after_the_step_in_progress(bench: Bench) -> None:
    session = stepped(bench.start(FAULTY, steps=1_000_000), 20)
    session.stop()
    ended(session)
    assert session.state.name == "stopped" and session.state.traceback == ""
    assert len(session.snapshot().steps) >= 20


def test_stop_works_on_a_step_that_never_ends(bench: Bench) -> None:
    session = stepped(faulty(bench, "hang", limits=Limits(stop_seconds=0.5)), 20)
    session.stop()
    ended(session, 20)
    assert session.state.name == "stopped" and "did not end" in session.state.reason
    assert len(session.snapshot().steps) == 20


def test_stop_before_the_first_step_says_so(bench: Bench) -> None:
    session = bench.start(FAULTY, steps=1_000)
    session.stop()
    ended(session, 20)
    assert session.state.name == "stopped"
    if session.count == 0:
        assert session.state.reason == "Stopped before the first step."


def test_a_loop_that_falls_silent_is_ended(bench: Bench) -> None:
    session = ended(faulty(bench, "hang", limits=Limits(silent_seconds=1.0)), 30)
    assert session.state.name == "silent" and "after step 20" in session.state.reason
    assert len(session.snapshot().steps) == 20


def test_a_loop_whose_first_step_does_not_come_is_ended(bench: Bench, tmp_path: Path) -> None:
    text = "import threading\ndef make_step():\n    threading.Event().wait()\n"
    session = ended(of_text(bench, tmp_path, text, 10, Limits(setup_seconds=1.5)), 30)
    assert session.state.name == "silent"
    assert session.state.reason == "No step came within 1.5 s of the start."


def test_time_that_is_up_ends_the_run_as_completed(bench: Bench) -> None:
    limits = Limits(wall_seconds=0.5)
    session = ended(bench.start(FAULTY, steps=1_000_000, limits=limits))
    assert session.state.name == "time_limit" and session.state.completed
    assert_one_sentence(session)
    assert session.state.reason.startswith("Ended at the time limit of 0.5 s, after ")


def test_a_flood_of_prints_neither_blocks_nor_corrupts_nor_fills_the_log(bench: Bench) -> None:
    session = ended(bench.start(FAULTY, toggles={"fault": "flood"}, steps=3_000))
    assert session.state.name == "done"
    run = session.snapshot()
    assert len(run.steps) == 3_000
    # In a plain start TensorFlow's own first words come before the loop's.
    assert "a flood of words" in run.log[:4_000] and len(run.log) < 50_000


def test_the_memory_limit_ends_the_run_with_its_steps(bench: Bench) -> None:
    limits = Limits(memory_bytes=1_000_000_000)
    session = ended(faulty(bench, "hoard", limits=limits))
    assert session.state.name == "memory_limit" and "1,000 MB" in session.state.reason
    assert len(session.snapshot().steps) > 20
    assert_one_sentence(session)


def test_what_tensorflow_itself_holds_is_not_held_against_the_loop(bench: Bench) -> None:
    # About what is left on Binder once the launcher is there, in a bad moment.
    limit_bytes = 250_000_000
    session = ended(bench.start("healthy", steps=40, limits=Limits(memory_bytes=limit_bytes)))
    run = session.snapshot()
    assert run.state.name == "done", run.state.reason
    assert min(run.steps.column("resident_bytes")) > limit_bytes


@pytest.mark.parametrize("asks", ["input()", "sys.stdin.buffer.raw.read(1) or input()"])
def test_a_loop_that_asks_the_keyboard_is_told_that_there_is_none(
    bench: Bench, tmp_path: Path, asks: str
) -> None:
    text = f"import sys\ndef make_step():\n    return lambda: {asks}\n"
    session = of_text(bench, tmp_path, text, 10)
    session.finish()  # the words that the loop would read in place of an answer
    ended(session, 20)
    assert session.state.name == "failed" and "has nobody to ask" in session.state.reason
    assert_one_sentence(session)


ODD_STEPS = {
    "for file in range(3, 64):\n"
    "            try: os.write(file, b'garbage\\n{}\\n[1]\\n')\n"
    "            except OSError: pass": ("done", ""),
    "os.execv('/bin/sleep', ['sleep', '600'])": ("killed", "closed labkit's connection"),
    # By itself; on a busy machine that takes so long that it is ended. Either is said.
    "os.closerange(3, 4096)": ("killed", "ended"),
    "raise ValueError('9' * 8_000_000)": ("failed", "ValueError: 999"),
}


@pytest.mark.parametrize("does", ODD_STEPS)
def test_a_loop_that_meddles_with_its_process_ends_with_its_steps(
    bench: Bench, tmp_path: Path, does: str
) -> None:
    text = (
        "import os, time\ndone = 0\ndef step():\n    global done\n    done += 1\n"
        f"    time.sleep(0.001)\n    if done == 5:\n        {does}\n"
        "def make_step():\n    return step\n"
    )
    session = ended(of_text(bench, tmp_path, text, 20), 30)
    state, words = ODD_STEPS[does]
    assert session.state.name == state and words in session.state.reason, session.state
    assert len(session.snapshot().steps) >= (20 if state == "done" else 4)


def test_a_flip_of_a_switch_that_does_nothing_is_no_fault(bench: Bench) -> None:
    session = stepped(bench.start(FAULTY, steps=2_000), 5)
    session.set("quiet", "on")
    ended(session)
    assert session.state.name == "done"
    assert [event.text for event in session.events] == ["quiet on"]


def test_a_run_that_no_thread_can_watch_is_not_begun(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under a limit on processes, which on Linux are threads as well."""
    real = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        if thread.name.startswith("labkit-faulty"):
            raise RuntimeError("can't start new thread")
        real(thread)

    before, made = len(bench.sessions), []
    make = bench_module.RunFolders.make
    monkeypatch.setattr(
        bench_module.RunFolders,
        "make",
        lambda: made.append(make()) or made[-1],  # type: ignore[func-returns-value]
    )
    with monkeypatch.context() as shortage:
        shortage.setattr(threading.Thread, "start", start)
        with pytest.raises(LabkitError, match=r"cannot be watched .*; stop other runs"):
            bench.start(FAULTY, steps=1_000_000)
    assert len(bench.sessions) == before
    (folders,) = made
    assert not folders.steps.path.exists() and not folders.scratch.path.exists()
    assert ended(bench.start(FAULTY, steps=20)).state.name == "done"


REFUSED_FORK = """
import errno, os, socket, sys
from labkit.bench.processes import launcher

def fork():
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

os.fork = fork
launcher.Launcher(socket.socket(fileno=int(sys.argv[1]))).serve()
"""


def test_a_launcher_that_may_not_fork_goes_on_and_says_so() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handles = os.pipe()
    with (
        ours,
        subprocess.Popen(
            [sys.executable, "-c", REFUSED_FORK, str(theirs.fileno())], pass_fds=[theirs.fileno()]
        ) as process,
    ):
        theirs.close()
        for identity in (1, 2):
            socket.send_fds(ours, [encode({"do": "fork", "id": identity})], [*handles])
            said = json.loads(ours.recv(65536))
            assert (said["say"], said["id"]) == ("exited", identity) and said["status"] > 0
            assert "no process could be started (Resource" in said["words"]
        ours.shutdown(socket.SHUT_RDWR)
        assert process.wait(20) == 0
    for handle in handles:
        os.close(handle)


def test_a_run_that_was_frozen_as_a_whole_goes_on_when_it_wakes() -> None:
    """As by the pause of a container; the clock goes on meanwhile."""
    timing = Timing()
    timing.first_step = timing.asked + 1
    before = (timing.asked, timing.first_step, timing.last_progress)
    timing.shift(40.0)
    assert (timing.asked, timing.first_step, timing.last_progress) == pytest.approx(
        [each + 40.0 for each in before]
    )
    assert timing.stop_asked is None


FROZEN = """
import os, signal, sys, time
from labkit.bench.bench import Bench
from labkit.bench.supervision.limits import Limits

bench = Bench()
session = bench.start(sys.argv[1], steps=4_000, limits=Limits(silent_seconds=4.0))
while session.count < 50:
    time.sleep(0.01)
print(session.links[0].process_id, flush=True)
session.wait()
print(session.state.name, session.count)
bench.close()
"""


def test_who_sleeps_through_a_freeze_does_not_call_the_run_silent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FROZEN, FAULTY], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for each in (worker, process.pid):
                os.kill(each, number)
            if number == signal.SIGSTOP:
                time.sleep(6.0)
        said = process.stdout.read()
    assert said.split() == ["done", "4000"]


@pytest.mark.parametrize(
    "meddling",
    [
        "import json, functools; json.dumps = functools.partial(json.dumps, indent=2)",
        "import os; os.write = lambda *_: None",
    ],
)
def test_a_loop_that_replaces_what_we_use_keeps_its_steps(
    bench: Bench, tmp_path: Path, meddling: str
) -> None:
    text = f"def make_step():\n    {meddling}\n    return lambda: None\n"
    session = ended(of_text(bench, tmp_path, text, 50), 60)
    assert session.state.name == "done" and len(session.snapshot().steps) == 50


def test_a_pool_that_spawns_its_processes_finds_the_loops_own_functions(
    bench: Bench, tmp_path: Path
) -> None:
    text = (
        "import multiprocessing\n"
        "def square(number):\n    return number * number\n"
        "def make_step():\n"
        "    pool = multiprocessing.get_context('spawn').Pool(1)\n"
        "    def step():\n        assert pool.map(square, range(3)) == [0, 1, 4]\n"
        "    return step\n"
    )
    session = ended(of_text(bench, tmp_path, text, 10), 80)
    assert session.state.name == "done", session.state
