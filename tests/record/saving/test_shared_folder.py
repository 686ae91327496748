"""What another user has put into a shared folder is neither followed nor written into.

Tier: make test, as root: it takes two users.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.saving.whole_file import write_whole

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs two users"
)


@pytest.mark.parametrize("owner", [0, 65534])
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(
    tmp_path: Path, owner: int
) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own.txt"
    shared.mkdir()
    shared.chmod(0o1777)
    own.write_bytes(b"old")
    link = shared / "run.jsonl"
    link.symlink_to(own)
    os.chown(link, owner, owner, follow_symlinks=False)
    if owner == os.geteuid():
        write_whole(link, b"new", "The run")
    else:
        with pytest.raises(LabkitError, match="another user's"):
            write_whole(link, b"new", "The run")
    assert own.read_bytes() == (b"new" if owner == os.geteuid() else b"old")
    assert list(shared.iterdir()) == [link]


@pytest.mark.parametrize(
    ("group", "owner"), [(0, 65534), (65534, 0), (65534, 65534), (65534, 65533)]
)
@pytest.mark.parametrize("name", ["run.jsonl", "runs/run.jsonl"])
def test_a_link_of_a_classmate_in_the_folder_of_the_class_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int, owner: int, name: str
) -> None:
    """Recorded: one was, for the folder had no sticky bit, and a private file was replaced.

    Nobody but root belongs to root's group, and 65533 is the folder's owner.
    """
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    own.mkdir()
    (own / "run.jsonl").write_bytes(b"old")
    link = shared / Path(name).parts[0]
    link.symlink_to(own / "run.jsonl" if link.suffix else own)
    os.chown(link, owner, owner, follow_symlinks=False)
    os.chown(shared, 65533, group)
    shared.chmod(0o2775)
    monkeypatch.chdir(shared)
    if refused := (group, owner) == (65534, 65534):
        with pytest.raises(LabkitError, match="there is another user's"):
            write_whole(Path(name), b"new", "The run")
    else:
        write_whole(Path(name), b"new", "The run")
    assert (own / "run.jsonl").read_bytes() == (b"old" if refused else b"new")


def test_a_class_may_work_together_on_a_file_in_its_folder(tmp_path: Path) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    os.chown(target, 65534, 65534)
    os.chown(tmp_path, 65533, 65534)
    tmp_path.chmod(0o2775)
    write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"new"


def test_a_pipe_of_another_user_in_a_shared_folder_gets_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    pipe = tmp_path / "run.jsonl"
    os.mkfifo(pipe)
    os.chown(pipe, 65534, 65534)
    os.chown(tmp_path, os.geteuid(), os.getegid())
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(LabkitError, match="another user's"):
            write_whole(pipe, b"data", "The run")
        assert os.read(reader, 10) == b""
    finally:
        os.close(reader)
    os.chown(pipe, os.geteuid(), os.getegid())


@pytest.mark.parametrize("mode", [0o1777, 0o777])
def test_a_link_of_a_classmate_to_an_open_file_of_ours_is_not_followed(
    tmp_path: Path, mode: int
) -> None:
    """Recorded: a run that was saved went into the history that a notebook's kernel has open."""
    tmp_path.chmod(mode)
    history = tmp_path / "history.sqlite"
    with history.open("w+b") as file:
        link = tmp_path / "run.jsonl"
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        os.lchown(link, 65534, 65534)
        with pytest.raises(LabkitError, match="another user's"):
            write_whole(link, b"data", "The run")
    assert history.read_bytes() == b""
