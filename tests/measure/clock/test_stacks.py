"""Stacks: the line whose time grew comes out on top, and the places add up to the step.

Tier: make test.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import psutil
import pytest

from labkit.measure.clock import stacks
from labkit.measure.clock.stacks import StackSampler
from labkit.measure.machine.canary import other_threads_seconds, processors_used
from tests.causes.curves import assert_clock

tf: ModuleType = pytest.importorskip("tensorflow")
pytest.importorskip("pyinstrument")


def window(step: Callable[[], object], steps: int) -> dict[str, float]:
    sampler = StackSampler()
    sampler.start()
    for _ in range(steps):
        step()
    return sampler.stop(steps)


def grown_most(early: dict[str, float], late: dict[str, float]) -> str:
    return max(late, key=lambda place: late[place] - early.get(place, 0.0))


def line_of(text: str) -> int:
    """Return the number of this file's only line that ends so."""
    with open(__file__, encoding="utf-8") as file:
        (number,) = [n for n, line in enumerate(file, 1) if line.rstrip().endswith(text)]
    return number


def test_an_array_appended_to_grows_on_its_line_in_numpy() -> None:
    state = {"rows": np.zeros((0, 256), np.float32)}
    new = np.ones((64, 256), np.float32)

    def step() -> None:
        state["rows"] = np.append(state["rows"], new, axis=0)  # the line that grows
        tf.reduce_sum(new)

    early = window(step, 20)
    for _ in range(300):
        step()
    line = line_of("# the line that grows")
    place = grown_most(early, window(step, 20))
    assert place == f"stack/test_stacks.py:{line} step > numpy.append"


@pytest.mark.full
def test_a_collection_of_a_growing_heap_is_what_grows() -> None:
    notes: list[object] = []

    def step() -> None:
        gc.collect()  # the heap that grows
        tf.zeros([2])

    early = window(step, 3)
    notes.extend({"k": [number]} for number in range(400_000))
    line = line_of("# the heap that grows")
    assert grown_most(early, window(step, 3)).startswith(f"stack/test_stacks.py:{line} step")


def test_larger_batches_grow_where_the_tf_function_is_called() -> None:
    weights, state = tf.ones([64, 64]), {"rows": 100}

    @tf.function(input_signature=[tf.TensorSpec([None, 64])])
    def train(rows: Any) -> Any:
        for _ in range(6):
            rows = tf.tanh(rows @ weights)
        return rows

    def step() -> None:
        rows = tf.ones([state["rows"], 64])
        train(rows)  # the batch that grows

    step()
    early = window(step, 30)
    state["rows"] = 8_000
    line = line_of("# the batch that grows")
    late = window(step, 10)
    assert grown_most(early, late).startswith(f"stack/test_stacks.py:{line} step > tensorflow.")


def test_the_readers_own_work_is_booked_on_its_own_line_without_a_callee() -> None:
    def step() -> int:
        total = 0
        for number in range(300_000):
            total += abs(number)  # own work
        return total

    found = window(step, 3)
    most = max(found, key=lambda place: found[place])
    assert most.startswith("stack/test_stacks.py:") and "step" in most
    assert set(found) <= {
        f"stack/test_stacks.py:{line_of('# own work') - back} step{callee}"
        for back in (0, 1, 2) for callee in ("", " > abs")
    } | {place for place in found if found[place] < 0.1 * found[most]}  # fmt: skip


def test_the_places_add_up_to_the_time_that_passed() -> None:
    def step() -> None:
        sum(abs(number) for number in range(200_000))

    shares = []

    def sample() -> None:
        for _ in range(4):
            began = time.perf_counter()
            found = window(step, 5)
            shares.append(5 * sum(found.values()) / (time.perf_counter() - began))

    # The time of sampling itself is counted nowhere: a tenth of all on a thread's own short stack,
    # up to half of it under pytest's 60 frames. Nor is what other programs took of a try.
    thread = threading.Thread(target=sample)
    thread.start()
    thread.join()
    assert len(shares) == 4
    assert max(shares) > 0.7 and all(share <= 1.02 for share in shares)


def test_the_kits_own_time_around_a_step_is_no_place() -> None:
    from labkit.measure.memory.live_objects import _with_subclasses

    found = window(lambda: [list(_with_subclasses(object)) for _ in range(20)], 2)
    assert not [place for place in found if "live_objects" in place]


def test_what_the_kit_asks_the_machine_is_no_work_of_the_line_it_stands_in() -> None:
    """Seen: `crane.py:91 main > psutil.cpu_times` among what a loop does longer."""
    found = window(lambda: [processors_used() for _ in range(200)], 5)
    assert not [place for place in found if "psutil" in place or "_time" in place]
    found = window(lambda: [psutil.cpu_times() for _ in range(200)], 5)
    assert [place for place in found if "psutil" in place], "the reader's own call is one"
    found = window(lambda: [other_threads_seconds() for _ in range(2_000)], 5)
    assert not [place for place in found if "_time" in place]
    found = window(lambda: [time.process_time() for _ in range(2_000)], 5)
    assert [place for place in found if "process_time" in place]


def test_without_the_package_it_gives_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "PROFILER", "not_there_at_all.low")
    sampler = StackSampler()
    sampler.start()
    assert sampler.stop() == {} and sampler.missing == ["not_there_at_all"]


def test_with_the_package_nothing_is_missing() -> None:
    assert StackSampler().missing == []


def test_beside_another_profiler_it_gives_nothing_and_leaves_it() -> None:
    def other(frame: object, event: str, argument: object) -> None: ...

    sys.setprofile(other)
    try:
        assert window(lambda: None, 1) == {} and sys.getprofile() is other
    finally:
        sys.setprofile(None)


def test_a_loop_that_starts_its_own_profiler_keeps_it() -> None:
    def other(frame: object, event: str, argument: object) -> None: ...

    sampler = StackSampler()
    sampler.start()
    sys.setprofile(other)
    try:
        assert sampler.stop() == {} and sys.getprofile() is other
        sampler.start()
        assert sampler.stop() == {}
    finally:
        sys.setprofile(None)
    sampler.start()
    sum(abs(number) for number in range(100_000))
    assert sampler.stop()


def test_a_loop_that_ends_all_profiling_is_no_trouble() -> None:
    assert window(lambda: sys.setprofile(None), 1) == {}
    assert window(lambda: sum(range(2_000_000)), 2)


def test_a_loop_that_uses_the_same_package_is_not_disturbed() -> None:
    import pyinstrument

    def step() -> None:
        with pyinstrument.Profiler():
            sum(abs(number) for number in range(100_000))

    step()
    window(step, 2)
    assert sys.getprofile() is None
    step()


def test_a_method_that_is_sampled_lets_go_of_what_its_names_let_go_of() -> None:
    class Held:
        pass

    class Training:
        def step(self) -> bool:
            held = Held()
            watch = weakref.ref(held)
            sum(abs(number) for number in range(100_000))
            del held
            return watch() is None

    gone = []
    training = Training()
    found = window(lambda: gone.append(training.step()), 4)
    assert gone == [True] * 4
    assert any(" step" in place for place in found)


def test_a_deep_recursion_ends_while_it_is_sampled() -> None:
    """Found: at a depth of 60,000 each sample took so long that a step of 30 ms never ended."""
    depth, before = 20_000, sys.getrecursionlimit()

    def down(number: int) -> int:
        return 0 if number == 0 else 1 + down(number - 1)

    sys.setrecursionlimit(100_000)
    try:
        began = time.perf_counter()
        down(depth)
        alone = time.perf_counter() - began
        began = time.perf_counter()
        found = window(lambda: down(depth), 3)
        watched = time.perf_counter() - began
    finally:
        sys.setrecursionlimit(before)
    assert_clock(watched / 3 < 20 * alone, (watched, alone))
    assert f"test_stacks.py:{line_of('1 + down(number - 1)')} down" in max(
        found, key=found.__getitem__
    )
