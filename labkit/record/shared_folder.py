"""A shared folder: one into which others than we, root and its owner may put files."""

from __future__ import annotations

import os
import stat

if os.name == "posix":
    import grp
    import pwd


def others_may_write(folder: os.stat_result) -> bool:
    """Tell whether others than we, root and its owner may put files into a folder.

    Where it cannot be known who belongs to its group, they may.

    Args:
        folder: What the system says of it.
    """
    if os.name != "posix":
        return False
    if folder.st_mode & stat.S_IWOTH:
        return True
    return bool(folder.st_mode & stat.S_IWGRP) and not _group_is_ours_alone(folder.st_gid)


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
