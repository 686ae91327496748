"""A group ends what takes more memory than its limit, and nothing else. Tier: make test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import memory_group as room
from tools.memory_group import MemoryGroup, memory_group

LIMIT = 300_000_000
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
    monkeypatch.setattr(room, "_own_folders", lambda: iter([Path("/nowhere/at/all")]))
    with memory_group(LIMIT) as group:
        assert not group.limited and group.kills == 0
        assert taking(group, LIMIT * 2) == 0
