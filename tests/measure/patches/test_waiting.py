"""Sleeping and waiting for other threads. Tier: make test."""

from __future__ import annotations

import queue
import threading
import time

from tests.measure.watching import Watching

PROBES = ("waiting",)


def test_a_sleep_is_booked_as_sleeping(watching: Watching) -> None:
    whole = watching.step(lambda: time.sleep(0.01))
    assert set(watching.seconds()) == {"sleeping"}
    assert 0.9 * whole < watching.seconds()["sleeping"] < whole


def test_a_batch_from_a_thread_of_the_loops_own_is_waited_for(watching: Watching) -> None:
    batches: queue.Queue[int] = queue.Queue()
    sleep = vars(time.sleep)["__wrapped__"]

    def load() -> None:
        sleep(0.02)
        batches.put(1)

    def step() -> None:
        thread = threading.Thread(target=load)
        # On a busy machine the start alone may take as long as the wait.
        thread.start()
        began = time.perf_counter()
        assert batches.get() == 1
        waited.append(time.perf_counter() - began)

    waited: list[float] = []
    whole = watching.step(step)
    assert 0.8 * waited[0] < watching.seconds()["waiting for another thread"] < whole
    assert "sleeping" not in watching.seconds()


def test_what_another_thread_sleeps_is_not_the_steps(watching: Watching) -> None:
    def step() -> None:
        thread = threading.Thread(target=time.sleep, args=(0.01,))
        thread.start()
        while thread.is_alive():
            pass

    watching.step(step)
    assert "sleeping" not in watching.seconds()


def test_a_wait_within_another_place_stays_there(watching: Watching) -> None:
    other = watching.timers.add("other", "another place")

    def step() -> None:
        watching.timers.enter(other)
        time.sleep(0.005)
        watching.timers.leave()

    watching.step(step)
    assert set(watching.seconds()) == {"another place"}


def test_work_that_waits_for_nothing_books_nothing(watching: Watching) -> None:
    full: queue.SimpleQueue[int] = queue.SimpleQueue()
    watching.step(lambda: (full.put(1), full.get(), sum(range(1000))))
    assert watching.seconds() == {}
