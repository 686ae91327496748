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


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_what_is_empty_names_no_file(name: str) -> None:
    """Seen: ``--out "$PAGE"`` without a PAGE was refused as a folder."""
    with pytest.raises(LabkitError, match=r"--out names no file; give the name of one"):
        check_writable(Path(name))


@pytest.mark.parametrize("leads_to", ["gone/page.html", "page.html"])
def test_a_link_that_leads_nowhere_is_refused_before_the_run(leads_to: str, tmp_path: Path) -> None:
    """Seen: it was found when the run had ended."""
    link = tmp_path / "page.html"
    link.symlink_to(tmp_path / leads_to)
    with pytest.raises(LabkitError, match="cannot be written"):
        check_writable(link)


def test_a_link_to_a_file_that_is_yet_to_be_made_is_none(tmp_path: Path) -> None:
    link = tmp_path / "page.html"
    link.symlink_to(tmp_path / "next.html")
    check_writable(link)
