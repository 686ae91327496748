"""Where a result is to be saved is looked at before the run, not after it.

Tier: make test.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.cli.files import check_writable
from labkit.record import LabkitError


def test_a_dash_is_no_name_for_a_file() -> None:
    with pytest.raises(LabkitError, match=r"--save '-' is no name for a file.*give the name"):
        check_writable(Path("-"), option="--save")
    with pytest.raises(LabkitError, match="is no name for a file"):
        check_writable(Path("-"), folder=True)
    assert not Path("-").exists()


def test_a_name_that_only_begins_so_is_one(tmp_path: Path) -> None:
    check_writable(tmp_path / "-")
    check_writable(tmp_path / "-run.jsonl")


@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.gz"])
def test_a_saved_run_is_replaced_by_a_run_alone(name: str, tmp_path: Path) -> None:
    """Seen: ``labkit report b.jsonl --out c.jsonl`` put a page in the place of a run."""
    file = tmp_path / name
    check_writable(file)
    file.write_text("{}")
    check_writable(file, of_runs=True)
    with pytest.raises(LabkitError, match="would replace a saved run"):
        check_writable(file)
