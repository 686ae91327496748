"""Interrupts and forks of a kernel in the middle of things. Tier: make test, in turn."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import labkit as lk
from labkit.bench import bench as bench_module
from labkit.bench.bench import Bench
from labkit.lab.kernel import bench as own_bench
from labkit.record import LabkitError
from tests.running import FAULTY, ended, stepped

pytestmark = pytest.mark.in_turn


@pytest.mark.parametrize("moment", ["RunFolders.make", "start_workers", "Session", "keep"])
def test_an_interrupt_while_a_run_starts_leaves_no_run_to_nobody(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    where = bench_module.RunFolders if "." in moment else bench_module
    name = moment.rpartition(".")[2]
    real = getattr(where, name)

    def interrupted(*arguments: object, **more: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return real(*arguments, **more)

    monkeypatch.setattr(where, name, interrupted)
    before = bench.sessions
    # Ignored where a shell has put the tests into the background, and that is inherited.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            bench.start(FAULTY, steps=1_000_000)
    finally:
        signal.signal(signal.SIGINT, handler)
    (session,) = [each for each in bench.sessions if each not in before]
    assert ended(session, 30).state.name == "stopped"


def in_child(ask: Callable[[], object]) -> str:
    """Return what a call gives in a forked process of this one."""
    ours, theirs = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(ours)
        try:
            told = str(ask())
        except LabkitError as error:
            told = str(error)
        finally:
            os.write(theirs, told.encode())
            os._exit(0)
    os.close(theirs)
    answer = b""
    while piece := os.read(ours, 4096):
        answer += piece
    os.close(ours)
    os.waitpid(process, 0)
    return answer.decode()


def test_a_forked_process_ends_no_run_of_its_parent(bench: Bench) -> None:
    session = stepped(bench.start(FAULTY, steps=1_000_000), 20)
    assert in_child(bench.close) == "None"  # as its exit would do
    refused = in_child(lambda: bench.start(FAULTY, steps=2))
    assert "belongs to the process that this one was forked from" in refused
    seen = session.count
    time.sleep(0.3)
    assert not session.state.ended and session.count > seen
    session.stop()
    assert ended(session).state.name == "stopped"
    assert ended(bench.start(FAULTY, steps=5)).state.name == "done"


def test_a_forked_process_has_runs_of_its_own() -> None:
    assert lk.run("healthy", steps=3).state.name == "done"
    parent = own_bench()
    told = in_child(lambda: (lk.run("healthy", steps=3).state.name, own_bench().close()))
    assert told == "('done', None)"
    assert own_bench() is parent and lk.run("healthy", steps=3).state.name == "done"
    parent.close()


def test_a_file_is_run_from_where_its_kernel_stands_now(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "loop.py").write_text(
            "import time\n"
            "def make_step():\n"
            f"    print('{name}', open('data.txt').read(), flush=True)\n"
            "    return lambda: time.sleep(0.001)\n"
        )
        (tmp_path / name / "data.txt").write_text(f"data of the {name}")
        monkeypatch.chdir(tmp_path / name)
        run = ended(bench.start("loop.py", steps=2)).snapshot()
        assert run.state.name == "done", run.state
        assert f"{name} data of the {name}" in run.log


def test_a_current_folder_that_was_removed_is_no_fault_of_the_loop(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert ended(bench.start(FAULTY, steps=3)).state.name == "done"
