"""An access control list is read as the system stores it, and nothing else is taken for one.

Tier: make test.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from labkit.record.saving.access_list import (
    GROUP,
    MASK,
    OTHERS,
    OWNER,
    OWNING_GROUP,
    USER,
    read_access_list,
    within_mask,
    write_access_list,
)
from tests.record.saving.access_lists import NOBODY_ELSE, access_list, give, stored

LIST = access_list(user="7:6 8:4", group="9:7", plain="6750")


def test_a_list_is_read_as_it_stands_and_written_as_it_was_read(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.touch()
    other.touch()
    give(one, LIST)
    entries = read_access_list(one)
    assert entries == (
        (OWNER, 6, NOBODY_ELSE),
        (USER, 6, 7),
        (USER, 4, 8),
        (OWNING_GROUP, 7, NOBODY_ELSE),
        (GROUP, 7, 9),
        (MASK, 5, NOBODY_ELSE),
        (OTHERS, 0, NOBODY_ELSE),
    )
    write_access_list(other, entries)
    assert stored(other) == LIST
    write_access_list(other, ())
    assert stored(other) is None


def test_the_mask_limits_all_but_owner_and_others(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    give(file, LIST)
    limited = within_mask(read_access_list(file))
    assert [entry[:2] for entry in limited] == [(USER, 4), (USER, 4), (OWNING_GROUP, 5), (GROUP, 5)]
    assert within_mask(()) == ()


def test_a_file_without_a_list_has_no_entries(tmp_path: Path) -> None:
    tmp_path.chmod(0o775)
    assert read_access_list(tmp_path) == ()


@pytest.mark.parametrize("code", [errno.ENODATA, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_that_keeps_no_lists_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object) -> bytes:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "getxattr", refuse, raising=False)
    assert read_access_list(tmp_path) == ()


def test_a_system_whose_python_knows_no_lists_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("getxattr", "setxattr", "removexattr"):
        monkeypatch.delattr(os, name, raising=False)
    write_access_list(tmp_path, ())
    assert read_access_list(tmp_path) == ()


@pytest.mark.parametrize(
    "packed",
    [b"", LIST[:3], b"\3" + LIST[1:], LIST[:-1], LIST + bytes([64, 0, 7, 0, 0, 0, 0, 0])],
    ids=["empty", "no version", "another version", "cut", "unknown entry"],
)
def test_what_has_another_form_is_not_taken_for_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes
) -> None:
    monkeypatch.setattr(os, "getxattr", lambda *_: packed, raising=False)
    with pytest.raises(ValueError, match="an access control list"):
        read_access_list(tmp_path)
