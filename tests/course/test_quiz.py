"""Quizzes: one right choice, a word for each answer, the first try counts. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.course.lesson import LESSONS, Choice, Question, load_lesson
from labkit.course.quiz import QuizForm
from labkit.record import ChoiceError
from labkit.show.form import Told

LEFT = Choice("left", "because it is not", False)
RIGHT = Choice("right", "because it is", True)
MIDDLE = Choice("middle", "because it is neither", False)


def quiz() -> QuizForm:
    question = Question("Which?", (LEFT, RIGHT, MIDDLE))
    return QuizForm([question, question])


@pytest.mark.parametrize(("said", "found"), [(1, LEFT), (2, RIGHT), ("middle", MIDDLE)])
def test_an_answer_brings_its_own_words(said: object, found: Choice) -> None:
    played = quiz()
    played.answer(0, said)
    assert played.told(0) == Told(found.say, found.because, found.right)
    assert played.told(1) is None


def test_only_the_first_answer_to_a_question_is_scored() -> None:
    played = quiz()
    assert played.said == ""
    played.answer(0, "left")
    played.answer(0, "right")
    assert played.said == "0 of 2 right at the first try; 1 to go"
    played.answer(1, "right")
    assert played.said == "1 of 2 right at the first try"
    assert played.told(0) == Told(RIGHT.say, RIGHT.because, True)


@pytest.mark.parametrize(("question", "choice"), [(0, 1), (3, 1), (1, 0), (1, 4), (1, "up")])
def test_what_is_no_question_or_choice_is_refused_and_not_counted(
    question: int, choice: int
) -> None:
    played = quiz()
    with pytest.raises(ChoiceError, match=rf"{choice if question == 1 else question}"):
        played.choose(question, choice)
    assert played.said == ""


@pytest.mark.parametrize("choices", [(LEFT, MIDDLE), (RIGHT,), (RIGHT, RIGHT), (LEFT, LEFT, RIGHT)])
def test_a_question_without_exactly_one_right_choice_is_none(choices: tuple[Choice, ...]) -> None:
    with pytest.raises(ValueError, match="right"):
        Question("Which?", choices)


@pytest.mark.parametrize("name", LESSONS)
def test_each_lesson_asks_three_or_four_questions_and_answers_each_choice(name: str) -> None:
    questions = load_lesson(name).questions
    assert 3 <= len(questions) <= 4
    for question in questions:
        assert 3 <= len(question.choices) <= 4
        for choice in question.choices:
            assert len(choice.because) > 20 and choice.because.strip().endswith((".", "`", ")"))


def test_the_right_choice_has_no_habit() -> None:
    """Whoever always takes the same place, or the longest answer, must not pass."""
    questions = [each for name in LESSONS for each in load_lesson(name).questions]
    places = [
        next(place for place, choice in enumerate(question.choices) if choice.right)
        for question in questions
    ]
    longest = sum(
        max(question.choices, key=lambda choice: len(choice.say)).right for question in questions
    )
    assert max(map(places.count, places)) < 0.5 * len(questions)
    assert longest < 0.5 * len(questions)
