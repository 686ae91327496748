"""Access control lists for tests, packed here and not by what is tested."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

NOBODY_ELSE = 0xFFFFFFFF  # stands where an entry names no user and no group


def access_list(*, user: str = "", group: str = "", plain: str) -> bytes:
    """Return a list as the system stores it.

    Args:
        user: Named users as number and digit, e.g. ``"7:6 8:0"``.
        group: Named groups likewise.
        plain: The digits of owner, owning group, mask and others, e.g. ``"6040"``.
    """
    owner, owning_group, mask, others = (int(digit) for digit in plain)
    entries = [
        (0x01, owner, NOBODY_ELSE),
        *((0x02, digit, number) for number, digit in _named(user)),
        (0x04, owning_group, NOBODY_ELSE),
        *((0x08, digit, number) for number, digit in _named(group)),
        (0x10, mask, NOBODY_ELSE),
        (0x20, others, NOBODY_ELSE),
    ]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def give(path: Path, packed: bytes, *, to_new_files: bool = False) -> None:
    """Give a file or folder a list, as ``setfacl`` does; skip the test where there are none.

    Args:
        path: The file or folder.
        packed: From `access_list`.
        to_new_files: Whether it is for what is made in the folder, and not for the folder.
    """
    if not hasattr(os, "setxattr"):
        pytest.skip("Python knows of no access control lists on this system")
    try:
        os.setxattr(path, f"system.posix_acl_{'default' if to_new_files else 'access'}", packed)
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.EOPNOTSUPP):
            raise
        pytest.skip("this file system keeps no access control lists")


def stored(path: Path | int) -> bytes | None:
    """Return the list of a file as the system stores it; None where it has none."""
    try:
        return os.getxattr(path, "system.posix_acl_access")
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise
        return None


def _named(text: str) -> list[tuple[int, int]]:
    pairs = (each.split(":") for each in text.split())
    return [(int(number), int(digit)) for number, digit in pairs]
