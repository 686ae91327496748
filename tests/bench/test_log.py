"""What TensorFlow says of itself in any run, and what a loop says. Tier: make test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labkit.bench.log import LARGEST_BYTES, LogReader, read_log, trim_log, without_notices

# As printed by TensorFlow 2.21, the last three by its build for CUDA on a machine without a card.
SAID = """WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1 30206 port.cc:153] oneDNN custom operations are on. You may see slightly different
I0000 00:00:1 1 cpu_feature_guard.cc:227] This TensorFlow binary is optimized to use available CPU
To enable the following instructions: AVX2 AVX512F, in other operations, rebuild TensorFlow
I0000 00:00:1 30206 cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will not be
E0000 00:00:1 30206 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: UNKNOWN (303)
W0000 00:00:1 30206 py_utils.cc:38] TF-TRT Warning: Could not find TensorRT
"""


def test_what_tensorflow_says_of_itself_is_left_out() -> None:
    assert without_notices(SAID) == ""


def test_what_a_loop_prints_stays_whole_and_in_order() -> None:
    loop = "step 1\nWARNING:tensorflow:5 out of the last 5 calls triggered tf.function retracing\n"
    assert without_notices(loop + SAID + "the last line") == loop + "the last line"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def add(log: Path, data: bytes) -> None:
    with log.open("ab") as file:
        file.write(data)


needs_posix = pytest.mark.skipif(os.name != "posix", reason="no log is held open here")


@needs_posix
def test_what_is_printed_is_read_once_and_to_its_end_when_the_log_is_gone(log: Path) -> None:
    reader = LogReader(log)
    assert reader.more() == "" and not reader.opened
    add(log, b"one\n")
    assert (reader.more(), reader.more()) == ("one\n", "")
    add(log, "half of an ä".encode()[:-1])
    assert reader.more() == "half of an "
    add(log, "ä".encode()[1:])
    log.unlink()
    assert (reader.more(), reader.more()) == ("ä", "")
    reader.close()


@needs_posix
def test_of_a_log_that_is_trimmed_nothing_is_lost_or_read_twice(log: Path) -> None:
    """Seen: what was printed between the last look and the trimming was left out in silence."""
    reader = LogReader(log)
    half = b"a flood of words\n" * (LARGEST_BYTES // 32)
    add(log, half)
    assert reader.more() == half.decode()
    add(log, half)
    trim_log(log, reader)
    add(log, b"after it\n")
    assert reader.more() == f"{half.decode()}after it\n"
    assert reader.more() == ""
    reader.close()
    assert read_log(log).endswith("after it\n"), "and what is kept has both"


@needs_posix
def test_on_the_processor_what_tensorflow_says_of_itself_is_not_read(log: Path) -> None:
    add(log, SAID.encode() + b"step 1\n")
    for device, read in (("cpu", "step 1\n"), ("gpu", f"{SAID}step 1\n")):
        reader = LogReader(log, device)
        assert reader.more() == read
        reader.close()


@needs_posix
def test_of_a_flood_that_nobody_reads_the_beginning_is_kept_and_that_is_said(log: Path) -> None:
    reader = LogReader(log)
    for _ in range(3):
        add(log, b"x" * LARGEST_BYTES + b"y")
        trim_log(log, reader)
    text = reader.more()
    assert "more was printed" in text and text.count("x") <= LARGEST_BYTES + 20_000
    add(log, b"after it\n")
    assert reader.more() == "after it\n"
    reader.close()
