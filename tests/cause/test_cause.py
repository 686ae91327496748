"""What a cause declares: toggles, sizes, and the refusal of what is neither. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from labkit.cause import Cause, Expectation, Size, Toggle, switchboard
from labkit.record import ChoiceError, LabkitError

GROW = Toggle("grow", "grow the graph", default="on")
MODE = Toggle("mode", "how it grows", default="chain", choices=("chain", "star"))
EVERY = Toggle("every", "every", default="1", choices=("1", "10", "never"), ordered=True)
OPS = Size("ops", default=5, low=1, high=100, title="ops per step")


def _make_step(toggles: object, *, seed: int, ops: int) -> Callable[[], object]:
    return lambda: (toggles, seed, ops)


CAUSE = Cause(
    slug="graph_growth",
    title="Graph growth",
    summary="Each step adds ops.",
    make_step=_make_step,
    toggles=(GROW, MODE),
    sizes=(OPS,),
    expectation=Expectation("ramp", steps=300, growth=0.8),
    notebook="01_graph_growth.ipynb",
)


@pytest.mark.parametrize(
    ("given", "value"), [("on", True), ("off", False), (True, True), (False, False)]
)
def test_a_two_way_toggle_reaches_the_loop_as_a_bool(given: object, value: bool) -> None:
    assert GROW.parse(given) is value


@pytest.mark.parametrize("word", ["chain", "star"])
def test_another_toggle_reaches_the_loop_as_its_word(word: str) -> None:
    assert MODE.parse(word) == word


@pytest.mark.parametrize("given", ["On", "yes", "", "true", 1, 0, None, ["on"]])
def test_what_is_no_choice_is_refused_and_the_choices_listed(given: object) -> None:
    with pytest.raises(ChoiceError, match=r"'grow'.*choose one of: off, on\.$"):
        GROW.parse(given)


@pytest.mark.parametrize("given", [True, "on", "chains"])
def test_a_toggle_of_words_takes_its_words_only(given: object) -> None:
    with pytest.raises(ChoiceError, match=r"'mode'.*choose one of: chain, star\.$"):
        MODE.parse(given)


@pytest.mark.parametrize("given", [10, "10"])
def test_a_toggle_of_numbers_takes_a_number_for_its_word(given: object) -> None:
    assert EVERY.parse(given) == "10"


@pytest.mark.parametrize("given", [True, 2, 1.0, 10.5, "ten"])
def test_a_number_that_is_no_choice_is_refused(given: object) -> None:
    with pytest.raises(ChoiceError, match=r"'every'.*choose one of: 1, 10, never\.$"):
        EVERY.parse(given)


def test_a_slip_of_the_pen_is_answered_with_the_word_meant() -> None:
    with pytest.raises(ChoiceError, match="did you mean 'chain'"):
        MODE.parse("chains")


@pytest.mark.parametrize("toggle", [GROW, MODE])
def test_every_choice_can_be_parsed_and_put_into_words_again(toggle: Toggle) -> None:
    assert [toggle.word(toggle.parse(choice)) for choice in toggle.choices] == list(toggle.choices)


def test_what_was_not_chosen_has_its_default() -> None:
    assert CAUSE.toggle_values({"mode": "star"}) == {"grow": True, "mode": "star"}
    assert CAUSE.toggle_values({}) == {"grow": True, "mode": "chain"}


def test_an_unknown_toggle_is_refused_and_the_toggles_listed() -> None:
    with pytest.raises(ChoiceError, match=r"toggle of graph_growth 'grwo' .*: grow, mode\.$"):
        CAUSE.toggle_values({"grwo": "on"})


@pytest.mark.parametrize("value", [1, 5, 100])
def test_a_size_from_its_lowest_to_its_highest_is_taken(value: int) -> None:
    assert CAUSE.size_values({"ops": value}) == {"ops": value}


@pytest.mark.parametrize("value", [0, 101, -5])
def test_a_size_out_of_range_is_refused_with_the_range(value: int) -> None:
    with pytest.raises(LabkitError, match=f"ops = {value} is out of range; choose from 1 to 100"):
        CAUSE.size_values({"ops": value})


@pytest.mark.parametrize("value", [True, 5.0, "5", None])
def test_a_size_that_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(LabkitError, match="not a whole number; choose one from 1 to 100"):
        CAUSE.size_values({"ops": value})


def test_an_unknown_size_is_refused_and_the_sizes_listed() -> None:
    with pytest.raises(ChoiceError, match=r"size of graph_growth 'steps'; choose one of: ops\.$"):
        CAUSE.size_values({"steps": 5})


def test_a_size_that_was_not_chosen_has_its_default() -> None:
    assert CAUSE.size_values({}) == {"ops": 5}


def test_the_loop_reads_its_toggles_as_attributes_that_may_change() -> None:
    toggles = switchboard(CAUSE.toggle_values({}))
    assert (toggles.grow, toggles.mode) == (True, "chain")
    toggles.grow = False
    assert toggles.grow is False


def test_a_choice_among_nothing_says_so() -> None:
    assert str(ChoiceError("size", 3, ())) == "There is no size '3'; choose one of: none."
