"""What is replaced keeps its access control list, and nobody may do more with it than before.

Tier: make test.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.saving.permissions import give_permissions, permissions_of
from labkit.record.saving.whole_file import write_whole
from tests.record.saving.access_lists import access_list, give, stored

pytestmark = pytest.mark.skipif(os.name != "posix", reason="knows neither modes nor these lists")

# In the mode of such a file stands 0640, and its group may not read it.
ONE_READER = access_list(user="7:4", plain="6040")


def mode(file: Path | int) -> int:
    return stat.S_IMODE(os.stat(file).st_mode)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that only we may read."""
    made = tmp_path / "run.jsonl"
    made.write_bytes(b"old")
    made.chmod(0o600)
    return made


def refused(*_: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize(
    ("user", "group", "plain"),
    [
        ("7:4", "", "6040"),
        ("7:0 8:6", "9:4", "6464"),
        ("", "9:6", "6600"),  # the mask lets nobody in
    ],
)
def test_what_is_replaced_keeps_its_list(file: Path, user: str, group: str, plain: str) -> None:
    """Recorded: it was lost, and its mask became the rights of the group."""
    packed = access_list(user=user, group=group, plain=plain)
    give(file, packed)
    before = mode(file)
    write_whole(file, b"new", "The run")
    assert (file.read_bytes(), stored(file), mode(file)) == (b"new", packed, before)


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o664, 0o604])
def test_what_has_no_list_gets_none_and_keeps_its_mode(file: Path, permissions: int) -> None:
    file.chmod(permissions)
    write_whole(file, b"new", "The run")
    assert mode(file) == permissions
    if hasattr(os, "getxattr"):
        assert stored(file) is None


@pytest.mark.parametrize("permissions", [0o600, 0o640])
def test_what_is_replaced_gets_no_list_from_its_folder(file: Path, permissions: int) -> None:
    """It would open the file to all whom the folder's list for new files names."""
    file.chmod(permissions)
    give(file.parent, access_list(user="7:6", plain="6660"), to_new_files=True)
    write_whole(file, b"new", "The run")
    assert mode(file) == permissions and stored(file) is None


def test_a_new_file_gets_the_list_that_its_folder_has_for_new_files(file: Path) -> None:
    give(file.parent, access_list(user="7:6", plain="6660"), to_new_files=True)
    for made in (
        write_whole(file.with_name("other.jsonl"), b"new", "The run"),
        write_whole(file, b"new", "The run", replace=False),
    ):
        assert stored(made) == access_list(user="7:6", plain="6660") and mode(made) == 0o660


def test_a_file_system_without_lists_keeps_modes(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    for name in ("getxattr", "setxattr", "removexattr"):
        monkeypatch.setattr(os, name, unsupported, raising=False)
    file.chmod(0o644)
    write_whole(file, b"new", "The run")
    assert mode(file) == 0o644


def test_a_list_that_cannot_be_given_leaves_the_file_to_its_owner(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who the list keeps out may be one of the group or of all others."""
    give(file, access_list(user="7:0", plain="6444"))
    monkeypatch.setattr(os, "setxattr", refused)
    write_whole(file, b"new", "The run")
    assert file.read_bytes() == b"new" and mode(file) == 0o600 and stored(file) is None


@pytest.mark.parametrize(
    "answer", [OSError(errno.EIO, "Input/output error"), b"of another form"], ids=["error", "form"]
)
def test_a_list_that_cannot_be_read_leaves_the_file_to_its_owner(
    file: Path, monkeypatch: pytest.MonkeyPatch, answer: OSError | bytes
) -> None:
    def get(*_: object) -> bytes:
        if isinstance(answer, OSError):
            raise answer
        return answer

    monkeypatch.setattr(os, "getxattr", get, raising=False)
    file.chmod(0o644)
    write_whole(file, b"new", "The run")
    assert file.read_bytes() == b"new" and mode(file) == 0o600


def test_at_no_time_may_the_group_do_what_the_list_keeps_from_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, bytes | None, int]] = []
    change = {name: getattr(os, name) for name in ("chown", "setxattr", "chmod")}

    def watched(name: str, file: int, *rest: object) -> None:
        change[name](file, *rest)
        seen.append((name, stored(file), mode(file)))

    give(file, ONE_READER)
    for name in change:
        monkeypatch.setattr(os, name, lambda path, *rest, name=name: watched(name, path, *rest))
    write_whole(file, b"new", "The run")
    assert [name for name, *_ in seen][-2:] == ["setxattr", "chmod"]
    for _, packed, permissions in seen:
        assert (packed, permissions) in ((None, 0o600), (ONE_READER, 0o640))


@pytest.mark.parametrize(
    ("before", "after"), [(0o640, 0o600), (0o664, 0o644), (0o604, 0o600), (0o600, 0o600)]
)
def test_for_a_group_that_it_cannot_have_a_file_is_opened_to_no_other(
    file: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    """0604 keeps out a group: where the file has another, its members are of all others."""
    file.chmod(before)
    assert _given_in_another_group(file, monkeypatch) == (after, None)


@pytest.mark.parametrize(
    ("group", "before", "after"),
    [
        ("", "6460", "6060"),
        ("", "6064", "6060"),
        ("", "6666", "6666"),
        ("9:4", "6664", "6464"),
        ("9:0", "6664", "6060"),
    ],
)
def test_a_list_keeps_those_it_names_where_the_file_cannot_have_the_group(
    file: Path, monkeypatch: pytest.MonkeyPatch, group: str, before: str, after: str
) -> None:
    give(file, access_list(user="7:6", group=group, plain=before))
    assert _given_in_another_group(file, monkeypatch) == (
        0o600 | int(after[2]) << 3 | int(after[3]),
        access_list(user="7:6", group=group, plain=after),
    )


def _given_in_another_group(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, bytes | None]:
    """Return mode and list of a new file that got the permissions of another, but not its group."""
    permissions = permissions_of(file)
    assert permissions is not None
    new = file.with_name("new")
    new.touch(0o600)
    monkeypatch.setattr(os, "chown", refused)
    give_permissions(new, replace(permissions, group=new.stat().st_gid + 1))
    return mode(new), stored(new)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_no_file_of_ours_runs_as_us_because_another_s_did(tmp_path: Path) -> None:
    """Recorded: others write their program into what may be written, and run it as us."""
    file = tmp_path / "report.html"
    file.touch()
    file.chmod(0o6777)
    write_whole(file, b"new", "The report")
    assert file.read_bytes() == b"new" and mode(file) == 0o777


@pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")
def test_what_takes_the_place_of_the_new_file_gets_none_of_its_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: a link was put there in between, and a private file became readable for all."""
    secret, file = tmp_path / "secret", tmp_path / "report.html"
    for each, permissions in ((secret, 0o600), (file, 0o666)):
        each.touch()
        each.chmod(permissions)
    change_owner, exchanged = os.chown, []

    def exchange(*args: object, **options: object) -> None:
        if not exchanged:
            (part,) = tmp_path.glob("*.part")
            part.unlink()
            part.symlink_to(secret)
            exchanged.append(part)
        change_owner(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "chown", exchange)
    with suppress(LabkitError):
        write_whole(file, b"new", "The report")
    assert exchanged and mode(secret) == 0o600 and secret.read_bytes() == b""


def test_a_file_in_the_folder_for_temporary_files_is_never_anybody_elses_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "mine").mkdir()
    assert mode(write_whole(tmp_path / "report.html", b"new", "The report")) == 0o600
    assert mode(write_whole(tmp_path / "mine" / "report.html", b"new", "The report")) != 0o600
