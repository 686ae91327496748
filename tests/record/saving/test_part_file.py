"""What a save that was killed has left is removed by the next one. Tier: make test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labkit.record.saving.part_file import LEFT_SECONDS, part_beside
from labkit.record.saving.whole_file import write_whole


def aged(file: Path, seconds: float) -> Path:
    """Return the file, written so long ago."""
    if not file.exists():
        file.write_bytes(b"half")
    changed = file.stat().st_mtime - seconds
    os.utime(file, (changed, changed))
    return file


@pytest.mark.parametrize("replace", [True, False])
def test_what_was_left_is_removed_and_nothing_else(tmp_path: Path, replace: bool) -> None:
    target = tmp_path / "run.jsonl"
    left = aged(part_beside(target), 2 * LEFT_SECONDS)
    being_written = aged(part_beside(target), LEFT_SECONDS / 2)
    kept = [aged(tmp_path / name, 2 * LEFT_SECONDS) for name in (
        ".labkit-notes.part", "labkit-0123456789abcdef.part", ".labkit-0123456789abcdef.part2",
    )]  # fmt: skip
    folder = part_beside(target)
    folder.mkdir()
    kept.append(aged(folder, 2 * LEFT_SECONDS))
    write_whole(target, b"whole", "The run", replace=replace)
    assert not left.exists()
    assert {*tmp_path.iterdir()} == {target, being_written, *kept}
