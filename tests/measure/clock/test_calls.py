"""Python calls: exact, the same every time, and nothing where another profiler is at work.

Tier: make test.
"""

from __future__ import annotations

import cProfile
import functools
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.clock.calls import CallCounter, LineSeconds
from labkit.measure.clock.events import Events
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.collector import CollectorProbe
from labkit.record.source_line import LINE, NESTED
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import context_of

tf: ModuleType = pytest.importorskip("tensorflow")


def inner() -> None:
    abs(-1)


def counted(step: Callable[[], object]) -> dict[str, float]:
    counter = CallCounter()
    counter.start()
    step()
    return counter.stop()


def test_every_call_is_counted_and_none_of_the_kits() -> None:
    def step() -> None:
        for _ in range(7):
            inner()

    found = counted(step)
    line = inner.__code__.co_firstlineno
    assert found["python_calls"] == 8 and found["c_calls"] == 7
    assert found[f"calls/test_calls.py:{line} inner"] == 7


def test_a_healthy_train_step_counts_the_same_every_time() -> None:
    weights = tf.Variable(tf.ones([8, 2]))

    @tf.function
    def train(rows: object) -> object:
        weights.assign_sub(0.01 * tf.ones([8, 2]))
        return rows @ weights  # type: ignore[operator]

    def step() -> object:
        return train(tf.ones([4, 8]))

    for _ in range(3):
        step()
    found = [counted(step) for _ in range(10)]
    assert all(each == found[0] for each in found) and found[0]["python_calls"] > 100


def test_a_checkpoint_list_that_grows_costs_more_calls_every_save(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(weight=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=None)
    for _ in range(3):
        manager.save()
    found = [counted(manager.save) for _ in range(4)]
    assert found[3]["python_calls"] > found[0]["python_calls"] + 100
    growth = {name: found[3].get(name, 0) - found[0].get(name, 0) for name in found[3]}
    functions = {name: value for name, value in growth.items() if name.startswith("calls/")}
    assert "text_format.py" in max(functions, key=lambda name: functions[name])


def test_nothing_is_counted_beside_another_profiler_which_stays() -> None:
    seen: list[str] = []

    def other(frame: object, event: str, argument: object) -> None:
        seen.append(event)

    sys.setprofile(other)
    try:
        found = counted(inner)
        kept = sys.getprofile()
    finally:
        sys.setprofile(None)
    assert found == {} and kept is other and "call" in seen


def test_a_loop_that_profiles_itself_is_let_and_either_counted_or_not() -> None:
    profiles = []

    def step() -> None:
        profile = cProfile.Profile()
        profile.enable()
        inner()
        profile.disable()
        profiles.append(profile)

    found = counted(step)
    # Before Python 3.12 the loop's profiler takes our place; from then on both are at work.
    assert (found == {}) == (sys.version_info < (3, 12))
    assert any("inner" in str(entry.code) for entry in profiles[0].getstats())  # type: ignore[attr-defined]
    assert sys.getprofile() is None


def test_a_loop_that_leaves_its_profiler_on_keeps_it() -> None:
    def other(frame: object, event: str, argument: object) -> None: ...

    try:
        assert counted(lambda: sys.setprofile(other)) == {}
        assert sys.getprofile() is other
    finally:
        sys.setprofile(None)
    assert counted(inner)["python_calls"] == 1


@pytest.mark.parametrize("on", [True, False])
def test_whether_collections_are_on_is_the_loop_s_own_before_within_and_after(on: bool) -> None:
    seen = []

    def step() -> None:
        seen.append(gc.isenabled())
        gc.disable() if seen[0] else gc.enable()

    (gc.enable if on else gc.disable)()
    try:
        counted(step)
        assert seen == [on] and gc.isenabled() is not on
    finally:
        gc.enable()


def test_what_a_collection_calls_is_not_counted_and_what_comes_after_it_is() -> None:
    class Circle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            inner()

    def step() -> None:
        inner()
        gc.collect()
        inner()

    timers = Timers(time.perf_counter)
    probe = CollectorProbe(context_of(timers, Events()))
    gc.collect()
    kept = [Circle() for _ in range(40)]
    kept.clear()
    counter = CallCounter(timers)
    counter.start()
    step()
    found = counter.stop()
    probe.close()
    assert sum(n for name, n in found.items() if name.endswith(" inner")) == 2
    assert sum(n for name, n in found.items() if name.endswith(" __del__")) == 0


def wrapped(function: Callable[[], object]) -> Callable[[], object]:
    def around() -> object:
        return function()  # the line that calls the next

    return around


def deepest(step: Callable[[], object]) -> dict[str, float]:
    return {name: value for name, value in counted(step).items() if name.startswith(NESTED)}


def test_a_chain_of_wrappers_is_as_deep_as_it_is_long_and_told_with_its_line() -> None:
    chain: Callable[[], object] = inner
    for _ in range(6):
        chain = wrapped(chain)
    lines = Path(__file__).read_text().splitlines()
    number = next(n for n, line in enumerate(lines, start=1) if "calls the next" in line)
    found = deepest(lambda: [chain(), chain()])  # one after the other is no deeper
    assert found == {f"{NESTED}{__file__}:{number}": 6}


def test_a_recursion_is_as_deep_as_its_longest_way_down() -> None:
    def fibonacci(number: int) -> int:
        return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)

    assert list(deepest(lambda: fibonacci(8)).values()) == [8]


def test_what_does_not_call_itself_has_no_depth() -> None:
    assert deepest(lambda: [inner() for _ in range(9)]) == {}


def test_stopping_what_was_never_started_gives_nothing() -> None:
    assert CallCounter().stop() == {}


def test_a_packages_file_is_named_from_its_package_on_and_the_readers_by_its_name() -> None:
    names = SourceNames()
    assert names.short(tf.__file__) == "tensorflow/__init__.py"
    assert names.short(__file__) == "test_calls.py"
    assert names.short("<frozen posixpath>") == "<frozen posixpath>"
    rewritten = ["/tmp/__autograph_generated_fileab1.py", "/tmp/__autograph_generated_filecd2.py"]
    assert {names.short(each) for each in rewritten} == {"<autograph>"}


def test_the_readers_file_is_no_packages_and_not_the_kits() -> None:
    names = SourceNames()
    assert names.is_readers(__file__) and names.is_readers("/tmp/loop.py")
    for other in (tf.__file__, cProfile.__file__, "<string>", "<built-in>", "<frozen os>"):
        assert not names.is_readers(other)
    from labkit.causes import graph_growth
    from labkit.measure.clock import calls

    assert not names.is_readers(calls.__file__)
    assert names.is_readers(graph_growth.__file__)


def test_the_reader_s_line_that_a_patched_function_is_called_from_is_told() -> None:
    timers = Timers(time.perf_counter)

    library: dict[str, Any] = {}
    code = "def save(name):\n    return str(name)\ndef dressed(name):\n    return save(name)\n"
    exec(compile(code, "<library>", "exec"), library)
    dressed = functools.update_wrapper(library["dressed"], library["save"])
    timers.watch(dressed, timers.add("saving", "saving"))
    timers.watch(abs, timers.add("counting", "counting"))
    counter = CallCounter(timers)
    counter.start()
    dressed("a")
    for _ in range(3):
        twice = dressed("b"), abs(-1)
    found = counter.stop()
    assert twice == ("b", 1)
    first = line_of('dressed("a")')
    told = {name: seconds for name, seconds in found.items() if name.startswith(LINE)}
    assert list(told) == [
        f"{LINE}saving_seconds/{__file__}:{first}",
        f"{LINE}saving_seconds/{__file__}:{first + 2}",
        f"{LINE}counting_seconds/{__file__}:{first + 2}",
    ]
    assert all(seconds > 0 for seconds in told.values())


def test_each_second_of_a_line_counts_once_for_the_innermost_function() -> None:
    clock = OwnedClock()
    lines = LineSeconds(SourceNames(), clock)
    frame, outer, inner = sys._getframe(), object(), object()
    lines.enter(outer, 1, frame)
    clock.pass_ms(20)
    lines.enter(inner, 2, frame)
    clock.pass_ms(50)
    lines.leave(object())  # of neither
    lines.leave(inner)
    clock.pass_ms(20)
    lines.leave(outer)
    clock.pass_ms(50)
    lines.enter(inner, 2, frame)
    lines.leave(inner)
    seconds = dict.fromkeys((1, 2), 0.0)
    for (place, _, _), found in lines.seconds.items():
        seconds[place] += found
    assert seconds == pytest.approx({1: 0.04, 2: 0.05})


def line_of(code: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return 1 + next(at for at, line in enumerate(lines) if line.strip() == code)
