"""The run-queue delay: what other programs took, and nothing that a step waits for itself.

Tier: make test.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.machine import run_queue
from labkit.measure.machine.run_queue import PoolQueueProbe, RunQueueProbe, ThreadDelays
from tests.measure.owned_clock import OwnedClock
from tests.running import open_below

COUNTED = os.path.exists("/proc/self/schedstat")
counted = pytest.mark.skipif(not COUNTED, reason="this system does not count run-queue delays")

BESIDE_A_HOG = """
import os, subprocess, sys, time
from labkit.measure.machine.run_queue import RunQueueProbe

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
hog = subprocess.Popen([sys.executable, "-c", "while True: pass"])
try:
    probe, row = RunQueueProbe(), [0.0, 0.0]
    time.sleep(0.5)
    for body in (*[lambda: sum(range(3_000_000))] * 5, lambda: time.sleep(0.3)):
        # The clock first: a slice that the other takes between the two reads would be delay
        # without wall time, and the turn would look shorter than what it computed.
        began, used = time.perf_counter(), time.thread_time()
        probe.resume()
        body()
        probe.read(row, 0)
        print(time.perf_counter() - began, time.thread_time() - used, *row)
finally:
    hog.kill()
"""


@counted
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a processor of its own")
def test_beside_an_endless_loop_wall_time_minus_delay_is_what_the_step_takes_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BESIDE_A_HOG], capture_output=True, text=True, timeout=60, check=True
    )
    *working, sleeping = (list(map(float, line.split())) for line in done.stdout.splitlines())
    assert all(delay > 0.2 * wall for wall, _, delay, _ in working), "the endless loop took nothing"
    # What the host takes from both is no delay, so the least disturbed turn counts.
    assert min((wall - delay) / used for wall, used, delay, _ in working) == pytest.approx(
        1, abs=0.1
    )
    assert all(thread == pytest.approx(used, rel=0.05) for _, used, _, thread in working)
    wall, _, delay, thread = sleeping
    assert wall - delay > 0.29, "a wait of its own is the step's own"
    assert thread < 0.1 * wall, "who sleeps computes nothing"


def test_the_delays_of_back_to_back_steps_add_up_and_what_lies_between_is_none_of_theirs() -> None:
    clock, delay = OwnedClock(), [0.0]
    recorder = OpenRecorder(clock, [RunQueueProbe(lambda: delay[0], lambda: 2 * delay[0])])
    for pause_ms in (0.0, 0.0, 900.0, 0.0):
        clock.pass_ms(pause_ms)
        delay[0] += pause_ms / 1000
        recorder.begin()
        clock.pass_ms(4)
        delay[0] += 0.002
        recorder.end()
    assert list(recorder.rows[2::4]) == pytest.approx([0.002] * 4)
    assert list(recorder.rows[3::4]) == pytest.approx([0.004] * 4)


def test_where_the_system_does_not_count_it_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run_queue, "TASKS", "/nowhere")
    probe, row = RunQueueProbe(), [0.0, 0.0, 0.0]
    pool = PoolQueueProbe(delays=ThreadDelays("/nowhere"))
    probe.resume()
    probe.read(row, 0)
    pool.read(row, 2)
    assert math.isnan(row[0]) and math.isnan(row[2])
    assert row[1] >= 0, "its processor time every system tells"
    probe.close()


class Threads:
    """The files of some threads, as the system keeps them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.delays = ThreadDelays(str(folder))

    def wait(self, **nanoseconds: int) -> None:
        for name, delay in nanoseconds.items():
            thread = self.folder / (name[1:] if name != "own" else str(threading.get_native_id()))
            thread.mkdir(exist_ok=True)
            (thread / "schedstat").write_text(f"123456 {delay} 7\n")


def test_of_other_threads_the_one_that_waited_most_counts_and_the_steps_own_does_not(
    tmp_path: Path,
) -> None:
    threads = Threads(tmp_path)
    threads.wait(own=5_000, t1=7_000)
    threads.delays.list()  # what came before the loop does not count
    threads.wait(own=900_000, t1=7_100, t2=300_000)
    threads.delays.list()  # the second is new
    assert threads.delays.most() == pytest.approx(100e-9)
    threads.wait(own=990_000, t1=7_600, t2=300_200)
    assert threads.delays.most() == pytest.approx(500e-9)
    assert threads.delays.most() == 0
    threads.delays.close()


def test_a_thread_that_ended_is_forgotten_and_its_file_closed(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    threads.wait(t1=0, t2=0)
    threads.delays.list()
    shutil.rmtree(tmp_path / "1")
    threads.delays.list()
    threads.wait(t2=4_000)
    assert threads.delays.most() == pytest.approx(4e-6)
    assert open_below(tmp_path) == {str(tmp_path / "2" / "schedstat")}
    threads.delays.close()
    assert not open_below(tmp_path)


def test_reading_all_threads_takes_a_small_share_of_the_time_and_no_delay_is_lost() -> None:
    clock, reads = OwnedClock(), []

    class Slow(ThreadDelays):
        def most(self) -> float:
            clock.pass_ms(1)
            reads.append(clock())
            return 1e-3 * (clock() - (reads[-2] if len(reads) > 1 else 0.0))

    probe, row, last = PoolQueueProbe(clock, Slow("/nowhere")), [0.0], 0.0
    for _ in range(1000):
        clock.pass_ms(1)
        probe.read(row, 0)
        last = row[0] if not math.isnan(row[0]) else last
    assert len(reads) <= 0.031 * 1000 + 1
    assert last == pytest.approx(1e-3 * reads[-1])
