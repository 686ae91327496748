"""A test of one's own: it fails where a loop slows down or leaks, and nowhere else.

Tier: make test, in turn.
"""

from __future__ import annotations

import ctypes
import math
import re
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import labkit as lk
from labkit.lab.own_loop.alarms.confirmed import Confirmed
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import LabkitError, Ledger, Memory, Verdict
from labkit.record.verdict import Label
from tests.causes.curves import assert_clock
from tests.lab.loop_file import GROWING_GRAPH, HEALTHY, loop_of
from tests.made_diagnosis import made_diagnosis
from tests.patched_functions import changed, patched_functions

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]

Step = Callable[[], object]


class Made:
    """A make_step that counts how often it was called, and how many steps each loop did.

    Args:
        of: Makes the loop of a number, counted from 0.
    """

    def __init__(self, of: Callable[[int], Step]) -> None:
        self.of = of
        self.steps: list[int] = []

    def __call__(self) -> Step:
        number = len(self.steps)
        self.steps.append(0)
        step = self.of(number)

        def counted() -> object:
            self.steps[number] += 1
            return step()

        return counted


def keeper(kept: Any) -> Step:
    """Return a step that takes the same time always, and puts something away each time."""
    matrix = tf.ones([60, 60])

    def step() -> None:
        kept.append(tf.reduce_sum(tf.matmul(matrix, matrix)))

    return step


def resting(_number: int = 0) -> Step:
    return keeper(deque(maxlen=1))


def slowing(_number: int = 0) -> Step:
    """Return a step that does more and more, and keeps nothing."""
    matrix = tf.ones([60, 60])
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        for _ in range(4 + done // 5):
            tf.matmul(matrix, matrix)

    return step


def test_a_healthy_loop_is_steady_and_is_run_no_longer_than_asked() -> None:
    made = Made(lambda _: loop_of(HEALTHY)())
    said = lk.assert_steady(made, leaking=True)
    assert said.diagnosis.memory.label == "flat" and not said.diagnosis.verdict.slower
    assert made.steps in ([200], [400])  # on a noisy machine it is looked at for longer


@pytest.mark.full
def test_a_graph_that_grows_fails_with_the_whole_diagnosis() -> None:
    with pytest.raises(AssertionError) as failure:
        lk.assert_steady(loop_of(GROWING_GRAPH), steps=100)
    told = str(failure.value)
    assert told.startswith("The loop is not steady: it ") and "ops in the graph" in told
    assert "make_step" in told.splitlines()[1] and "graph_growth" in told
    assert "session.run(update" in told  # the repair, as code


@pytest.mark.full
def test_a_loop_that_gets_slower_and_keeps_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="not steady: it slows down"):
        lk.assert_steady(slowing)


def test_growth_that_is_tolerated_does_not() -> None:
    lk.assert_steady(slowing, growth=100.0)


def leaking() -> Step:
    losses: list[object] = []
    return keeper(losses)


@pytest.mark.full
def test_a_list_that_is_kept_fails_by_its_name() -> None:
    with pytest.raises(AssertionError, match=r"leaks \(.*kept") as failure:
        lk.assert_steady(leaking, steps=100)
    told = str(failure.value)
    assert told.splitlines()[1] == "leaking" and "kept.append(float(loss))" in told


@pytest.mark.full
def test_a_list_that_is_kept_is_allowed_if_asked() -> None:
    lk.assert_steady(leaking, steps=100, leaking=False)


@pytest.mark.full
@pytest.mark.parametrize(
    ("label", "why"), [("too_short", "the run was too short"), ("unsteady", "vary too much")]
)
def test_a_loop_of_which_nothing_could_be_told_passes_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, label: Label, why: str
) -> None:
    verdict, memory = Verdict(label, None, None, None), Memory("flat", 0.0)
    told = Confirmed(Diagnosed(made_diagnosis(verdict, memory, Ledger())), frozenset())
    monkeypatch.setattr("labkit.lab.own_loop.steady.confirmed", lambda *_: told)
    with pytest.warns(UserWarning, match=f"could not tell whether the loop slows down: .*{why}"):
        lk.assert_steady(resting)


def test_a_loop_whose_memory_was_not_counted_often_enough_runs_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Found: where two tests ran at once, a loop that leaks passed, its memory unknown."""
    answers = chain([("leaking",)], repeat(()))
    monkeypatch.setattr("labkit.lab.own_loop.steady.untested", lambda *_: next(answers))
    made = Made(resting)
    lk.assert_steady(made, steps=100)
    assert made.steps == [200]


def test_a_loop_that_is_over_soon_is_not_searched_for_its_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A look at lines takes a quarter of a second, and no count is taken in it."""
    # On a busy machine this one takes seconds, too; and a long one is looked at once it is going.
    monkeypatch.setattr("labkit.lab.own_loop.steady.LINES_SECONDS", math.inf)
    monkeypatch.setattr("labkit.bench.worker.sampling_plan.STACKS_WAIT_SECONDS", 0.0)
    matrix = tf.ones([60, 60])

    def step() -> None:
        ends_at = time.perf_counter() + 0.002  # however fast the machine is
        while time.perf_counter() < ends_at:
            tf.matmul(matrix, matrix)

    # A loop that seems to get slower, as on a busy machine, is looked at.
    monkeypatch.setattr("labkit.lab.own_loop.steady.alarms", lambda *_: ())
    said = lk.assert_steady(lambda: step, steps=200)
    assert sum(said.run.steps.seconds) > 0.3
    assert not [name for name in said.run.evidence if name.startswith("stack/")]


class Latest(list[object]):
    """A store that is full with 130, which nobody can see of it, as of a deque."""

    def append(self, each: object) -> None:
        super().append(each)
        del self[:-130]


@pytest.mark.full
def test_a_store_that_is_full_before_twice_as_many_steps_is_no_leak() -> None:
    made = Made(lambda _: keeper(Latest()))
    lk.assert_steady(made, steps=100)
    assert made.steps[0] == 200


@pytest.mark.full
def test_a_store_that_has_a_bound_is_no_leak_before_it_is_full() -> None:
    said = lk.assert_steady(lambda: keeper(deque(maxlen=130)), steps=100)
    assert said.diagnosis.memory.label == "flat"


def beside(notes: Callable[[], object]) -> Callable[[], Step]:
    """Return a loop that notes something at each step, in a store that is not full for long."""

    def make_step() -> Step:
        step, kept = resting(), deque[object](maxlen=100_000)

        def noting() -> None:
            step()
            kept.append(notes())

        return noting

    return make_step


def wasted() -> float:
    """Lose 200 kB, as a library in C does."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    block = library.malloc(200_000)
    ctypes.memset(block, 1, 200_000)
    return 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="the heap is counted by glibc")
@pytest.mark.parametrize("entry", [wasted, lambda: (np.ones(1_000), wasted())])
def test_a_leak_beside_a_store_that_is_filling_fails(entry: Callable[[], object]) -> None:
    """Found: a deque of plain numbers hid hundreds of MB."""
    with pytest.raises(AssertionError, match=r"leaks \(memory on the heap\)"):
        lk.assert_steady(beside(entry))


@dataclass
class Transition:
    state: object
    action: int = 1


@pytest.mark.parametrize("entry", [lambda: Transition(np.ones(1_000)), lambda: (np.ones(1_000), 1)])
def test_a_store_of_transitions_that_is_filling_is_no_leak(entry: Callable[[], object]) -> None:
    memory = lk.assert_steady(beside(entry)).diagnosis.memory
    assert memory.label == "flat" and memory.known


@pytest.mark.parametrize("kind", ["tuples", "data classes", "a set", "an array"])
def test_a_number_that_is_noted_at_each_step_is_no_leak_in_whatever_it_is_kept(kind: str) -> None:
    """Found: a list of tuples passed where one of data classes, or a set, did not."""

    def make_step() -> Step:
        step, rows, numbers, losses = resting(), list[object](), set[int](), np.zeros(0)

        def noting() -> None:
            nonlocal losses
            step()
            if kind == "a set":
                numbers.add(len(numbers))
            elif kind == "an array":
                losses = np.append(losses, 0.5)
            else:
                rows.append((1, 0.5) if kind == "tuples" else Transition(0.5))

        return noting

    assert lk.assert_steady(make_step).diagnosis.memory.label == "flat"


@pytest.mark.full
def test_what_only_the_first_loop_does_is_no_failure() -> None:
    """As with a machine that was busy for a while: it does not begin again with a fresh loop."""
    made = Made(lambda number: resting() if number else keeper([]))
    lk.assert_steady(made, steps=100)
    assert made.steps[0] == 200 and len(made.steps) == 2


@pytest.mark.full
def test_a_loop_that_cannot_be_made_again_runs_on() -> None:
    def once(number: int) -> Step:
        if number:
            raise ValueError("there is one already")
        return keeper([])

    made = Made(once)
    with pytest.raises(AssertionError, match="leaks"):
        lk.assert_steady(made, steps=100)
    assert made.steps[0] >= 400


def test_a_step_that_raises_is_an_error_of_the_loop_and_unhooks_everything() -> None:
    before, done = patched_functions(), []

    def step() -> None:
        done.append(1)
        if len(done) == 5:
            raise OSError("no more of it")

    with pytest.raises(OSError, match="no more of it"):
        lk.assert_steady(lambda: step)
    assert changed(before) == []


@pytest.mark.parametrize("where", ["make_step", "step"])
def test_a_loop_that_exits_is_no_loop_that_is_steady(where: str) -> None:
    """Found: run as a script, a gate ended with the loop's own status 0, and nothing was judged."""
    made = {"make_step": lambda: sys.exit(0), "step": lambda: lambda: sys.exit(0)}[where]
    with pytest.raises(LabkitError, match=r"called sys\.exit\(0\) and nothing was judged"):
        lk.assert_steady(made)


@pytest.mark.parametrize("steps", [0, 99, 100_001, 1e3, True])
def test_steps_that_can_show_nothing_are_refused(steps: Any) -> None:
    with pytest.raises(LabkitError, match=r"from 100 to 100,000"):
        lk.assert_steady(resting, steps)


@pytest.mark.parametrize("growth", [-0.1, float("nan"), 101, "5 %"])
def test_a_growth_that_is_none_is_refused(growth: Any) -> None:
    with pytest.raises(LabkitError, match=r"growth = .* is not allowed"):
        lk.assert_steady(resting, growth=growth)


def test_a_make_step_that_does_the_step_itself_is_told() -> None:
    with pytest.raises(LabkitError, match="returned ndarray, not a function"):
        lk.assert_steady(lambda: np.ones(3))  # type: ignore[arg-type,return-value]


def test_a_step_that_returns_another_is_no_step() -> None:
    with pytest.raises(LabkitError, match="The step returned a function, so that nothing was done"):
        lk.assert_steady(lambda: lambda: lambda: None)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(LabkitError, match="5 is not a function"):
        lk.assert_steady(5)  # type: ignore[arg-type]


@pytest.mark.full
def test_a_leak_of_functions_is_seen_in_each_of_three_loops() -> None:
    """What an earlier loop left was freed while the third was counted, and the leak passed."""

    def make_step() -> Callable[[], object]:
        rate = 0.1
        weights = tf.Variable(tf.zeros([8, 1]))

        @tf.function
        def train(rate: float) -> None:
            weights.assign_sub(rate * tf.ones([8, 1]))

        def step() -> None:
            nonlocal rate
            rate *= 0.999
            train(rate)

        return step

    with pytest.raises(AssertionError, match="functions"):
        lk.assert_steady(make_step, steps=200)


def test_a_cache_of_the_module_that_only_the_first_loop_fills_is_told() -> None:
    """Seen: it grew by 200 kB at each step, and passed without a word."""
    cached: dict[int, list[float]] = {}
    matrix = tf.ones([2, 2])

    def make_step() -> Callable[[], object]:
        number = 0

        def step() -> object:
            nonlocal number
            number += 1
            matrix.numpy()  # else nothing is tested
            return cached.setdefault(number, [0.0] * 20_000)

        return step

    with pytest.warns(UserWarning, match=r"leaks: the first did \(.*\), and a fresh one"):
        # Seen: what 160 kB take to be allocated went from 31 to 53 us, in three loops of three.
        lk.assert_steady(make_step, steps=300, growth=9.0)


def test_a_slowdown_that_only_the_first_loop_has_is_told() -> None:
    """Seen: what a function of the module had traced by step number passed without a word."""
    cached: set[int] = set()

    def make_step() -> Callable[[], object]:
        matrix, number = tf.ones([60, 60]), 0

        def step() -> None:
            nonlocal number
            number += 1
            works = 4 + number // 5 if number not in cached else 4
            cached.add(number)
            for _ in range(works):
                tf.matmul(matrix, matrix)

        return step

    told = said_of(make_step)
    assert_clock("slows down: the first did, and a fresh one did not" in told, told)


def test_spikes_that_get_longer_and_longer_are_a_slowdown() -> None:
    """Seen: one step in ten slept longer each time, from 43 to 442 ms, and it passed."""

    def make_step() -> Callable[[], object]:
        number = 0

        def step() -> None:
            nonlocal number
            number += 1
            time.sleep(0.002)
            if number % 10 == 0:
                time.sleep(0.0004 * number)

        return step

    with pytest.raises(AssertionError, match="not steady: it slows down"):
        lk.assert_steady(make_step, steps=200, leaking=False)


def said_of(make_step: Callable[[], Callable[[], object]], **asked: int) -> str:
    """Return what the guard says of a loop's clock, as a warning or an error; empty for nothing."""
    try:
        with warnings.catch_warnings(action="error", category=UserWarning):
            lk.assert_steady(make_step, leaking=False, **asked)
    except (AssertionError, UserWarning) as said:
        return str(said)
    return ""


def spiky(sleeps: Callable[[int], float], at: Callable[[int], bool]) -> Made:
    """Return what makes loops in which some steps sleep so long, by how many slept before."""
    matrix = tf.ones([2, 2])

    def of(_loop: int) -> Step:
        numbers, spikes = iter(range(10**6)), iter(range(10**6))

        def step() -> None:
            matrix.numpy()  # else nothing is tested
            time.sleep(0.001 + (sleeps(next(spikes)) if at(next(numbers)) else 0.0))

        return step

    return Made(of)


def regularly(number: int) -> bool:
    return number % 64 == 60


def seldom(number: int) -> bool:
    return number in {45, 75, 107, 152, 190, 290}


def test_five_spikes_that_get_longer_each_time_run_on_and_are_told() -> None:
    """Recorded: four or five in some hundred steps passed without a word."""
    made = spiky(lambda spike: 0.05 + 0.05 * spike, regularly)
    told = said_of(made, steps=320)
    # Beside other programs they are no comb, and so only a doubt.
    wanted = "not steady: it slows down|in each of 3 loops its spikes get longer"
    assert_clock(re.search(wanted, told) is not None, told)
    assert made.steps[0] == 640


def test_of_spikes_that_stay_too_few_a_warning_tells() -> None:
    """As of an array that is doubled whenever it is full."""
    made = spiky(lambda spike: 0.05 * 1.7**spike, seldom)
    told = said_of(made, steps=200)
    assert_clock("in each of 3 loops its spikes get longer" in told, told)
    assert made.steps == [400] * 3


@pytest.mark.parametrize("order", [(2, 4, 1, 3, 2), (3, 3, 3, 3, 3), (5, 4, 3, 2, 1)])
def test_five_spikes_in_any_other_order_are_none(order: tuple[int, ...]) -> None:
    made = spiky(lambda spike: 0.05 * order[spike % len(order)], regularly)
    told = said_of(made, steps=320)
    assert_clock(not told and len(made.steps) == 1, told, made.steps)
