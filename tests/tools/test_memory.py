"""A group ends what takes more memory than its limit; a watch says whose it is.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tools import control_group
from tools.memory import LOOK_SECONDS, MemoryGroup, MemoryWatch, memory_group

pytestmark = pytest.mark.in_turn

LIMIT = 300_000_000
SIZE = 60_000_000
TAKES = "import sys; input(); held = bytearray(int(sys.argv[1])); print(len(held))"


def taking(group: MemoryGroup, size: int) -> int:
    """Return the exit status of a process that takes so many bytes."""
    child = subprocess.Popen(
        [sys.executable, "-c", TAKES, str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    group.add(child.pid)
    child.communicate(b"\n", timeout=60)
    return child.returncode


def test_what_takes_more_than_the_limit_is_ended_and_counted() -> None:
    with memory_group(LIMIT) as group:
        if not group.limited:
            pytest.skip("no control group can be made here")
        assert taking(group, LIMIT // 3) == 0
        assert group.kills == 0
        assert taking(group, LIMIT * 2) == -9
        assert group.kills == 1
    assert group.kills == 1


def test_nothing_is_left_of_a_group() -> None:
    with memory_group(LIMIT) as group:
        folder = group.folder
        assert folder is None or folder.exists()
    assert folder is None or not folder.exists()


def test_where_no_group_can_be_made_nobody_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_group, "own_folders", lambda _: iter([Path("/nowhere/at/all")]))
    with memory_group(LIMIT) as group:
        assert not group.limited and group.kills == 0
        assert taking(group, LIMIT * 2) == 0


@pytest.fixture
def holder() -> Iterator[subprocess.Popen[str]]:
    """A process of its own that holds some memory."""
    program = f"import os, sys; held = os.urandom({SIZE}); print(len(held), flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline()
    yield child
    child.kill()
    child.communicate()


def looking(*roots: int) -> MemoryWatch:
    """Watch processes and their children, and return once they have been seen."""
    watch = MemoryWatch(roots)
    deadline = time.monotonic() + 30
    while not watch.total_bytes:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return watch


def looked(root: int) -> int:
    watch = looking(root)
    watch.close()
    return watch.total_bytes


@pytest.mark.skipif(not psutil.LINUX, reason="only Linux tells how pages are shared")
def test_the_memory_of_children_is_counted_and_that_of_parents_is_not(
    holder: subprocess.Popen[str],
) -> None:
    own = psutil.Process().memory_full_info().pss
    assert looked(os.getpid()) > own + 0.9 * SIZE
    assert 0.9 * SIZE < looked(holder.pid) < 0.9 * SIZE + own


def test_a_process_that_ends_is_passed_over_and_its_figure_kept(
    holder: subprocess.Popen[str],
) -> None:
    watch = looking(holder.pid, os.getpid())
    before = watch.total_bytes
    holder.kill()
    holder.wait()
    time.sleep(2.5 * LOOK_SECONDS)  # long enough for two more looks
    watch.close()
    assert watch.total_bytes >= before > 0.9 * SIZE
