"""Where files are saved that nobody has named a place for. Tier: quick."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from labkit.record.saving.default_folder import default_folder


def test_it_is_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_folder() == tmp_path


def test_where_somebody_has_removed_that_it_is_the_one_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert default_folder() == Path(tempfile.gettempdir())
