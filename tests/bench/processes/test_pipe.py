"""A pipe is read within some time, whichever way the system allows. Tier: make test."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest

from labkit.bench.bench import Bench
from labkit.bench.processes import pipe
from labkit.bench.processes.pipe import Incoming, ReadAheadPipe, SelectedPipe
from tests.running import FAULTY, came, ended, stepped

BOTH = pytest.mark.parametrize("kind", [SelectedPipe, ReadAheadPipe])
Kind = Callable[[int], Incoming]


@BOTH
def test_what_comes_is_read_and_where_nothing_comes_the_wait_ends(kind: Kind) -> None:
    ours, theirs = os.pipe()
    reader = kind(ours)
    began = time.monotonic()
    assert reader.read(0.2) is None
    assert time.monotonic() - began >= 0.19
    os.write(theirs, b"one\n")
    assert reader.read(5) == b"one\n"
    assert reader.read(0.0) is None
    os.close(theirs)
    assert reader.read(5) == b""
    reader.close()


@BOTH
def test_what_was_written_before_the_end_is_read_before_it(kind: Kind) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"last words")
    os.close(theirs)
    reader = kind(ours)
    assert [reader.read(5), reader.read(5)] == [b"last words", b""]
    reader.close()


@BOTH
def test_a_reader_that_waits_is_woken_by_what_comes(kind: Kind) -> None:
    ours, theirs = os.pipe()
    reader = kind(ours)
    timer = threading.Timer(0.2, os.write, (theirs, b"late"))
    timer.start()
    assert reader.read(20) == b"late"
    timer.join()
    os.close(theirs)
    reader.close()


def test_a_thread_that_reads_ahead_ends_with_the_other_end() -> None:
    ours, theirs = os.pipe()
    reader = ReadAheadPipe(ours)
    reader.close()
    os.close(theirs)
    reader._thread.join(5)
    assert not reader._thread.is_alive()
    with pytest.raises(OSError):
        os.fstat(ours)


def test_a_bench_works_without_waiting_for_pipes(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: a run, a Stop, an end in an error, and no thread is left."""
    monkeypatch.setattr(pipe, "CAN_SELECT", False)
    assert len(ended(bench.start(FAULTY, steps=30)).snapshot().steps) == 30
    session = stepped(bench.start(FAULTY, steps=1_000_000), 20)
    session.stop()
    assert ended(session).state.name == "stopped"
    raised = ended(bench.start(FAULTY, steps=100, toggles={"fault": "raise"}))
    assert raised.state.name == "failed" and raised.state.traceback
    assert came(lambda: all(each.name != "labkit-words" for each in threading.enumerate()))
