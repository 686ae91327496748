"""The allocator probe: TensorFlow's own byte count, and its own dumps told as events.

The last test makes a real pool run short in a process of its own, because TensorFlow chooses its
allocator once. Tier: make test.
"""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import FaultProbe
from labkit.measure.clock.timers import Timers
from labkit.measure.memory import allocator
from labkit.measure.memory.allocator import DUMP_VARIABLE, AllocatorProbe
from tests.measure.alone import said_alone
from tests.measure.watching import context_of, numbers_of

tf: ModuleType = pytest.importorskip("tensorflow")
KB = 1024


def made(events: Events, tensorflow: Any = tf) -> AllocatorProbe:
    return AllocatorProbe(context_of(Timers(time.perf_counter), events, tensorflow))


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where TensorFlow is told to write its dumps: a folder that does not exist yet."""
    chosen = tmp_path / "pool" / "map"
    monkeypatch.setenv(DUMP_VARIABLE, str(chosen))
    return chosen


def write_dump(prefix: Path, ago: float, data: bytes | None = None) -> Path:
    """Leave a dump as TensorFlow does: two blocks of three in use, written some seconds ago."""
    from tensorflow.core.protobuf.bfc_memory_map_pb2 import MemoryDump

    dump = MemoryDump()
    for address, size, used in ((0, 4, True), (4, 8, False), (12, 4, True)):
        dump.chunk.add(address=address * KB, size=size * KB, in_use=used)
    path = prefix.with_name(f"{prefix.name}_bfc.{int((time.time() - ago) * 1e6)}")
    path.write_bytes(dump.SerializeToString() if data is None else data)
    # A folder's time moves in ticks of some milliseconds; a real wait is longer, a test is not.
    later = time.time_ns() + 1_000_000_000
    os.utime(prefix.parent, ns=(later, later))
    return path


ALONE = """
import tensorflow as tf
from labkit.measure.clock.events import Events
from tests.measure.memory.test_allocator import made

probe = made(Events())

def read():
    row = [0.0, 0.0]
    probe.read(row, 0)
    return row

tf.zeros([1])
before = read()
tensor = tf.zeros([1 << 20])
info = tf.config.experimental.get_memory_info("CPU:0")
assert read() == [info["current"], info["peak"]]
assert read()[0] - before[0] == 4 << 20, (read(), before)
peak = read()[1]
del tensor
assert read() == [before[0], peak] and peak >= before[0] + (4 << 20), (read(), peak)
print("all well")
"""


def test_bytes_in_use_are_tensorflows_own_count() -> None:
    # In a process of its own: threads that earlier tests left behind here make tensors, too. And
    # without oneDNN, which not every processor has by default, another pool than this counts none.
    assert said_alone(ALONE, TF_CPU_ALLOCATOR_USE_BFC="1") == ["all well"]


def test_an_allocator_that_counts_nothing_is_not_measured() -> None:
    def refuse(_device: str) -> None:
        raise ValueError("no memory stats")

    silent = SimpleNamespace(
        config=SimpleNamespace(experimental=SimpleNamespace(get_memory_info=refuse))
    )
    probe = made(Events(), silent)
    assert all(math.isnan(number) for _ in range(2) for number in numbers_of(probe))


def test_a_wait_that_ended_well_is_told_once_with_the_pool(prefix: Path, events: Events) -> None:
    probe = made(events)
    dumps = [write_dump(prefix, ago=1.5), write_dump(prefix, ago=1.4)]
    numbers_of(probe)
    stall, drawn = events.take()
    assert stall.kind == "stall" and "waited 1.5 s and then found one" in stall.text
    assert stall.detail["seconds"] == pytest.approx(1.5, abs=0.5)
    assert stall.detail["failed"] is False
    assert drawn.kind == "memory_map" and drawn.detail["map"] == "g#w.g#"
    assert drawn.detail["free_chunks"] == 1
    numbers_of(probe)
    assert events.take() == [] and all(dump.exists() for dump in dumps)


def test_dumps_of_an_earlier_run_and_files_named_like_them_are_the_readers_own(
    prefix: Path, events: Events
) -> None:
    """Seen: in a folder of the reader's own, notes and older dumps were removed."""
    prefix.parent.mkdir()
    older = write_dump(prefix, ago=3_600)
    probe = made(events)
    notes = prefix.with_name(f"{prefix.name}_notes.txt")
    notes.write_text("mine")
    newer = write_dump(prefix, ago=1.5)
    numbers_of(probe)
    stall, _ = events.take()
    assert "waited 1.5 s" in stall.text
    assert notes.read_text() == "mine" and older.exists() and newer.exists()


def test_a_wait_that_ended_in_an_error_is_told_once(prefix: Path, events: Events) -> None:
    probe = made(events)
    assert isinstance(probe, FaultProbe)
    write_dump(prefix, ago=10)
    probe.failed(MemoryError())
    probe.failed(MemoryError())
    stall, _ = events.take()
    assert stall.detail["failed"] is True and "gave up" in stall.text


def test_steps_without_a_dump_and_foreign_files_are_quiet(prefix: Path, events: Events) -> None:
    probe = made(events)
    numbers_of(probe)
    (prefix.parent / "notes.txt").write_text("mine")
    os.utime(prefix.parent, ns=(0, time.time_ns() + 1_000_000_000))
    numbers_of(probe)
    assert events.take() == []
    assert (prefix.parent / "notes.txt").exists()


def test_without_tensorflows_setting_nothing_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, events: Events
) -> None:
    monkeypatch.delenv(DUMP_VARIABLE, raising=False)
    probe = made(events)
    numbers_of(probe)
    probe.failed(MemoryError())
    assert events.take() == []


@pytest.mark.parametrize("data", [b"", b"no protocol buffer at all"])
def test_a_dump_that_cannot_be_read_still_tells_of_the_wait(
    prefix: Path, data: bytes, events: Events
) -> None:
    probe = made(events)
    write_dump(prefix, ago=1, data=data)
    numbers_of(probe)
    assert next(happening.kind for happening in events.take()) == "stall"


def test_a_tensorflow_without_the_dumps_format_is_named_and_the_wait_still_told(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, events: Events
) -> None:
    monkeypatch.setattr(allocator, "DUMP_FORMAT", "tensorflow.core.protobuf.not_there_pb2")
    probe = made(events)
    assert probe.missing == ["tensorflow.core.protobuf.not_there_pb2"]
    write_dump(prefix, ago=1)
    numbers_of(probe)
    assert [happening.kind for happening in events.take()] == ["stall"]


def test_this_tensorflow_has_the_dumps_format() -> None:
    assert made(Events()).missing == []


def test_a_run_that_always_waits_keeps_a_bounded_number_of_maps(
    prefix: Path, events: Events
) -> None:
    probe = made(events)
    for _ in range(allocator.MOST_MAPS + 5):
        write_dump(prefix, ago=0.1)
        probe.failed(MemoryError())
    kinds = [happening.kind for happening in events.take()]
    assert kinds.count("memory_map") == allocator.MOST_MAPS
    assert kinds.count("stall") == allocator.MOST_MAPS + 5


def test_chunks_that_do_not_touch_are_regions_of_their_own() -> None:
    chunks = [
        SimpleNamespace(address=address * KB, size=4 * KB, in_use=True) for address in (20, 0, 4)
    ]
    assert allocator.memory_map(chunks).regions == (((8 * KB, 8 * KB),), ((4 * KB, 4 * KB),))


REAL = """
import threading
import tensorflow as tf
from tensorflow.core.protobuf.bfc_memory_map_pb2 import MemoryDump
from labkit.measure.memory.allocator import memory_map
from labkit.measure.clock.events import Events
from tests.measure.memory.test_allocator import made

events = Events()
probe = made(events)
said = []
probe._tell_of_map = lambda dump: said.append(MemoryDump.FromString(dump.read_bytes()))
blocks = [tf.zeros([256 * 1024]) for _ in range(26)]  # of 1 MB, in a pool of 32
kept = blocks[::2]
del blocks
threading.Timer(0.4, kept.clear).start()
large = tf.zeros([10 * 256 * 1024])
probe.read([0.0], 0)
(stall,) = events.take()
assert 0.3 < stall.detail["seconds"] < 3, stall
(dump,) = said
made = memory_map(dump.chunk)
stats = dump.stats
assert made.in_use_bytes == stats.bytes_in_use, (made.in_use_bytes, stats)
assert abs(made.fragmentation - stats.fragmentation_metric) < 1e-3, (made.fragmentation, stats)
bins = {b.bin: b for b in dump.bin_summary}
free = sum(b.total_chunks_in_bin - b.total_chunks_in_use for b in bins.values())
assert made.free_chunks == free, (made.free_chunks, free)
print("all well")
"""


@pytest.mark.full
def test_a_real_pool_that_runs_short_agrees_with_tensorflows_own_figures(prefix: Path) -> None:
    variables = {"TF_CPU_ALLOCATOR_USE_BFC": "1", "TF_CPU_BFC_MEM_LIMIT_IN_MB": "32"}
    assert said_alone(REAL, **variables)[-1:] == ["all well"]
