"""Both ways to start a worker give the same run; what TensorFlow reads early is set early."""

from __future__ import annotations

import os
import signal
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.processes.fork import ForkStarter
from labkit.bench.processes.start import CAN_FORK, LastWords
from labkit.bench.protocol import encode
from labkit.record import ChoiceError, LabkitError
from tests.bench.processes.test_search_path import path_entries
from tests.running import FAULTY, came, ended, gone, living

pytestmark = pytest.mark.in_turn


def test_a_plain_start_gives_the_same_columns_and_counters(
    bench: Bench, plain_bench: Bench
) -> None:
    ours = ended(bench.start("graph_growth", steps=40)).snapshot()
    plain = ended(plain_bench.start("graph_growth", steps=40)).snapshot()
    assert plain.state.name == ours.state.name == "done"
    assert plain.columns == ours.columns
    assert plain.steps.column("graph_ops") == ours.steps.column("graph_ops")
    assert plain.environment["start"] == "plain"


@pytest.mark.parametrize(
    ("toggle", "variable", "quick"),
    [
        pytest.param("import_time", "LABKIT_TEST_IMPORT", False, marks=pytest.mark.full),
        ("op_time", "LABKIT_TEST_OP", True),
    ],
)
def test_the_variable_of_a_launch_toggle_reaches_the_worker_and_no_one_else(
    bench: Bench, toggle: str, variable: str, quick: bool
) -> None:
    asked = ended(bench.start(FAULTY, toggles={toggle: "on"}, steps=2)).snapshot()
    other = ended(bench.start(FAULTY, steps=2)).snapshot()
    assert asked.state.name == "done" and f"{variable}=1" in asked.log
    # What TensorFlow reads while it is imported needs a fresh interpreter.
    assert asked.environment["start"] == ("fork" if quick and bench.launcher else "plain")
    assert f"{variable}=1" not in other.log
    assert variable not in os.environ


def test_a_spare_worker_waits_between_runs_and_is_replaced_when_it_dies(bench: Bench) -> None:
    launcher = bench.launcher
    if launcher is None:
        pytest.skip("plain starts have no spare")
    ended(bench.start(FAULTY, steps=2))
    launcher.prepare()
    assert came(lambda: launcher.spare_process_id is not None, 20)
    spare = launcher.spare_process_id
    assert spare is not None
    os.kill(spare, signal.SIGKILL)
    assert gone(spare)
    session = ended(bench.start(FAULTY, steps=20))
    assert session.state.name == "done" and session.links[0].process_id != spare


def test_a_fault_of_one_worker_ends_the_run_of_both(bench: Bench) -> None:
    run = ended(bench.start(FAULTY, toggles={"fault": "raise"}, steps=500, workers=2)).snapshot()
    assert run.state.name == "failed" and "ValueError: step 21" in run.state.reason
    assert run.state.reason.startswith(("Worker 0: ", "Worker 1: "))
    assert 20 in (len(run.steps), len(run.others[0]))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"source": "graph_grwth"}, "did you mean 'graph_growth'"),
        ({"toggles": {"groww": "on"}}, "choose one of: grow, losses, chain, build_once"),
        ({"toggles": {"grow": "maybe"}}, "choose one of: off, on"),
        ({"steps": 0}, "from 1 to 1,000,000"),
        ({"sizes": {"size": 5000}}, "from 2 to 1024"),
        ({"device": "tpu"}, "choose one of: auto, cpu, gpu"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_starts(
    bench: Bench, arguments: dict[str, object], words: str
) -> None:
    before = len(bench.sessions)
    with pytest.raises((ChoiceError, LabkitError)) as caught:
        bench.start(**{"source": "graph_growth", **arguments})  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert len(bench.sessions) == before


def test_a_gpu_that_is_not_there_is_one_clear_sentence(bench: Bench) -> None:
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("there is a GPU")
    session = ended(bench.start("graph_growth", steps=5, device="gpu"))
    assert session.state.name == "failed"
    assert "run on the cpu device" in session.state.reason
    assert session.state.traceback == ""


@pytest.mark.skipif(not CAN_FORK, reason="no launcher on this system")
def test_a_launcher_that_ends_before_it_has_read_all_still_says_why() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.send(b"a fork that nobody reads")
    theirs.send(encode({"say": "failed", "reason": "There was no TensorFlow."}))
    theirs.close()  # with something unread: the system resets the connection
    starter = ForkStarter()
    starter._hear(ours, SimpleNamespace(communicate=lambda: None), LastWords())  # type: ignore[arg-type]
    assert starter.failure == "There was no TensorFlow."


@pytest.mark.skipif(not CAN_FORK, reason="no launcher on this system")
def test_a_time_limit_that_a_cell_gives_to_all_sockets_is_none_of_the_launcher_s() -> None:
    """Recorded: after two quiet seconds the launcher was taken for dead."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(0.2)
    starter = ForkStarter()
    try:
        starter.warm()
        first = starter.process_id
        assert starter.wait_until_ready(120)
        assert first is not None and starter.process_id == first
    finally:
        socket.setdefaulttimeout(before)
        starter.close()


@pytest.mark.skipif(not CAN_FORK, reason="no launcher on this system")
def test_where_no_thread_is_to_be_had_no_launcher_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    starter = ForkStarter()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError, match="can't start"):
            starter.warm()
    assert starter.process_id is None
    starter.warm()
    assert starter.wait_until_ready(120)
    starter.close()


@pytest.mark.skipif(not CAN_FORK, reason="no launcher on this system")
@pytest.mark.parametrize("imported", ["tensorflow", "sitecustomize"])
def test_a_launcher_whose_kernel_goes_while_it_begins_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imported: str
) -> None:
    """Recorded: it stayed until TensorFlow's import was over, 20 s on a busy machine.

    So it did where a thread looked, as long as a library was loaded under Python's lock, and for
    over a second where it was still Python that started.
    """
    (tmp_path / f"{imported}.py").write_text(
        "import ctypes, pathlib\n"
        f"pathlib.Path({str(tmp_path / 'began')!r}).touch()\n"
        "ctypes.PyDLL(None).sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *path_entries()]))
    starter = ForkStarter()
    starter.warm()
    launcher = psutil.Process(starter.process_id)
    assert came((tmp_path / "began").exists, 60)
    assert living(launcher)
    starter.leave_to_parent()  # as by the kernel's end
    assert gone(launcher.pid)
    starter.close()


@pytest.mark.parametrize("start", ["auto", "plain"])
@pytest.mark.parametrize(
    ("module", "raised", "state", "reason"),
    [
        (
            "tensorflow",
            "ModuleNotFoundError(\"No module named 'tensorflow'\", name='tensorflow')",
            "failed",
            "python -m pip install tensorflow",
        ),
        ("psutil", "RuntimeError('it is broken')", "killed", "RuntimeError: it is broken"),
    ],
)
def test_of_a_package_that_cannot_be_imported_the_reason_tells(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    raised: str,
    state: str,
    reason: str,
    start: str,
) -> None:
    (tmp_path / f"{module}.py").write_text(f"raise {raised}\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *path_entries()]))
    broken = Bench(start)
    session = ended(broken.start("healthy", steps=5))
    broken.close()
    assert session.state.name == state and session.state.reason.endswith(reason)
    assert "\n" not in session.state.reason


def test_a_first_collection_in_a_forked_worker_copies_no_pages_any_more(
    bench: Bench, tmp_path: Path
) -> None:
    """Those of TensorFlow's 300,000 objects would be paid for by whatever step it falls into."""
    if bench.launcher is None:
        pytest.skip("a plain start shares no page")
    (tmp_path / "collecting.py").write_text(
        "import gc, resource\n"
        "def copied():\n"
        "    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "def make_step():\n"
        "    def step():\n"
        "        before = copied()\n"
        "        gc.collect()\n"
        "        print(copied() - before, len(gc.get_objects()))\n"
        "    return step\n"
    )
    run = ended(bench.start(str(tmp_path / "collecting.py"), steps=1)).snapshot()
    copied, objects = map(int, run.log.split())
    assert objects > 100_000 and copied < objects / 100, run.log
