"""Words between kernel and worker, and the log."""

from __future__ import annotations

from pathlib import Path

from labkit.bench.log import HEAD_BYTES, LARGEST_BYTES, read_log, trim_log
from labkit.bench.protocol import Job, Lines, encode


def test_a_message_that_comes_in_pieces_is_read_once_and_whole() -> None:
    lines = Lines()
    data = encode({"say": "one"}) + encode({"say": "two"})
    heard = [message for byte in data for message in lines.take(bytes([byte]))]
    assert heard == [{"say": "one"}, {"say": "two"}]


def test_half_a_message_says_nothing_yet() -> None:
    assert list(Lines().take(b'{"say": "o')) == []


def test_a_job_comes_back_as_it_was() -> None:
    toggles = {"grow": True, "kind": "x"}
    job = Job("graph_growth", toggles, {"size": 3}, 10, steps_path="/a", seed=4)
    assert Job.from_line(job.line()) == job


def test_a_short_log_is_kept_whole(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("hello\n")
    trim_log(log)
    assert read_log(log) == "hello\n"


def test_a_flooded_log_keeps_its_head_and_what_comes_after(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"first words\n" + b"x" * LARGEST_BYTES)
    trim_log(log)
    with log.open("ab") as file:
        file.write(b"last words")
    text = read_log(log)
    assert text.startswith("first words") and text.endswith("last words") and "cut" in text
    assert log.stat().st_size < 2 * HEAD_BYTES


def test_a_log_that_was_never_written_is_empty(tmp_path: Path) -> None:
    trim_log(tmp_path / "none")
    assert read_log(tmp_path / "none") == ""
