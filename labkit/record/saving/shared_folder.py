"""A shared folder: others than we, root and its owner may put files there; and what they put."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from labkit.record.saving.access_list import GROUP, USER, WRITE, read_access_list, within_mask
from labkit.record.saving.user_namespace import known_users, shared_number

if os.name == "posix":
    import grp
    import pwd

# Not every system has each of them.
NOFOLLOW, NONBLOCK, BINARY = (
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)
MOST_LINKS = 40  # as for the system: man 7 path_resolution


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
    return not users <= known_users(status.st_uid) or not all(
        _group_is_ours_alone(group) for group in groups
    )


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


def followed(link: Path) -> Path:
    """Return where a link leads; what is no link is returned as it is.

    Raises:
        OSError: If one on the way is another user's.
    """
    for _ in range(MOST_LINKS):
        if not link.is_symlink():
            return link
        check_ours(link)
        link = link.parent / _target(link)
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _target(link: Path) -> str:
    """Return where a link of ours leads: of what was looked at, not of what has its name since."""
    if not hasattr(os, "O_PATH"):  # not Linux
        return os.readlink(link)
    descriptor = os.open(link, os.O_PATH | NOFOLLOW)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISLNK(status.st_mode) or _is_of_another(link, status):
            raise PermissionError(errno.EACCES, f"the link {link.name!r} there was exchanged")
        return os.readlink("", dir_fd=descriptor)
    finally:
        os.close(descriptor)


def check_ours(path: Path) -> None:
    """Refuse what another user has put under a name, in a folder where others may write.

    A link would let them choose which file of ours is replaced, and a pipe would give them all we
    write. The system has this rule too (``man 5 proc``: protected_symlinks, protected_fifos), but
    only for folders such as /tmp, not everywhere, and looks only where it follows or makes a file
    itself. In a folder that a class shares, a file of another's is written to as it may be: they
    may work on it together. In /tmp it is refused as well.

    Raises:
        OSError: If neither we nor root nor the folder's owner made it, or a link on the way to it,
            or it is ours and not to be written.
    """
    for link in (place for place in path.parents if place.is_symlink()):
        if _is_of_another(link, os.lstat(link)):
            raise PermissionError(errno.EACCES, f"the link {link.name!r} there is another user's")
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if _is_of_another(path, status):
        raise PermissionError(errno.EACCES, "what has this name there is another user's")
    if stat.S_ISREG(status.st_mode) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "the file there is not to be written to")


def open_to_append(path: Path) -> int:
    """Open a file of ours to write at its end, or make it; return the descriptor.

    Looked at is what was opened, for others may put a link there as soon as a name was looked at.

    Raises:
        OSError: If it is another user's, or no file.
    """
    place = followed(path)
    check_ours(place)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | NOFOLLOW | NONBLOCK | BINARY
    descriptor = os.open(place, flags, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is a folder, a pipe or a device")
        check_opened(descriptor, place)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def check_opened(descriptor: int, path: Path) -> None:
    """Refuse what was opened under a name if another user has put it there meanwhile.

    Args:
        descriptor: Of what was opened; stays open.
        path: Its name.

    Raises:
        OSError: If it is another user's, as for `check_ours`.
    """
    if _is_of_another(path, os.fstat(descriptor)):
        raise PermissionError(errno.EACCES, "what has this name there is another user's")


def _is_of_another(path: Path, status: os.stat_result) -> bool:
    """Tell whether another user has put what is not to be trusted there."""
    folder = os.stat(path.parent)
    if os.name != "posix":
        return False
    # Where our own number is many a user's, a link or a pipe of it is perhaps not ours.
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    if status.st_uid in known_users(folder.st_uid) and (
        is_plain or status.st_uid != shared_number()
    ):
        return False
    if is_plain:
        return bool(folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH)
    return others_may_write(path.parent, folder)
