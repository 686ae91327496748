"""What is left behind is seen, and what others leave beside it is not. Tier: make test."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from labkit.bench import folders
from labkit.bench.bench import Bench
from labkit.bench.temporary import TemporaryFolder
from tests.running import came, left_folders, strangers

OUTSIDE = Path(tempfile.gettempdir())  # before any place of our own is made

ABANDONS = """
from labkit.bench.temporary import TemporaryFolder
print(TemporaryFolder("exercise").path)
"""


def abandoned(purpose: str, parent: Path | None) -> TemporaryFolder:
    folder = TemporaryFolder(purpose, parent)
    folder.unlock()
    return folder


@pytest.mark.parametrize("purpose", ["run", "scratch"])
def test_a_folder_that_this_process_leaves_is_seen(own_places: None, purpose: str) -> None:
    parent = folders.SHARED_MEMORY if purpose == "run" and folders.SHARED_MEMORY.is_dir() else None
    with abandoned(purpose, parent) as path:
        assert left_folders() == {Path(path)}
    assert left_folders() == set()


def test_a_folder_that_a_child_leaves_is_seen(own_places: None) -> None:
    done = subprocess.run([sys.executable, "-c", ABANDONS], capture_output=True, text=True)
    left = Path(done.stdout.strip())
    assert left_folders() == {left}, done.stderr
    left.rmdir()


def test_a_folder_that_another_process_leaves_is_none_of_ours(own_places: None) -> None:
    with abandoned("exercise", OUTSIDE) as path:
        assert Path(path).is_dir() and left_folders() == set()


def test_what_another_launcher_forks_is_none_of_ours_and_our_own_child_is(bench: Bench) -> None:
    """Found: the spare worker of a bench that a test before had made was taken for a run's."""
    there = set(psutil.Process().children(recursive=True))
    other = Bench("fork")
    try:
        other.warm()
        assert other.launcher is not None
        others = {psutil.Process(other.launcher.process_id)}
        assert came(lambda: strangers(bench, there | others, set()), 60)
        assert strangers(bench, there | others, others) == []
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as ours:
            assert [each.pid for each in strangers(bench, there | others, others)] == [ours.pid]
    finally:
        other.close()
