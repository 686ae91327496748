"""A standard output that does not block, as whoever shares it may have made it. Tier: make test."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest

from labkit.cli.stream import Stream
from tests.command import labkit

# Their answer is longer than any pipe.
MISSING = [f"{number:0100}.none" for number in range(1_000)]


def test_a_pipe_that_does_not_block_gets_all_however_late_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: what the pipe did not take at once was lost, and nobody was told."""
    monkeypatch.chdir(tmp_path)
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    got = bytearray()

    def listen(_process_id: int) -> None:
        os.close(theirs)
        time.sleep(0.5)  # by then it is full
        while piece := os.read(ours, 1 << 16):
            got.extend(piece)

    done = labkit("verdict", *MISSING, stdout=theirs, meanwhile=listen)
    os.close(ours)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split()[0] for line in got.decode().splitlines()] == MISSING


def test_a_reader_who_leaves_such_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)

    def leave(_process_id: int) -> None:
        os.close(theirs)
        time.sleep(0.5)
        os.close(ours)

    done = labkit("verdict", *MISSING, stdout=theirs, meanwhile=leave, seconds=30)
    assert (done.returncode, done.stderr) == (1, "")


def test_bytes_are_told_as_the_words_that_they_are() -> None:
    """Seen: what completes words in a shell is told so, and ended in a TypeError."""
    told = io.StringIO()
    Stream(told).write("größer".encode())  # type: ignore[arg-type]
    assert told.getvalue() == "größer"


def test_where_only_ascii_can_be_told_other_letters_are_their_numbers() -> None:
    """Seen: click wrote UTF-8, and each letter was two question marks."""
    told = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Stream(told).write("größer".encode())  # type: ignore[arg-type]
    told.seek(0)
    assert told.read() == "gr\\xf6\\xdfer"
