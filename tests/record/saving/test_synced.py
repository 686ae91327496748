"""What is saved is on the disk before it has its name; who has no disk is not asked for one.

Tier: make test.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.saving.whole_file import write_whole

Done = list[tuple[str, int]]


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Done:
    """What is written through and what gets its name, in order, with the bytes that it has."""
    said: Done = []
    sync, rename, link = os.fsync, os.replace, os.link

    def synced(descriptor: int) -> None:
        sync(descriptor)
        status = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(status.st_mode)
        said.append(("folder", 0) if is_folder else ("file", status.st_size))

    def named(do: object) -> object:
        def name(part: Path, place: Path) -> None:
            do(part, place)  # type: ignore[operator]
            said.append(("named", os.stat(place).st_size))

        return name

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", named(rename))
    monkeypatch.setattr(os, "link", named(link))
    return said


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, done: Done, replace: bool
) -> None:
    """The name may reach the disk first: a power cut then leaves an empty file behind."""
    write_whole(tmp_path / "run.jsonl", b"whole", "The run", replace=replace)
    assert done == [("file", 5), ("named", 5), ("folder", 0)]


def test_a_disk_that_is_full_only_as_it_is_written_through_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As network drives do, which take what they have no room for."""
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LabkitError, match="No space left"):
        write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"old" and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP])
def test_a_drive_that_cannot_write_through_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def unknown(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", unknown)
    assert write_whole(tmp_path / "run.jsonl", b"new", "The run").read_bytes() == b"new"


def test_a_folder_that_cannot_be_opened_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = os.open

    def closed(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opening(path, flags, mode)

    monkeypatch.setattr(os, "open", closed)
    assert write_whole(tmp_path / "run.jsonl", b"new", "The run").read_bytes() == b"new"


def test_what_goes_into_a_pipe_waits_for_no_disk(tmp_path: Path, done: Done) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=pipe.read_bytes)
    reader.start()
    write_whole(pipe, b"whole", "The report")
    reader.join(10)
    assert done == []
