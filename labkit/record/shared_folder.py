"""A shared folder: one into which others than we, root and its owner may put files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from labkit.record.access_list import GROUP, USER, WRITE, read_access_list, within_mask

if os.name == "posix":
    import grp
    import pwd


def others_may_write(folder: Path, status: os.stat_result) -> bool:
    """Tell whether others than we, root and its owner may put files into a folder.

    Where it cannot be known who belongs to a group that may, or whom its access control list lets
    in, they may.

    Args:
        folder: Also a link to it.
        status: What the system says of it.
    """
    if os.name != "posix":
        return False
    if status.st_mode & stat.S_IWOTH:
        return True
    # Where there is a list this bit is its mask's: without it, nobody may whom the list names.
    if not status.st_mode & stat.S_IWGRP:
        return False
    try:
        entries = within_mask(read_access_list(folder))
    except (OSError, ValueError):
        return True
    users, groups = set[int](), {status.st_gid}
    if entries:
        writing = [entry for entry in entries if entry.permissions & WRITE]
        users = {entry.number for entry in writing if entry.tag == USER}
        groups = {
            entry.number if entry.tag == GROUP else status.st_gid
            for entry in writing
            if entry.tag != USER
        }
    known = {0, os.geteuid(), status.st_uid}
    return not users <= known or not all(_group_is_ours_alone(group) for group in groups)


def _group_is_ours_alone(group: int) -> bool:
    """Tell whether nobody but us and root is known to belong to a group, and all would be known."""
    try:
        us, told = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    if not {us.pw_name, "root"}.issuperset(told.gr_mem):
        return False
    accounts = pwd.getpwall()
    if any(each.pw_gid == group and each.pw_uid not in (us.pw_uid, 0) for each in accounts):
        return False
    # A server of accounts seldom lists them. Where it leaves us out, the others of the group may be
    # missing as well, and only a group that was made for one account bears that account's name.
    return us.pw_name == told.gr_name or us.pw_name in {each.pw_name for each in accounts}
