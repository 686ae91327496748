"""The step file: what is committed is there for every reader, whatever happens to the writer."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench import private_pages
from labkit.bench.step_file import writer as writing
from labkit.bench.step_file.layout import LARGEST_PIECE_BYTES, PAGE_BYTES, PAGE_ROWS
from labkit.bench.step_file.reader import StepFileReader
from labkit.bench.step_file.writer import StepFileWriter
from labkit.measure.clock.recorder import Recorder
from labkit.record import LabkitError


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "steps")


def write(writer: StepFileWriter, *numbers: float) -> None:
    """Write these numbers from the start of the file, and commit them as rows of two."""
    for place, number in enumerate(numbers):
        writer.rows[place] = number
    writer.committed[0] = len(numbers) // 2


def test_what_a_forked_process_writes_reaches_no_reader(path: str) -> None:
    """A child of the loop that was late took the worker's count back from 25 to 21."""
    writer = StepFileWriter(path, 2, path + "-more")
    write(writer, 1.0, 2.0, 3.0, 4.0)
    child = os.fork()
    if child == 0:
        write(writer, 9.0, 9.0)
        os._exit(int(writer.committed[0] != 1))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    reader = StepFileReader(path, path + "-more")
    assert reader.count == 2 and list(reader.column(0, 0, 2)) == [1.0, 3.0]
    writer.rows[4], writer.committed[0] = 5.0, 3
    assert list(reader.column(0, 0, 3)) == [1.0, 3.0, 5.0]


def test_a_reader_sees_rows_as_they_are_committed(path: str) -> None:
    writer = StepFileWriter(path, 2, path + "-more")
    writer.rows[0] = 9.0
    reader = StepFileReader(path, path + "-more")
    assert reader.count == 0 and len(reader.column(0, 0, 10)) == 0
    write(writer, 1.0, 2.0, 3.0, 4.0)
    assert reader.count == 2
    assert list(reader.column(1, 0, 10)) == [2.0, 4.0]


def record(writer: StepFileWriter, steps: int) -> None:
    """Record steps by a clock that counts on by one whenever it is looked at."""
    recorder = Recorder(itertools.count().__next__, writer)
    for _ in range(steps):
        recorder.step(lambda: None)


def test_a_file_has_no_more_room_than_its_steps_need(tmp_path: Path) -> None:
    path = tmp_path / "steps"
    writer = StepFileWriter(str(path), 60, str(tmp_path / "more"))
    assert path.stat().st_size < 300_000  # for the first steps of a diagnosis
    for _ in range(12):
        writer.more_rows()
    sizes = path.stat().st_size
    writer.more_rows()
    assert path.stat().st_size - sizes <= LARGEST_PIECE_BYTES


def test_rows_are_the_same_over_any_number_of_pieces(path: str) -> None:
    writer = StepFileWriter(path, 2, path + "-more")
    reader = StepFileReader(path, path + "-more")
    steps = 20 * PAGE_ROWS + 3
    record(writer, steps)
    assert reader.count == steps and not os.path.exists(path + "-more")
    assert list(reader.column(0, 0, steps)) == [2 * step + 1 for step in range(steps)]
    assert list(reader.column(0, 5, 7)) == [11, 13] and list(reader.column(0, steps, 9)) == []
    assert set(reader.column(1, 0, steps)) == {1.0}


def test_where_the_first_place_is_full_the_rows_go_on_in_the_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, more = str(tmp_path / "steps"), str(tmp_path / "more")
    small_place(monkeypatch, path, 100_000)
    writer = StepFileWriter(path, 2, more)
    reader = StepFileReader(path, more)
    steps = 30 * PAGE_ROWS
    record(writer, steps)
    assert os.path.getsize(path) <= 100_000 < os.path.getsize(more)
    assert list(reader.column(0, 0, steps)) == [2 * step + 1 for step in range(steps)]
    cut = (os.path.getsize(path) - PAGE_BYTES) // 16
    assert list(reader.column(0, cut - 1, cut + 1)) == [2 * cut - 1, 2 * cut + 1]
    assert list(reader.column(0, cut + 5, cut + 6)) == [2 * cut + 11]
    reader.detach()
    assert list(reader.column(0, 0, steps)) == [2 * step + 1 for step in range(steps)]


def test_where_no_place_has_room_the_sentence_names_both_and_no_step_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, more = str(tmp_path / "steps"), str(tmp_path / "elsewhere" / "more")
    os.mkdir(tmp_path / "elsewhere")
    small_place(monkeypatch, path, 100_000)
    small_place(monkeypatch, more, 100_000)
    writer = StepFileWriter(path, 2, more)
    with pytest.raises(LabkitError) as caught:
        record(writer, 30 * PAGE_ROWS)
    sentence = str(caught.value)
    assert str(tmp_path) in sentence and "elsewhere" in sentence and "No space left" in sentence
    assert "\n" not in sentence
    count = writer.committed[0]
    assert count > PAGE_ROWS and len(StepFileReader(path, more).column(0, 0, count)) == count


def test_no_room_from_the_start_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_place(monkeypatch, str(tmp_path / "steps.part"), 0)
    with pytest.raises(LabkitError, match=r"^There is no room for 512 more steps .*\.$"):
        StepFileWriter(str(tmp_path / "steps"), 10, str(tmp_path / "more"))


def test_a_limit_on_files_is_told_from_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))

    monkeypatch.setattr(writing, "_reserve", refuse)
    with pytest.raises(LabkitError, match=r"; raise the limit on files \(ulimit -f\) or "):
        StepFileWriter(str(tmp_path / "steps"), 10, str(tmp_path / "more"))


def small_place(monkeypatch: pytest.MonkeyPatch, path: str, most_bytes: int) -> None:
    """Let a file grow to so many bytes, as if the place it lies in were full then."""
    reserve = writing._reserve

    def refuse(file: int, at_bytes: int, size: int) -> None:
        if os.readlink(f"/proc/self/fd/{file}") == path and at_bytes + size > most_bytes:
            raise OSError(errno.ENOSPC, "No space left on device")
        reserve(file, at_bytes, size)

    monkeypatch.setattr(writing, "_reserve", refuse)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "steps"
    path.write_bytes(b"something else" * 20)
    with pytest.raises(LabkitError, match="is not a step file"):
        StepFileReader(str(path), "")


def test_a_detached_reader_keeps_the_rows_and_lets_the_file_go(path: str) -> None:
    writer = StepFileWriter(path, 2, path + "-more")
    write(writer, 1.0, 2.0)
    reader = StepFileReader(path, path + "-more")
    reader.detach()
    write(writer, 1.0, 2.0, 3.0, 4.0)
    assert reader.count == 1 and list(reader.column(0, 0, 9)) == [1.0]


@pytest.mark.parametrize("rows", [0, 1, 100])
def test_a_detached_reader_has_each_row_in_its_place(
    path: str, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(private_pages, "COPIED_ROWS", 7)
    writer = StepFileWriter(path, 2, path + "-more")
    write(writer, *map(float, range(2 * rows)))
    reader = StepFileReader(path, path + "-more")
    reader.detach()
    assert list(reader.column(0, 0, rows)) == list(range(0, 2 * rows, 2))
    assert list(reader.column(1, 0, rows)) == list(range(1, 2 * rows, 2))
    assert reader.kept_bytes == 16 * rows


def test_a_killed_writer_loses_nothing(path: str) -> None:
    program = (
        "import os, sys\n"
        "from labkit.bench.step_file.writer import StepFileWriter\n"
        "writer = StepFileWriter(sys.argv[1], 2, sys.argv[1] + '-more')\n"
        "for i in range(500):\n"
        "    writer.rows[2 * i] = i; writer.rows[2 * i + 1] = 2 * i; writer.committed[0] = i + 1\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], check=False)
    assert done.returncode == -signal.SIGKILL
    reader = StepFileReader(path, path + "-more")
    assert reader.count == 500 and list(reader.column(1, 498, 500)) == [996.0, 998.0]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs /proc")
def test_who_writes_to_all_that_is_open_changes_no_step(tmp_path: Path) -> None:
    path = tmp_path / "steps"
    writer = StepFileWriter(str(path), 2, str(tmp_path / "more"))
    ours = [
        int(number) for number in os.listdir("/proc/self/fd")
        if os.path.realpath(f"/proc/self/fd/{number}") == str(path)
    ]  # fmt: skip
    for descriptor in ours:
        os.write(descriptor, b"garbage\n{}\n[1]\n")
    record(writer, 2 * PAGE_ROWS)
    reader = StepFileReader(str(path), str(tmp_path / "more"))
    assert reader.count == 2 * PAGE_ROWS and list(reader.column(0, 0, 3)) == [1.0, 3.0, 5.0]
