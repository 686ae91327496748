"""Of a script's children the time since TensorFlow began is counted, and only in who uses it.

Tier: make quick.
"""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from labkit.bench.supervision import children as room
from labkit.bench.supervision.children import Children
from labkit.measure.machine.tensorflow_threads import Work

TOP, OWN, CHILD = 1, 2, 3
SPAWNED = ["python", "-B", "-c", "from multiprocessing.spawn import spawn_main; spawn_main()"]


class Process:
    """A process as psutil has it."""

    family: tuple[Process, ...] = ()

    def __init__(self, pid: int, words: tuple[str, ...] = ("python", "train.py")) -> None:
        self.pid, self.words = pid, list(words)

    def children(self, *, recursive: bool) -> list[Process]:
        return list(Process.family)

    def create_time(self) -> float:
        return float(self.pid)

    def cmdline(self) -> list[str]:
        return self.words


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[int, Work]:
    """What each process has worked so far."""
    done = {OWN: Work(50.0, 9.0)}
    # In this room alone: a bench may be starting its next worker meanwhile.
    monkeypatch.setattr(room, "psutil", SimpleNamespace(Process=Process, Error=psutil.Error))
    monkeypatch.setattr(room.sys, "platform", "linux")
    monkeypatch.setattr(room, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(room, "SHARE_OF_TIME", 1e9)
    monkeypatch.setattr(room, "tensorflow_work", done.get)
    return done


def looked(work: dict[int, Work], child: Process, *seen: Work) -> float:
    Process.family = (child, Process(OWN))
    children = Children(lambda: TOP)
    for each in seen:
        work[CHILD] = each
        children.look()
    Process.family = ()  # it has ended
    children.look()
    return children.seconds


def test_the_time_since_tensorflow_began_is_counted_and_not_that_of_its_import(
    work: dict[int, Work],
) -> None:
    assert looked(work, Process(CHILD), Work(4.5, 0.0), Work(6.0, 0.1), Work(9.0, 0.2)) == 4.5
    assert looked(work, Process(CHILD, tuple(SPAWNED)), Work(4, 0.0), Work(9.0, 0.2)) == 5


def test_a_pool_that_only_imports_the_script_is_not_counted(work: dict[int, Work]) -> None:
    assert looked(work, Process(CHILD, tuple(SPAWNED)), Work(4.0, 0.01), Work(90.0, 0.02)) == 0


def test_a_program_that_calls_each_op_by_itself_is(work: dict[int, Work]) -> None:
    assert looked(work, Process(CHILD), Work(4.0, 0.0), Work(90.0, 0.0)) == 86


def test_nothing_is_counted_where_nothing_uses_tensorflow(work: dict[int, Work]) -> None:
    assert looked(work, Process(CHILD)) == 0
    nobody = Children(lambda: None)
    nobody.look()
    assert nobody.seconds == 0
