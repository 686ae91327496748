"""What is told of workers that meet in a step is what was timed in it. Tier: make quick."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from labkit.cause import Meeting
from labkit.record import Column, Event, Run, State, Steps
from labkit.show.inside.meeting_bars import meeting_bars, words_of
from labkit.show.inside.meeting_step import MeetingStep, meeting_run

MEETING = Meeting("meet_seconds", "The one that comes first waits.", "They do not meet.")
COLUMNS = (
    Column("start_seconds", "start", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
    Column("meet_seconds", "meeting", "s", "place"),
)


def steps_of(own_ms: Sequence[float], met_ms: Sequence[float], begins_ms: Sequence[float]) -> Steps:
    """Return a worker's steps, in milliseconds of its own clock."""
    return Steps({
        "start_seconds": [each / 1e3 for each in begins_ms],
        "seconds": [(own + met) / 1e3 for own, met in zip(own_ms, met_ms, strict=True)],
        "meet_seconds": [each / 1e3 for each in met_ms],
    })  # fmt: skip


def run_of(*workers: Steps, events: tuple[Event, ...] = ()) -> Run:
    first, *others = workers
    return Run("made", "Made", State("done"), COLUMNS, first, events=events, others=tuple(others))


def told(run: Run) -> MeetingStep:
    inside = meeting_run(MEETING, run)
    assert inside is not None
    return inside


def parts(inside: MeetingStep) -> list[dict[str, float]]:
    return [
        {part.of: pytest.approx(part.percent) for part in worker.parts} for worker in inside.workers
    ]


def lines(inside: MeetingStep) -> list[list[str]]:
    return [[part.line for part in worker.parts] for worker in inside.workers]


# The second worker's clock began 70 ms later. It computes for 5 ms where the first takes 2 ms.
FIRST = steps_of([9, 2, 2, 2], [90, 8, 8, 8], [0, 100, 110, 120])
SECOND = steps_of([9, 5, 5, 5], [20, 5, 5, 5], [0, 30, 40, 50])


def test_who_comes_first_waits_until_the_other_is_there() -> None:
    inside = told(run_of(FIRST, SECOND))
    assert inside.title == "inside step 3" and inside.caption == MEETING.caption
    assert parts(inside) == [{"walked": 20, "fresh": 30, "all": 50}, {"walked": 50, "all": 50}]
    assert lines(inside)[0] == [
        "2.0 ms of its own work", "3.0 ms waiting for it", "5.0 ms exchanging with it",
    ]  # fmt: skip
    assert [worker.before for worker in inside.workers] == pytest.approx([0, 0])


def test_clocks_that_began_at_other_times_are_laid_over_each_other_by_the_ends_of_most_steps() -> (
    None
):
    # In the last step the second was held up by 10 ms after the meeting.
    late = steps_of([9, 5, 5, 5], [20, 5, 5, 15], [0, 30, 40, 50])
    first, second = told(run_of(FIRST, late)).workers
    assert [part.of for part in first.parts] == ["walked", "fresh", "all"]
    assert [part.percent for part in second.parts] == pytest.approx([25, 75])
    assert sum(part.percent for part in first.parts) == pytest.approx(50)


def test_one_that_begins_later_stands_further_on() -> None:
    later = steps_of([9, 1, 1, 1], [20, 5, 5, 5], [0, 34, 44, 54])
    assert [worker.before for worker in told(run_of(FIRST, later)).workers] == pytest.approx(
        [0, 40]
    )


def test_where_they_meet_only_now_and_then_the_latest_such_step_is_told() -> None:
    first = steps_of([9, 2, 2, 2], [90, 8, 0, 0], [0, 100, 110, 120])
    second = steps_of([9, 5, 5, 5], [20, 5, 0, 0], [0, 30, 40, 50])
    assert told(run_of(first, second)).title == "inside step 1"
    flipped = told(run_of(first, second, events=(Event(2, "toggle", "exchange never"),)))
    assert (flipped.title, flipped.caption) == ("inside step 3", MEETING.rest)
    assert [[part.of for part in worker.parts] for worker in flipped.workers] == [["walked"]] * 2


@pytest.mark.parametrize(
    "run",
    [
        run_of(FIRST), run_of(FIRST[:1], SECOND[:1]), run_of(FIRST, SECOND[:1]),
        run_of(FIRST, Steps({"seconds": [0.01] * 4, "start_seconds": [0.01] * 4})),
        run_of(FIRST, steps_of([5] * 4, [float("nan")] * 4, [0, 30, 40, 50])),
    ],
    ids=["one worker", "the first step only", "the other has none", "no such column", "not timed"],
)  # fmt: skip
def test_what_was_not_timed_has_no_picture(run: Run) -> None:
    assert meeting_run(MEETING, run) is None


def test_a_worker_that_is_a_few_steps_behind_is_waited_for() -> None:
    assert told(run_of(FIRST, SECOND[:3])).title == "inside step 2"


def test_the_still_picture_and_its_words_have_what_was_timed() -> None:
    inside = told(run_of(FIRST, SECOND))
    drawn = str(meeting_bars(inside))
    assert drawn.count("<rect") == 5 and 'width="54.0"' in drawn, "waiting: 30 % of 180"
    words = words_of(inside)
    assert words.startswith("Inside step 3: worker 1: 2.0 ms of its own work, 3.0 ms waiting")
    assert words.endswith(f"; worker 2: {', '.join(lines(inside)[1])}. {MEETING.caption}")
