"""A small disk is full when it is full, and no other gets its files. Tier: make test."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from labkit.cause import small_disk as module
from labkit.cause.small_disk import small_disk
from labkit.record import LabkitError


def test_a_small_disk_takes_what_it_has_room_for_and_no_more() -> None:
    try:
        folder = Path(small_disk(1 << 20))
    except LabkitError as error:
        pytest.skip(str(error))
    (folder / "half").write_bytes(bytes(1 << 19))
    with pytest.raises(OSError) as refused:
        (folder / "more").write_bytes(bytes(1 << 20))
    assert refused.value.errno == errno.ENOSPC
    assert (folder / "half").read_bytes() == bytes(1 << 19)


def test_a_system_without_namespaces_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(LabkitError, match=r"no command unshare.*choose disk = 0"):
        small_disk(1 << 20)


def test_a_system_that_forbids_it_is_quoted_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refuses = tmp_path / "unshare"
    refuses.write_text("#!/bin/sh\necho 'Operation not permitted' >&2\nexit 1\n")
    refuses.chmod(0o700)
    monkeypatch.setattr(module.shutil, "which", lambda name: str(refuses))
    started: list[int] = []
    spawn = os.posix_spawn

    def noted(*given: Any, **more: Any) -> int:
        started.append(spawn(*given, **more))
        return started[-1]

    monkeypatch.setattr(module.os, "posix_spawn", noted)
    with pytest.raises(LabkitError, match="Operation not permitted"):
        small_disk(1 << 20)
    assert not Path(f"/proc/{started[0]}").exists()
