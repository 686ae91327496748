"""Who may do what with a file, to be given to the one that replaces it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from pathlib import Path

from labkit.record.saving.access_list import (
    OTHERS,
    OWNING_GROUP,
    USER,
    Entry,
    read_access_list,
    within_mask,
    write_access_list,
)


@dataclass(frozen=True)
class Permissions:
    """Who may do what with a file.

    Attributes:
        owner: Number of the user.
        group: Its number.
        mode: The twelve bits of ``chmod``.
        access_list: No entry where it has no list.
    """

    owner: int
    group: int
    mode: int
    access_list: tuple[Entry, ...]


def permissions_of(file: Path) -> Permissions | None:
    """Return who may do what with a file; None if there is no such file.

    Args:
        file: Also a link to it.

    Raises:
        OSError: If the system does not tell its mode.
    """
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return None
    mode = stat.S_IMODE(status.st_mode)
    try:
        entries = read_access_list(file)
    except (OSError, ValueError):  # whom it lets in or keeps out is not known
        mode, entries = mode & ~0o077, ()
    return Permissions(status.st_uid, status.st_gid, mode, entries)


def give_permissions(file: Path | int, permissions: Permissions) -> None:
    """Give a file owner, group and permissions of another, as far as we may.

    At no time may anybody but its owner do with it what they may not do with the other. The
    set-user-ID, set-group-ID and sticky bits are not given: with them, what another user writes
    into the file would run as us.

    Args:
        file: Ours, and so far nobody but we may do anything with it. A descriptor, where others may
            write to its folder: they could put a link to another file of ours under its name.
        permissions: Those of the other.

    Raises:
        OSError: If its mode cannot be set.
    """
    if os.name != "posix":
        os.chmod(file, permissions.mode)
        return
    with suppress(OSError):
        os.chown(file, permissions.owner, permissions.group)
    with suppress(OSError):  # only root may give a file away, but a group one is in will do
        os.chown(file, -1, permissions.group)
    if os.stat(file).st_gid != permissions.group:
        permissions = _for_another_group(permissions)
    mode = permissions.mode & 0o777
    # First, for in the mode of a file with a list the mask stands where the group's rights would.
    if not _has_now(file, permissions.access_list):
        mode &= ~0o077
    os.chmod(file, mode)


def _for_another_group(permissions: Permissions) -> Permissions:
    """Return what is right for a file that cannot have the group of the other.

    The group may read the other and all may not, or the group alone may not: so group and others
    get what each group and all others had in common.
    """
    limited = within_mask(permissions.access_list)
    groups = [entry.permissions for entry in limited if entry.tag != USER]
    common = reduce(and_, groups or [permissions.mode >> 3], permissions.mode & 0o007)
    if not permissions.access_list:
        return replace(permissions, mode=permissions.mode & ~0o077 | common << 3 | common)
    entries = tuple(
        entry._replace(permissions=common) if entry.tag in (OWNING_GROUP, OTHERS) else entry
        for entry in permissions.access_list
    )
    return replace(permissions, mode=permissions.mode & ~0o007 | common, access_list=entries)


def _has_now(file: Path | int, entries: tuple[Entry, ...]) -> bool:
    """Give a file a list, or take away the one it got from its folder; return whether it has."""
    with suppress(OSError):
        write_access_list(file, entries)
    try:
        return read_access_list(file) == entries
    except (OSError, ValueError):
        return False
