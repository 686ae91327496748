"""The most memory that a process can hold is the least of all limits. Tier: make quick."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from labkit.measure.memory import memory_limit as module

ASKED = """
import resource
from labkit.measure.memory.memory_limit import memory_limit
resource.setrlimit(resource.{kind}, (900_000_000, resource.RLIM_INFINITY))
print(int(memory_limit()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_of_the_shell_counts(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(kind=kind)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == 900_000_000


@pytest.mark.parametrize(("limit", "most"), [("1000000", 1e6), ("max", None), (str(2**63), None)])
def test_a_limit_of_a_control_group_counts_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: float | None
) -> None:
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    monkeypatch.setattr(module, "groups_of", lambda kind: [tmp_path])
    found = module.memory_limit.__wrapped__()
    assert found == most or (most is None and 1e6 < found <= psutil.virtual_memory().total)
