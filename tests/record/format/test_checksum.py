"""A number that was changed in a saved run is seen, and nothing else is taken for that.

make quick.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest

from labkit.record import RunFileError, load_run, run_from_lines, run_to_lines, save_run
from labkit.record.format.checksum import checksum_of
from tests.record.example import full_run, without_checksum


@pytest.mark.parametrize(
    ("old", "new"), [("0.30000000000000004", "0.3"), ("18.0", "19.0"), ('"seed": 7', '"seed": 8')]
)
def test_a_changed_number_is_refused_though_it_could_be_one(old: str, new: str) -> None:
    text = "\n".join(run_to_lines(full_run()))
    assert old in text
    with pytest.raises(RunFileError, match="a line was changed after labkit had saved it; use an"):
        run_from_lines(text.replace(old, new, 1).splitlines())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_line_ends_and_a_blank_last_line_are_no_change(tmp_path: Path, end: str) -> None:
    path = tmp_path / "run.jsonl"
    lines = list(run_to_lines(full_run()))
    path.write_bytes((end[:2].replace("\n\n", "\n").join(lines) + end).encode())
    assert load_run(path) == full_run()


def test_a_run_that_was_saved_without_a_checksum_is_read() -> None:
    lines = without_checksum(run_to_lines(full_run()))
    assert "checksum" not in lines[-1] and run_from_lines(lines) == full_run()


def test_a_packed_run_has_the_checksum_of_its_lines(tmp_path: Path) -> None:
    plain, packed = (save_run(full_run(), tmp_path / f"run.jsonl{end}") for end in ("", ".gz"))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


def test_the_checksum_is_that_of_zlib_over_all_lines_at_once() -> None:
    told, lines = 0, ["one\r\n", "zw\u00f6lf\n", ""]
    for line in lines:
        told = checksum_of(line, told)
    assert told == zlib.crc32("one\nzw\u00f6lf\n\n".encode())
