"""A POSIX access control list: what named users and groups may do with a file, beside its mode.

Where a file has one, the group's digit of its mode is the list's mask: the most that the list gives
to anybody but the owner and all others. What the group itself may do stands in the list alone.
``man 5 acl`` has the rules. Only Linux tells a list to Python; elsewhere no file has one here.
"""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path
from typing import NamedTuple

WRITE = 0o2  # of a digit in a mode

# linux/posix_acl.h
OWNER, USER, OWNING_GROUP, GROUP, MASK, OTHERS = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
# linux/posix_acl_xattr.h
_ATTRIBUTE = "system.posix_acl_access"
_VERSION = 2
_HEAD, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")


class Entry(NamedTuple):
    """One line of a list.

    Attributes:
        tag: Whom it is about, e.g. `OWNING_GROUP`.
        permissions: A digit as in a mode, e.g. 6 to read and write.
        number: Of the user or group, where `tag` is `USER` or `GROUP`.
    """

    tag: int
    permissions: int
    number: int


def read_access_list(file: Path | int) -> tuple[Entry, ...]:
    """Return the entries of a file's or folder's list; none where it has no list.

    Args:
        file: Also a link to it, or its descriptor.

    Raises:
        OSError: If the system does not tell.
        ValueError: If it has a list of another form.
    """
    if not hasattr(os, "getxattr"):
        return ()
    try:
        stored = os.getxattr(file, _ATTRIBUTE)
    except OSError as error:
        # It has none, its file system keeps none, or the system knows of none.
        if error.errno in (errno.ENODATA, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            return ()
        raise
    return _parsed(stored)


def write_access_list(file: Path | int, entries: tuple[Entry, ...]) -> None:
    """Give a file a list in place of the one it has; without an entry, it has none afterwards.

    Args:
        file: Ours, or its descriptor. Its mode becomes what the list says, or stays as it is.
        entries: In the order in which they were read.

    Raises:
        OSError: If the system refuses it.
    """
    if not hasattr(os, "setxattr"):
        return
    if entries:
        packed = (_ENTRY.pack(*entry) for entry in entries)
        os.setxattr(file, _ATTRIBUTE, _HEAD.pack(_VERSION) + b"".join(packed))
    else:
        os.removexattr(file, _ATTRIBUTE)


def within_mask(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return those entries that the mask limits, with what is left of their permissions.

    Args:
        entries: A whole list.
    """
    mask = next((entry.permissions for entry in entries if entry.tag == MASK), 0o7)
    return tuple(
        entry._replace(permissions=entry.permissions & mask)
        for entry in entries
        if entry.tag in (USER, OWNING_GROUP, GROUP)
    )


def _parsed(stored: bytes) -> tuple[Entry, ...]:
    if stored[: _HEAD.size] != _HEAD.pack(_VERSION):
        raise ValueError("an access control list of this version is not known")
    body = stored[_HEAD.size :]
    if len(body) % _ENTRY.size:
        raise ValueError("an access control list ends within an entry")
    entries = tuple(Entry(*fields) for fields in _ENTRY.iter_unpack(body))
    if any(entry.tag not in (OWNER, USER, OWNING_GROUP, GROUP, MASK, OTHERS) for entry in entries):
        raise ValueError("an access control list has an entry of an unknown kind")
    return entries
