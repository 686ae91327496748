"""A file is written whole or not at all, and nothing that is no file is replaced.

Tier: make test.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.saving.whole_file import write_whole


def test_what_was_there_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"new" and list(tmp_path.iterdir()) == [target]


def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    """Recorded: a report saved to a device put a file in the device's place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"whole", "The report")
    reader.join(10)
    assert got == [b"whole"] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no such device here")
def test_a_full_disk_is_a_sentence_with_what_to_do() -> None:
    with pytest.raises(LabkitError, match=r"The run could not be saved .*No space left.*has room"):
        write_whole(Path("/dev/full"), b"data", "The run")
    assert Path("/dev/full").is_char_device()


def test_a_name_that_no_file_can_have_is_a_sentence_too() -> None:
    with pytest.raises(LabkitError, match=r"^The run could not be saved .* zero character"):
        write_whole(Path("a\0b"), b"new", "The run")


def test_a_folder_that_is_not_there_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(LabkitError, match="choose a folder that exists"):
        write_whole(tmp_path / "none" / "run.jsonl", b"data", "The run")
    with pytest.raises(LabkitError, match="directory"):
        write_whole(tmp_path, b"data", "The run")


@pytest.fixture
def umask() -> Iterator[None]:
    """The user lets the group write, and nobody else read."""
    before = os.umask(0o007)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("replace", [True, False])
def test_a_new_file_may_be_read_by_whom_the_user_lets(tmp_path: Path, replace: bool) -> None:
    """Recorded: whatever the umask said, everybody could read a run."""
    made = write_whole(tmp_path / "run.jsonl", b"data", "The run", replace=replace)
    assert mode(made) == 0o660


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("permissions", [0o600, 0o664, 0o640])
def test_what_is_replaced_keeps_its_permissions(tmp_path: Path, permissions: int) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    target.chmod(permissions)
    write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"new" and mode(target) == permissions


def test_a_link_stays_one_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    real, link = tmp_path / "kept" / "run.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real)
    for data in (b"first", b"second"):  # at first there is nothing where it leads
        assert write_whole(link, data, "The run") == link
        assert link.is_symlink() and not real.is_symlink() and real.read_bytes() == data
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["kept", "link.jsonl", "run.jsonl"]


def test_a_link_that_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    circle, lost = tmp_path / "circle", tmp_path / "lost"
    circle.symlink_to(circle)
    lost.symlink_to(tmp_path / "none" / "run.jsonl")
    for link in (circle, lost):
        with pytest.raises(LabkitError, match="could not be saved"):
            write_whole(link, b"data", "The run")
        assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [circle, lost]


@pytest.mark.parametrize("failing", ["replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")

    def fail(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises((LabkitError, KeyboardInterrupt)):
        write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"old" and list(tmp_path.iterdir()) == [target]


@pytest.fixture(params=["links", "no links"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, once as it is and once on a file system that knows no links."""

    def refuse(*_arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if request.param == "no links":
        monkeypatch.setattr(os, "link", refuse)
    return tmp_path


def test_a_name_that_is_taken_is_left_and_the_next_one_used(folder: Path) -> None:
    target = folder / "run-1.jsonl.gz"
    names = [
        write_whole(target, data, "The run", replace=False).name for data in (b"1", b"2", b"3")
    ]
    assert names == ["run-1.jsonl.gz", "run-1-2.jsonl.gz", "run-1-3.jsonl.gz"]
    assert [(folder / name).read_bytes() for name in names] == [b"1", b"2", b"3"]
    assert len(list(folder.iterdir())) == 3


def test_a_folder_or_a_link_of_that_name_is_no_free_name(folder: Path) -> None:
    (folder / "a.html").mkdir()
    (folder / "a-2.html").symlink_to(folder / "none")
    made = write_whole(folder / "a.html", b"new", "The report", replace=False)
    assert made == folder / "a-3.html" and made.read_bytes() == b"new"
    assert not (folder / "none").exists()


def test_many_that_ask_for_one_name_at_a_time_all_keep_their_file(folder: Path) -> None:
    """Recorded: two kernels saved within one second, both said one name, and one run was lost."""

    def save(number: int) -> tuple[Path, int]:
        data = str(number).encode()
        return write_whole(folder / "run.jsonl", data, "The run", replace=False), number

    with ThreadPoolExecutor(16) as pool:
        saved = dict(pool.map(save, range(64)))
    assert len(saved) == 64 and len(list(folder.iterdir())) == 64
    assert all(path.read_bytes() == str(number).encode() for path, number in saved.items())


def test_no_name_is_taken_where_nothing_can_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(LabkitError, match="No space left"):
        write_whole(folder / "run.jsonl", b"data", "The run", replace=False)
    assert not list(folder.iterdir())


@pytest.mark.parametrize(("opened", "data"), [(False, b"data"), (True, bytes(1_000_000))])
def test_a_pipe_that_nobody_opens_or_reads_is_waited_for_only_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: bool, data: bytes
) -> None:
    monkeypatch.setattr("labkit.record.saving.whole_file.LONGEST_WAIT_SECONDS", 0.05)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK) if opened else None
    with pytest.raises(LabkitError, match="nobody reads from it"):
        write_whole(pipe, data, "The run")
    if reader is not None:
        os.close(reader)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_pipe_that_is_read_slowly_gets_all(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = bytes(range(256)) * 4_000
    with open(tmp_path / "read", "wb") as read, subprocess.Popen(["cat", str(pipe)], stdout=read):
        write_whole(pipe, data, "The run")
    assert (tmp_path / "read").read_bytes() == data


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_that_was_sent_into_a_file_is_written_to_and_the_file_not_replaced(
    tmp_path: Path, name: str, replace: bool
) -> None:
    """Recorded: where nothing was to be replaced, a new file lay in /dev."""
    code = (
        "from pathlib import Path; from labkit.record.saving.whole_file import write_whole\n"
        f"write_whole(Path({name!r}), b'second\\n', 'The run', replace={replace}); print('third')"
    )
    log = tmp_path / "log"
    log.write_text("first\n")
    with log.open("a") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True, timeout=60)
    assert log.read_text() == "first\nsecond\nthird\n"
    assert list(tmp_path.iterdir()) == [log]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_is_not_to_be_written_to_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    target.chmod(0o440)
    with pytest.raises(LabkitError, match="not to be written to"):
        write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"old"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize(("may_give", "mode"), [(True, 0o640), (False, 0o600)])
def test_what_is_replaced_is_read_by_those_who_could_read_it_and_by_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_give: bool, mode: int
) -> None:
    """Recorded: a class could no longer read a run, and others of the owner's own group could."""
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    os.chown(target, 65534, 12345)
    target.chmod(0o640)
    if not may_give:
        monkeypatch.setattr(os, "chown", refused)
    write_whole(target, b"new", "The run")
    found = target.stat()
    assert target.read_bytes() == b"new" and stat.S_IMODE(found.st_mode) == mode
    assert (found.st_uid, found.st_gid) == ((65534, 12345) if may_give else (0, os.getgid()))


def refused(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")
