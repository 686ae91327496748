"""The step file: what is committed is there for every reader, whatever happens to the writer."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench.stepfile import StepFileReader, StepFileWriter
from labkit.measure.recorder import Recorder
from labkit.record import LabkitError


def write(writer: StepFileWriter, *numbers: float) -> None:
    """Write these numbers from the start of the file, and commit them as rows of two."""
    for place, number in enumerate(numbers):
        writer.rows[place] = number
    writer.committed[0] = len(numbers) // 2


def test_a_reader_sees_rows_as_they_are_committed(tmp_path: Path) -> None:
    path = str(tmp_path / "steps")
    writer = StepFileWriter(path, columns=2, capacity=10)
    reader = StepFileReader(path)
    assert reader.count == 0
    write(writer, 1.0, 2.0, 3.0, 4.0)
    assert reader.count == 2
    assert list(reader.column(1, 0, 10)) == [2.0, 4.0]


def test_a_row_that_is_not_committed_is_not_seen(tmp_path: Path) -> None:
    path = str(tmp_path / "steps")
    writer = StepFileWriter(path, columns=2, capacity=10)
    writer.rows[0] = 9.0
    reader = StepFileReader(path)
    assert reader.count == 0 and len(reader.column(0, 0, 10)) == 0


def test_a_full_file_refuses_another_row(tmp_path: Path) -> None:
    writer = StepFileWriter(str(tmp_path / "steps"), columns=2, capacity=1)
    recorder = Recorder(itertools.count().__next__, writer)
    recorder.step(lambda: None)
    with pytest.raises(ValueError):
        recorder.step(lambda: None)
    assert writer.committed[0] == 1


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "steps"
    path.write_bytes(b"something else" * 20)
    with pytest.raises(LabkitError, match="no step file"):
        StepFileReader(str(path))


def test_a_detached_reader_keeps_the_rows_and_lets_the_file_go(tmp_path: Path) -> None:
    path = str(tmp_path / "steps")
    writer = StepFileWriter(path, columns=2, capacity=5)
    write(writer, 1.0, 2.0)
    reader = StepFileReader(path)
    reader.detach()
    write(writer, 1.0, 2.0, 3.0, 4.0)
    assert reader.count == 1 and list(reader.column(0, 0, 9)) == [1.0]


def test_a_killed_writer_loses_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "steps")
    program = (
        "import os, sys\n"
        "from labkit.bench.stepfile import StepFileWriter\n"
        "writer = StepFileWriter(sys.argv[1], 2, 1000)\n"
        "for i in range(500):\n"
        "    writer.rows[2 * i] = i; writer.rows[2 * i + 1] = 2 * i; writer.committed[0] = i + 1\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], check=False)
    assert done.returncode == -signal.SIGKILL
    reader = StepFileReader(path)
    assert reader.count == 500 and list(reader.column(1, 498, 500)) == [996.0, 998.0]
