"""A guessed curve is drawn under the measured one, as far as this has come. Tier: make quick."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from labkit.show.live.answer import Answers
from labkit.show.live.controls import Controls
from labkit.show.live.guess import guess_line, guess_words
from labkit.show.live.judge import Judge
from tests.show.standin import StandInPlayer, StandInRun


@dataclass(frozen=True)
class Drawn:
    drawn: tuple[float, ...]


def run_of(steps: int) -> StandInRun:
    run = StandInRun("run-1", {"grow": False}, seed=0)
    run.advance(steps)
    return run


@pytest.mark.parametrize("guess", [None, Drawn(())])
def test_where_nothing_was_drawn_there_is_no_line(guess: Drawn | None) -> None:
    assert guess_line(guess, run_of(100), 300) == ()


def test_before_it_is_known_how_long_a_step_takes_there_is_none() -> None:
    assert guess_line(Drawn((1.0, 3.0)), run_of(11), 300) == ()
    assert guess_line(Drawn((1.0, 3.0)), run_of(12), 300) != ()


def test_it_begins_at_the_run_s_own_level_and_goes_as_far_as_the_run() -> None:
    run = run_of(150)
    (line,) = guess_line(Drawn((1.0, 2.0, 5.0)), run, 301)
    assert line.label == "your guess" and line.tone == "guess"
    assert line.steps == (0, 149) and line.seconds[1] == pytest.approx(
        line.seconds[0] * (1 + 149 / 150)
    )
    run.advance(1_000)
    (line,) = guess_line(Drawn((1.0, 2.0, 5.0)), run, 301)
    assert line.steps == (0, 150, 300)
    assert [each / line.seconds[0] for each in line.seconds] == pytest.approx([1, 2, 5])
    typical = sorted(run.read("seconds", 2, 12))
    assert typical[4] <= line.seconds[0] <= typical[5]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ((1.0, 2.0, 4.0), "your guess ends at 4x of its beginning"),
        ((2.0, 2.0, 1.0), "your guess ends at 0.5x of its beginning"),
        ((1.0, 5.0, 1.0), "your guess ends at 1x of its beginning, 5x on the way"),
    ],
)
def test_who_does_not_see_the_line_is_told_where_it_goes(
    drawn: tuple[float, ...], said: str
) -> None:
    assert guess_words(Drawn(drawn)) == (said,)


def test_of_no_guess_nothing_is_said() -> None:
    assert guess_words(None) == guess_words(Drawn(())) == ()


def test_a_panel_s_answer_has_it_behind_the_verdicts_and_in_the_picture_s_words_alone() -> None:
    player = StandInPlayer()
    player.start({})
    assert player.current is not None
    player.current.advance(200)
    told = [
        Answers(player, Controls(player), Judge(player, lambda: 0.0), guess).to({})[0]["words"]
        for guess in (None, Drawn((1.0, 3.0)))
    ]
    plain, guessed = (words.pop("fits") for words in told)
    without, spoken = (words.pop("alt") for words in told)
    assert "your guess ends at 3x of its beginning" in spoken and "guess" not in without
    assert told[0] == told[1]
    assert guessed[:-1] == plain and guessed[-1]["tone"] == "guess"
