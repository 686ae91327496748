"""A folder that an access control list opens to others is a shared one, and no other is.

Tier: make test.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.saving.shared_folder import others_may_write
from labkit.record.saving.whole_file import write_whole
from tests.record.saving.access_lists import access_list, give

pytestmark = pytest.mark.skipif(os.name != "posix", reason="knows neither modes nor these lists")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of ours, in a group to which nobody else belongs."""
    os.chown(tmp_path, -1, os.getegid())
    monkeypatch.setattr(
        "labkit.record.saving.shared_folder._group_is_ours_alone",
        lambda group: group == os.getegid(),
    )
    return tmp_path


def shared(folder: Path) -> bool:
    return others_may_write(folder, os.stat(folder))


OTHER_USER, OTHER_GROUP = os.geteuid() + 1, os.getegid() + 1


@pytest.mark.parametrize(
    ("user", "group", "plain"),
    [
        (f"{OTHER_USER}:7", "", "7070"),
        (f"{OTHER_USER}:2", "", "7020"),
        (f"{os.geteuid()}:7 {OTHER_USER}:7", "", "7770"),
        ("", f"{OTHER_GROUP}:7", "7070"),
        ("", f"{os.getegid()}:7 {OTHER_GROUP}:3", "7775"),
    ],
)
def test_a_folder_is_shared_with_whom_its_list_lets_write(
    folder: Path, user: str, group: str, plain: str
) -> None:
    """Recorded: a colleague's link was followed there, and his module was imported."""
    give(folder, access_list(user=user, group=group, plain=plain))
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0o020
    assert shared(folder)


@pytest.mark.parametrize(
    ("user", "group", "plain"),
    [
        (f"{OTHER_USER}:5", f"{OTHER_GROUP}:5", "7775"),
        (f"{OTHER_USER}:7", f"{OTHER_GROUP}:7", "7755"),  # the mask
        (f"{os.geteuid()}:7 0:7", "", "7070"),
        ("", f"{os.getegid()}:7", "7070"),
    ],
)
def test_a_folder_stays_ours_whose_list_lets_others_only_read(
    folder: Path, user: str, group: str, plain: str
) -> None:
    give(folder, access_list(user=user, group=group, plain=plain))
    assert not shared(folder)


def test_what_a_list_keeps_from_the_folder_s_group_is_not_given_by_the_mask(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.record.saving.shared_folder._group_is_ours_alone", lambda _: False)
    give(folder, access_list(user=f"{os.geteuid()}:7", plain="7570"))
    assert folder.stat().st_mode & stat.S_IWGRP and not shared(folder)
    give(folder, access_list(user=f"{os.geteuid()}:7", plain="7770"))
    assert shared(folder)


def test_the_list_for_new_files_opens_the_folder_to_nobody(folder: Path) -> None:
    folder.chmod(0o770)
    give(folder, access_list(user=f"{OTHER_USER}:7", plain="7770"), to_new_files=True)
    assert not shared(folder)


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o775, 0o2770])
def test_a_folder_without_a_list_is_judged_by_its_mode(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    assert not shared(folder)
    folder.chmod(mode | 0o002)
    assert shared(folder)


@pytest.mark.parametrize(
    "answer", [OSError(errno.EIO, "Input/output error"), b"of another form"], ids=["error", "form"]
)
def test_whom_a_list_lets_in_is_taken_for_others_where_it_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: OSError | bytes
) -> None:
    def get(*_: object) -> bytes:
        if isinstance(answer, OSError):
            raise answer
        return answer

    monkeypatch.setattr(os, "getxattr", get, raising=False)
    folder.chmod(0o770)
    assert shared(folder)
    folder.chmod(0o750)  # whatever the list says, nobody else may
    assert not shared(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs two users")
@pytest.mark.parametrize(("permissions", "refused"), [(7, True), (5, False)])
def test_a_link_is_not_followed_of_somebody_to_whom_a_list_opened_the_folder(
    folder: Path, permissions: int, refused: bool
) -> None:
    own, link = folder / "thesis.txt", folder / "shared" / "run.jsonl"
    link.parent.mkdir()
    own.write_bytes(b"old")
    link.symlink_to(own)
    os.chown(link, 65534, 65534, follow_symlinks=False)
    give(link.parent, access_list(user=f"65534:{permissions}", plain="7070"))
    if refused:
        with pytest.raises(LabkitError, match="there is another user's"):
            write_whole(link, b"new", "The run")
    else:
        write_whole(link, b"new", "The run")
    assert own.read_bytes() == (b"old" if refused else b"new")
