"""A file is written whole or not at all, and nothing that is no file is replaced.

Tier: make test.
"""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from labkit.record import LabkitError
from labkit.record.whole_file import write_whole


def test_what_was_there_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "run.jsonl"
    target.write_bytes(b"old")
    write_whole(target, b"new", "The run")
    assert target.read_bytes() == b"new" and list(tmp_path.iterdir()) == [target]


def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    """Recorded: a report saved to a device put a file in the device's place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"whole", "The report")
    reader.join(10)
    assert got == [b"whole"] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no such device here")
def test_a_full_disk_is_a_sentence_with_what_to_do() -> None:
    with pytest.raises(LabkitError, match=r"The run could not be saved .*No space left.*has room"):
        write_whole(Path("/dev/full"), b"data", "The run")
    assert Path("/dev/full").is_char_device()


def test_a_folder_that_is_not_there_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(LabkitError, match="choose a folder that exists"):
        write_whole(tmp_path / "none" / "run.jsonl", b"data", "The run")
    with pytest.raises(LabkitError, match="directory"):
        write_whole(tmp_path, b"data", "The run")
