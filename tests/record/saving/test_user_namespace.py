"""Where several users have one number, nobody is taken for us or for a folder's owner by it.

Tier: make test, as root: it takes two users and a user namespace.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from labkit.record.saving.user_namespace import known_users, shared_number

WRITES = """
import sys
from pathlib import Path
from labkit.record.saving.whole_file import write_whole
write_whole(Path(sys.argv[1]), b"new", "The run")
"""
NOBODY, CLASSMATE = 65534, 1234


def within(options: Sequence[str], *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a user namespace of its own."""
    return subprocess.run(
        ["unshare", "--user", *options, sys.executable, *command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def _can_be_made() -> bool:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    return within(["--map-user=1000"], "-c", "").returncode == 0


needs_namespace = pytest.mark.skipif(not _can_be_made(), reason="needs a user namespace and root")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users with numbers")
def test_where_each_user_has_a_number_a_folder_s_owner_is_known_by_it() -> None:
    owner = CLASSMATE if shared_number() else NOBODY
    assert known_users(owner) == {0, owner, os.geteuid()}


@needs_namespace
@pytest.mark.parametrize("options", [["--map-user=1000"], []], ids=["mapped", "not mapped"])
def test_a_link_of_somebody_else_with_the_folder_owner_s_number_is_not_followed(
    tmp_path: Path, options: list[str]
) -> None:
    """Seen: a private file was replaced."""
    shared, own = tmp_path / "shared", tmp_path / "own.txt"
    shared.mkdir()
    shared.chmod(0o1777)
    os.chown(shared, 2000, 2000)
    own.write_text("old")
    link = shared / "run.jsonl"
    link.symlink_to(own)
    os.chown(link, CLASSMATE, CLASSMATE, follow_symlinks=False)
    done = within(options, "-c", WRITES, str(link))
    assert "another user's" in done.stderr and own.read_text() == "old"


@needs_namespace
@pytest.mark.parametrize("options", [["--map-user=1000"], []], ids=["mapped", "not mapped"])
def test_one_s_own_files_are_written_there(tmp_path: Path, options: list[str]) -> None:
    place = tmp_path / "run.jsonl"
    place.write_text("old")
    done = within(options, "-c", WRITES, str(place))
    assert (done.returncode, place.read_text()) == (0, "new"), done.stderr


@needs_namespace
def test_nobody_is_let_in_by_a_number_that_others_have() -> None:
    """Seen: any other account of the machine was, through the port of TensorFlow's server."""
    done = within([], "-c", "from labkit.bench.isolation.loopback_only import main; main()")
    assert done.stdout == "other accounts have the same number here\n", done.stderr
