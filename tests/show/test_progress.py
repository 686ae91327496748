"""Progress: a bar follows a run to its end and leaves the run alone."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import pytest
from tqdm import tqdm

from labkit.record import State
from labkit.show.progress import follow
from tests.show.standin import StandInPlayer


class Bar:
    """Stands in for tqdm's bar."""

    made: Bar

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.n = 0
        self.total = options["total"]
        self.told: list[str] = []
        self.closed = False
        Bar.made = self

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def update(self, steps: int) -> None:
        self.n += steps

    def set_postfix_str(self, text: str, refresh: bool) -> None:
        self.told.append(text)


def test_the_bar_follows_the_run_to_its_end() -> None:
    run = StandInPlayer().start({})

    def sleep(seconds: float) -> None:
        run.advance(30)
        if run.count >= 90:
            run.state = State("done")

    follow(run, 90, "Graph growth", sleep=sleep, bar_type=Bar)
    assert (Bar.made.n, Bar.made.options["total"], Bar.made.closed) == (90, 90, True)
    assert Bar.made.told[0] == ""
    assert Bar.made.told[-1].endswith("ms per step")


def test_of_a_step_that_takes_long_the_bar_tells_for_how_long() -> None:
    """Seen: ten seconds at one step without a word, in which TensorFlow waited for memory."""
    run, now = StandInPlayer().start({}), 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += 1.0
        if now == 1.0:
            run.advance(30)
        if now == 6.0:
            run.state = State("done")

    follow(run, 90, "Graph growth", sleep=sleep, bar_type=Bar, clock=lambda: now)
    assert [each for each in Bar.made.told if "so far" in each] == [
        "the next has taken 3 s so far", "the next has taken 4 s so far",
    ]  # fmt: skip
    assert Bar.made.told[-1].endswith("ms per step")


@pytest.mark.parametrize("total", [90, None])
def test_the_bar_tells_the_pace_once(total: int | None) -> None:
    run, written = StandInPlayer().start({}), io.StringIO()
    bar = partial(tqdm, file=written, mininterval=0)
    run.advance(30)

    def sleep(seconds: float) -> None:
        run.state = State("done")

    follow(run, total, "Graph growth", sleep=sleep, bar_type=bar)
    assert "ms per step]" in written.getvalue()
    assert "step/s" not in written.getvalue() and "s/step" not in written.getvalue()


def test_a_run_that_ended_early_ends_the_bar() -> None:
    run = StandInPlayer().start({})
    run.advance(10)
    run.state = State("failed", "The loop raised ValueError")
    follow(run, 300, "Graph growth", sleep=lambda _: pytest.fail("waited"), bar_type=Bar)
    assert Bar.made.n == 10


def test_the_bar_of_a_run_that_ended_early_is_not_left_in_the_notebook() -> None:
    run = StandInPlayer().start({})
    run.advance(10)
    run.state = State("failed", "The loop raised ValueError")
    follow(run, 300, "Graph growth", sleep=lambda _: pytest.fail("waited"), bar_type=Bar)
    # tqdm leaves a notebook's bar that has not reached its total, whatever it was told.
    assert Bar.made.total == Bar.made.n


def test_an_interrupt_passes_through_and_leaves_the_run_alone() -> None:
    run = StandInPlayer().start({})

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow(run, 300, "Graph growth", sleep=interrupted, bar_type=Bar)
    assert Bar.made.closed
    assert run.state.name == "running"


def test_a_log_file_is_not_filled_with_bars(capsys: pytest.CaptureFixture[str]) -> None:
    run = StandInPlayer().start({})
    run.advance(10)
    run.state = State("done")
    follow(run, 10, "Graph growth")
    assert capsys.readouterr().err == ""
