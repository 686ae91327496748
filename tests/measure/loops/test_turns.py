"""Rows are cut where loops are entered, turned and left, and quick loops cost nothing.

Tier: make test.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from labkit.bench.starting import check_range
from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.loops.going_through import NAP
from labkit.measure.loops.open_loop import ENTRIES_TO_TELL, TURNS_TO_TELL
from labkit.measure.loops.turns import Turns
from labkit.record import LabkitError
from tests.measure.owned_clock import OwnedClock


class Program:
    """A program whose loops tell, on a clock that only it moves."""

    def __init__(self) -> None:
        self.clock = OwnedClock()
        self.turns = Turns(self.clock)
        self.recorder = OpenRecorder(self.clock, [self.turns.rows])
        self.done = 0.0
        self.turns.look(lambda: self.recorder, lambda: self.done)

    def work(self, seconds: float = 0.01) -> None:
        """Have TensorFlow work."""
        self.done += 1
        self.clock.pass_ms(1e3 * seconds)

    def rest(self, seconds: float = 0.01) -> None:
        self.clock.pass_ms(1e3 * seconds)

    @property
    def rows(self) -> list[tuple[int, int, bool, float]]:
        """Of each row the loop, the one around it, whether a turn begins, and the seconds."""
        flat, width = self.recorder.rows, len(self.recorder.columns)
        return [
            (int(flat[at + 2]), int(flat[at + 3]), bool(flat[at + 4]), round(flat[at + 1], 6))
            for at in range(0, len(flat), width)
        ]


@pytest.fixture
def program() -> Program:
    return Program()


def test_each_turn_of_a_loop_that_works_is_a_row_from_the_second_on(program: Program) -> None:
    for _ in program.turns.go_through(1, range(4)):
        program.work()
    # There was nothing left for a fifth.
    assert program.rows[:3] == [(1, 0, True, 0.01)] * 3
    assert [row[0] for row in program.rows[3:]] in ([], [0])


def test_what_lies_between_two_epochs_is_a_row_of_the_loop_around(program: Program) -> None:
    for _ in program.turns.go_through(1, range(3)):
        for _ in program.turns.go_through(2, range(3)):
            program.work()
        program.work(0.5)  # it validates
    assert [row for row in program.rows if row[2]][-4:] == [
        (1, 0, True, 0.0), (2, 1, True, 0.01), (2, 1, True, 0.01), (2, 1, True, 0.01),
    ]  # fmt: skip
    between = [row for row in program.rows if row[0] == 1 and not row[2]]
    assert sum(row[3] for row in between) == pytest.approx(1.0)  # the first was not known yet


def test_a_generator_expression_is_a_loop_or_a_part_of_the_loop_that_goes_through_it(
    program: Program,
) -> None:
    losses = (program.work() for _ in program.turns.go_through(2, range(20)))
    for _ in program.turns.go_through(1, losses):
        program.rest(0.1)
    steps = [row for row in program.rows if row[2]]
    assert {row[0] for row in steps} == {1}
    assert steps[-1][3] == pytest.approx(0.11)
    assert sum(1 for _ in program.turns.go_through(3, range(20)) if program.work() is None) == 20
    assert sum(row[:3] == (3, 0, True) for row in program.rows) == 19


def test_what_a_map_trains_is_a_loop_and_another_map_is_left_alone(program: Program) -> None:
    data = [1] * 20
    assert program.turns.go_through_map(2, min, data) is data
    list(map(lambda _: program.work(), program.turns.go_through_map(3, map, data)))
    assert sum(row[:3] == (3, 0, True) for row in program.rows) == 19


def test_a_while_loop_and_a_return_out_of_two_loops(program: Program) -> None:
    def search() -> None:
        program.turns.enter(2)
        for step in range(3):
            program.turns.turn(2)
            program.work()
            for _ in program.turns.go_through(3, [1]):
                if step == 2:
                    return  # loop 2 is left without a word

    for _ in program.turns.go_through(1, range(4)):
        search()
        program.rest(0.1)
    firsts = [row for row in program.rows if row[:3] == (1, 0, True)]
    assert len(firsts) >= 2
    assert any(row[:3] == (2, 1, True) for row in program.rows)


def test_a_loop_without_tensorflow_is_never_recorded(program: Program) -> None:
    for _ in program.turns.go_through(1, range(100)):
        program.rest()
    assert program.rows == []


def test_a_loop_of_quick_turns_is_told_of_no_more_than_now_and_then(program: Program) -> None:
    told = 0

    def look() -> float:
        nonlocal told
        told += 1
        return program.done

    program.turns.look(lambda: program.recorder, look)
    turns = 10 * TURNS_TO_TELL
    for _ in program.turns.go_through(1, range(turns)):
        program.rest(1e-6)
    assert told <= TURNS_TO_TELL + turns / NAP + 1
    items = [1, 2]
    assert program.turns.go_through(1, items) is items and program.rows == []


@pytest.mark.parametrize("ways", ["for", "while"])
def test_a_loop_that_passes_over_steps_done_before_is_recorded_where_it_trains(
    program: Program, ways: str
) -> None:
    """Recorded: a training that goes on at step 5,000 was never seen, and passed a gate."""
    passed_over, trained = 3 * TURNS_TO_TELL, NAP + 300

    def turn(step: int) -> None:
        program.rest(1e-6) if step < passed_over else program.work()

    if ways == "for":
        for step in program.turns.go_through(1, range(passed_over + trained)):
            turn(step)
    else:
        program.turns.enter(1)
        for step in range(passed_over + trained):
            program.turns.turn(1)
            turn(step)
        program.turns.leave(1)
    assert len([row for row in program.rows if row[:3] == (1, 0, True)]) >= 290


def test_a_loop_that_dozes_is_recorded_where_it_trains_when_entered_anew(program: Program) -> None:
    for _ in program.turns.go_through(1, range(2 * TURNS_TO_TELL)):
        program.rest(1e-6)
    program.work(1.0)  # of nobody: no loop is open
    for _ in program.turns.go_through(1, range(NAP + 100)):
        program.work()
    assert len([row for row in program.rows if row[:3] == (1, 0, True)]) >= 95


def test_a_loop_that_rests_long_may_train_later(program: Program) -> None:
    """As one does that fills a replay buffer first."""
    for step in program.turns.go_through(1, range(3 * TURNS_TO_TELL)):
        program.work() if step > 2 * TURNS_TO_TELL else program.rest(1e-3)
    assert len(program.rows) > TURNS_TO_TELL - 10


def test_a_short_loop_within_each_step_is_soon_a_part_of_it(program: Program) -> None:
    for _ in program.turns.go_through(1, range(200)):
        for _ in program.turns.go_through(2, ("generator", "critic")):
            program.work()
    rows = program.rows
    assert {row[0] for row in rows[-50:]} <= {0, 1}
    late = [row for row in rows[-50:] if row[0] == 1]
    assert all(row[3] == pytest.approx(0.02) for row in late[:-1] if row[2])
    assert sum(row[0] == 2 for row in rows) <= 3 * (ENTRIES_TO_TELL + 2)


def test_one_that_was_named_stays_recorded(program: Program) -> None:
    program.turns.never_quiet.add(2)
    for _ in program.turns.go_through(1, range(50)):
        for _ in program.turns.go_through(2, ("generator", "critic")):
            program.work()
    assert sum(row[0] == 2 and row[2] for row in program.rows) > 90


def test_an_error_that_is_held_lets_a_later_turn_alone(program: Program) -> None:
    held: list[Iterator[int]] = []

    def fails() -> None:
        for _ in program.turns.go_through(2, range(3)):
            program.work()
            raise ValueError("one batch is broken")

    for _ in program.turns.go_through(1, range(5)):
        try:
            fails()
        except ValueError as error:
            held.append(error.__traceback__)  # type: ignore[arg-type]
        program.work()
    assert sum(row[:3] == (1, 0, True) for row in program.rows) >= 3


def test_other_threads_run_as_if_nobody_looked(program: Program) -> None:
    items = range(3)
    seen: list[object] = []

    def other() -> None:
        seen.append(program.turns.go_through(1, items))
        program.turns.enter(2)
        program.turns.turn(2)
        program.turns.leave(2)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [items] and program.rows == []


def test_nothing_is_recorded_any_more_once_it_is_stopped(program: Program) -> None:
    for step in program.turns.go_through(1, range(20)):
        program.work()
        if step == 9:
            before = len(program.rows)
            program.turns.stop()
    assert len(program.rows) == before


def test_a_loop_of_few_fits_is_recorded_in_every_round(program: Program) -> None:
    for _ in program.turns.go_through(1, range(30)):
        for _ in program.turns.go_through(2, range(3)):
            program.turns.fit_begins()
            program.work()
    turns = [row for row in program.rows if row[0] == 2 and row[2]]
    assert len(turns) >= 30 * 3 - 5


def test_what_a_quiet_loop_leaves_half_read_is_there_for_the_next(program: Program) -> None:
    stream = iter(range(ENTRIES_TO_TELL * 3))  # a loop of one turn within one that works
    closed = []

    def rows() -> Iterator[int]:
        try:
            yield from stream
        finally:
            closed.append(True)

    read = rows()
    found = []
    for _ in program.turns.go_through(1, range(ENTRIES_TO_TELL * 3)):
        for each in program.turns.go_through(2, read):
            found.append(each)
            program.work()
            break
    assert found == list(range(ENTRIES_TO_TELL * 3)) and not closed


def test_a_generator_is_left_open_by_a_loop_that_becomes_quiet_within_it(program: Program) -> None:
    read = (each for each in range(TURNS_TO_TELL * 2))
    for each in program.turns.go_through(1, read):
        if each == TURNS_TO_TELL + 10:
            break
    assert next(read) == TURNS_TO_TELL + 11


def test_a_generator_that_was_left_and_is_gone_through_anew_tells_no_error(
    program: Program,
) -> None:
    """Its own loop is open where the loop that goes through it takes its next turn."""
    turns = program.turns

    def batches(count: int) -> Iterator[int]:
        for each in turns.go_through(2, range(count)):
            program.work()
            yield each

    assert list(batches(10)) == list(range(10))
    found = []
    for each in turns.go_through(1, batches(30)):
        found.append(each)
        program.work()
    assert found == list(range(30)) and turns.failed is None


def test_nothing_but_the_loop_holds_what_it_goes_through(program: Program) -> None:
    class Chunk:
        pass

    alive = 0
    for number in (1, 2):  # one that is told, and one that has become quiet
        for chunk in program.turns.go_through(number, (Chunk() for _ in range(TURNS_TO_TELL + 9))):
            watch = weakref.ref(chunk)
            del chunk
            alive += watch() is not None
            if number == 1:
                program.work()
    assert alive == 0


def test_a_fault_of_ours_ends_the_recording_and_not_the_loop() -> None:
    def no_room() -> OpenRecorder:
        return os_error_of_kit()

    program = Program()
    program.turns.look(no_room, lambda: program.done)
    turned = 0
    for _ in program.turns.go_through(1, range(20)):
        program.work()
        turned += 1
    assert turned == 20 and isinstance(program.turns.failed, LabkitError)


def test_what_could_not_be_raised_where_a_loop_was_left_comes_with_the_next_turn(
    program: Program,
) -> None:
    class TimeIsUp(Exception): ...

    turned = []
    with pytest.raises(TimeIsUp):
        for turn in program.turns.go_through(1, range(5)):
            turned.append(turn)
            program.work()
            program.turns.owed = TimeIsUp() if turn == 2 else None
    assert turned == [0, 1, 2] and program.turns.owed is None


def test_an_error_of_the_programs_own_goes_to_the_program(program: Program) -> None:
    def handler() -> OpenRecorder:
        raise TimeoutError("the program's alarm")

    program.turns.look(handler, lambda: program.done)
    with pytest.raises(TimeoutError):
        for _ in program.turns.go_through(1, range(20)):
            program.work()


def os_error_of_kit() -> OpenRecorder:
    """Raise what labkit raises where it finds no room for its steps, in its own code."""
    refuse: Callable[[], OpenRecorder] = partial(check_range, "steps", 0, 1, 2)  # type: ignore[arg-type]
    return refuse()


def train_beside_a_monitor(program: Program, *, awaits_within: int) -> list[int]:
    """Train in loop 2 beside a task whose loop 1 was entered first; return whose each turn was."""

    async def monitor() -> None:
        program.turns.enter(1)
        while True:
            program.turns.turn(1)
            program.work(0.001)  # it reads a weight
            await asyncio.sleep(0)

    async def train() -> None:
        for _ in program.turns.go_through(2, range(20)):
            for _ in range(awaits_within):
                await asyncio.sleep(0)
            program.work()
            assert not program.turns.unseen()
            if not awaits_within:
                await asyncio.sleep(0)

    async def both() -> None:
        other = asyncio.create_task(monitor())
        for _ in range(4):
            await asyncio.sleep(0)
        await train()
        other.cancel()

    asyncio.run(both())
    return [loop for loop, _, begins, _ in program.rows if begins]


@pytest.mark.parametrize("awaits_within", [0, 1, 3])
def test_a_task_that_wakes_between_leaves_the_loop_of_another_as_it_is(
    program: Program, awaits_within: int
) -> None:
    """Seen: a monitor that was started first was told as the training."""
    begun = train_beside_a_monitor(program, awaits_within=awaits_within)
    assert begun.count(2) >= 18
    assert all(outer == 0 for loop, outer, *_ in program.rows if loop == 2)


def test_what_a_task_trains_in_the_row_of_another_is_in_a_row_of_its_own_loop(
    program: Program,
) -> None:
    train_beside_a_monitor(program, awaits_within=3)
    long = [loop for loop, _, _, seconds in program.rows if seconds >= 0.01]
    assert long.count(2) >= 18
    # Once it is known which task trains, the other cuts none of its rows.
    assert [row[:3] for row in program.rows[-15:-1]] == [(2, 0, True)] * 14


def test_a_task_is_within_the_loops_that_it_was_made_in(program: Program) -> None:
    async def client() -> None:
        for _ in program.turns.go_through(2, range(5)):
            program.work()
            await asyncio.sleep(0)

    for _ in program.turns.go_through(1, range(4)):
        asyncio.run(client())
    assert [outer for loop, outer, *_ in program.rows if loop == 2][-10:] == [1] * 10


def test_between_two_steps_it_is_where_a_turn_begins_that_trains_and_not_where_one_saves(
    program: Program,
) -> None:
    """Seen: a script was ended in its own loop over the weights, with half of them in the file."""
    between: list[bool] = []
    program.turns.rows.after_row = between.append
    for _ in program.turns.go_through(1, range(6)):
        program.work()
        program.turns.unseen()  # it trains
        for _ in program.turns.go_through(2, range(3)):
            program.work()
    # What it trained before its first row nobody knows, and the last row has no turn left.
    begun = [row[:3] == (1, 0, True) for row in program.rows[5:-1]]
    assert between[4 : 4 + len(begun)] == begun and sum(begun) >= 3


def test_where_nothing_trains_it_is_between_two_steps_everywhere(program: Program) -> None:
    between: list[bool] = []
    program.turns.rows.after_row = between.append
    for _ in program.turns.go_through(1, range(6)):
        program.work()
        for _ in program.turns.go_through(2, range(3)):
            program.work()
    assert between and all(between)
