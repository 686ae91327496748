"""The posts' examples: what is told of them follows from their runs, and the files are all there.

Tier: make test, in turn, with two of them run; all fifteen in make test-full.
"""

from __future__ import annotations

import builtins
from itertools import groupby
from pathlib import Path

import pytest

from labkit.causes import load
from labkit.claims import SOURCES, Play, chosen, trials
from labkit.claims.example import EXAMPLES, Example
from labkit.claims.example_trial import ExampleTried
from labkit.claims.played import Played
from labkit.claims.runner import trial
from labkit.claims.table import Trial
from labkit.record import LabkitError, Run, State
from tests.made_run import made_run

pytestmark = pytest.mark.in_turn

FAILING, RUNNING = chosen(["1.c", "2.c"])
FOLDER = FAILING.plays["posted"].file.parent
REASON = "The loop raised it: a tensor has no number. Ask for it later."


def run(
    state: str = "done", steps: int = 100, *, seconds: float = 0.01, grows: bool = False,
    error: str = "",
) -> Run:  # fmt: skip
    times = [seconds * (1 + 1e-3 * (place % 3) + grows * place / steps) for place in range(steps)]
    ended = State(state, REASON if error else "", error=error)  # type: ignore[arg-type]
    return made_run(times, state=ended)


def failed(error: str = "AttributeError") -> Run:
    return run("failed", steps=0, error=error)


def tried(example: Example, posted: Run, repaired: Run | None = None) -> ExampleTried:
    runs = {"posted": posted} if repaired is None else {"posted": posted, "repaired": repaired}
    again = [runs] * example.plays["posted"].rounds
    return ExampleTried(example, Played(*again))


# The list and the files.


def test_each_post_has_its_three_examples_in_order() -> None:
    found = {
        source: [example.id for example in of_source]
        for source, of_source in groupby(EXAMPLES, lambda example: example.source)
    }
    assert found == {source: [f"{source}.{letter}" for letter in "abc"] for source in SOURCES}


def test_every_file_is_named_by_an_example_and_every_name_has_its_file() -> None:
    plays = [play for example in EXAMPLES for play in example.plays.items()]
    assert sorted(play.file for _, play in plays) == sorted(FOLDER.glob("*.py"))
    assert all(play.source.endswith(name) for name, play in plays)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_each_file_is_a_loop_of_plain_tensorflow(path: Path) -> None:
    assert load(str(path)).slug == path.name
    assert "labkit" not in path.read_text()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_one_that_fails_names_an_error_of_python_and_has_a_repair(example: Example) -> None:
    if example.error:
        assert issubclass(getattr(builtins, example.error), Exception)
        assert example.repaired is not None


def test_all_examples_have_a_name_together() -> None:
    assert chosen(["examples"]) == EXAMPLES


# What is told.


def test_an_error_is_told_by_its_class_and_in_its_own_words() -> None:
    ended = tried(FAILING, failed(), run()).ended
    assert (ended["posted"].name, ended["posted"].error) == ("error", "AttributeError")
    assert (ended["posted"].short, ended["posted"].told) == ("ends in AttributeError", REASON)


def test_one_that_gets_slower_is_told_with_its_factor() -> None:
    ended = tried(RUNNING, run(grows=True), run()).ended["posted"]
    assert ended.name == "slower"
    assert ended.short.startswith("slows down, ") and ended.short.endswith("x")


def test_one_that_is_more_expensive_than_its_repair_is_told_with_the_ratio() -> None:
    found = tried(RUNNING, run(seconds=0.05), run())
    assert found.ratio is not None and found.ratio.different
    assert found.ratio.ratio == pytest.approx(5, rel=0.05)
    assert found.compared.startswith("A step as posted takes 5.00 times as long")


@pytest.mark.parametrize(
    ("example", "posted", "words"),
    [
        (FAILING, run(), "ended in AttributeError; here in no error"),
        (FAILING, failed("NameError"), "here in NameError"),
        (RUNNING, failed(), "here it ended in AttributeError"),
    ],
    ids=["no error", "another error", "an error"],
)
def test_what_is_not_as_elsewhere_is_said(example: Example, posted: Run, words: str) -> None:
    assert words in tried(example, posted, run()).surprise


# What stays quiet.


def test_a_level_loop_is_called_neither_failed_nor_slower() -> None:
    found = tried(RUNNING, run(), run())
    assert [each.name for each in found.ended.values()] == ["not slower"] * 2
    assert found.surprise == ""


def test_two_loops_alike_are_not_called_different() -> None:
    assert tried(RUNNING, run(), run()).compared.startswith("No reliable difference")


def test_the_error_that_was_expected_is_no_surprise() -> None:
    assert tried(FAILING, failed(), run()).surprise == ""


def test_a_loop_that_failed_is_compared_with_nothing() -> None:
    found = tried(FAILING, failed(), run())
    assert found.ratio is None and found.compared == ""


@pytest.mark.parametrize("state", ["killed", "silent", "memory_limit", "stopped"])
@pytest.mark.parametrize("example", [FAILING, RUNNING], ids=["failing", "running"])
def test_what_was_ended_from_outside_is_no_error_of_the_loop(example: Example, state: str) -> None:
    found = tried(example, run(state, steps=40), run())
    assert (found.ended["posted"].name, found.ended["posted"].error) == ("cannot tell here", "")
    assert found.surprise == ""


@pytest.mark.parametrize("steps", [0, 1, 10])
def test_too_few_steps_decide_nothing(steps: int) -> None:
    found = tried(RUNNING, run(steps=steps), run(steps=steps))
    assert {each.name for each in found.ended.values()} == {"cannot tell here"}
    assert found.ratio is None
    assert "cannot tell here" in Trial((found,))._repr_mimebundle_()["text/html"]


def test_once_stopped_no_further_loop_is_run() -> None:
    asked: list[str] = []

    def stopped(play: Play, title: str) -> Run:
        asked.append(title)
        return run("stopped", steps=0)

    (found,) = trials(EXAMPLES[2:], stopped)
    assert found.played.stopped and len(asked) == 1
    assert "was stopped" in Trial((found,))._repr_mimebundle_()["text/html"]


def test_one_that_cannot_be_started_says_why_and_ends_no_other() -> None:
    def refused(play: Play, title: str) -> Run:
        raise LabkitError("There is no room.")

    one, other = trials(EXAMPLES[:2], refused)
    assert one.refused == other.refused == "There is no room." and one.surprise == ""
    shown = Trial((one,))._repr_mimebundle_()
    assert "There is no room." in shown["text/plain"] and "cannot tell here" in shown["text/html"]


# The loops themselves.


def test_one_that_runs_and_one_that_fails_are_told_and_shown() -> None:
    said = trial("1.a", "1.c")
    eager, function = said.tried
    assert not eager.ended["posted"].error
    assert eager.played.rise("posted", "graph_ops") == 0
    assert function.ended["posted"].error == "AttributeError"
    assert not function.ended["repaired"].error and function.surprise == ""
    shown = said._repr_mimebundle_()
    assert shown["text/html"].count('<th scope="row">') == 2
    assert "ends in AttributeError" in shown["text/html"]
    assert "nothing to repair" in shown["text/html"]
    assert said.code().count("def make_step():") == 3
    assert said.as_json()["claims"] == []
    assert [each["id"] for each in said.as_json()["examples"]] == ["1.a", "1.c"]


@pytest.mark.full
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_each_ends_as_it_is_said_to_and_its_repair_neither_fails_nor_slows(
    example: Example,
) -> None:
    said = trial(example.id)
    ended = said.tried[0].ended
    assert ended["posted"].error == example.error, str(said)
    if example.repaired:
        assert not ended["repaired"].error, str(said)
        # A busy machine may feign a rise once; what grows does so each time.
        again = [trial(example.id)] if ended["repaired"].name == "slower" else []
        assert all(each.tried[0].ended["repaired"].name != "slower" for each in again), str(said)


@pytest.mark.full
def test_the_loop_that_slows_adds_ops_and_its_repair_adds_none() -> None:
    played = trial("5.a").tried[0].played
    assert played.rise("posted", "graph_ops") >= len(played.runs["posted"].steps) - 1
    assert played.rise("repaired", "graph_ops") == 0


@pytest.mark.full
def test_collecting_by_hand_is_expensive_and_not_so_once_the_imports_are_set_aside() -> None:
    found = trial("2.c").tried[0].ratio
    assert found is not None and found.different and (found.ratio or 0.0) > 2


@pytest.mark.full
def test_unscaled_gradients_are_zero_and_scaled_ones_are_not() -> None:
    runs = trial("3.c").tried[0].played.runs
    assert "2 of 2 gradients are zero" in runs["posted"].log
    assert "0 of 2 gradients are zero" in runs["repaired"].log


@pytest.mark.full
def test_a_training_leaves_no_file_behind() -> None:
    assert "0 files were left behind" in trial("4.c").tried[0].played.runs["posted"].log
