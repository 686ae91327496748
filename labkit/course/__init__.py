"""The course: what a learner is asked, answers and repairs, and how it is judged.

Predictions are made before a run and scored by it; questions are asked at the end of a lab. Nothing
here shows anything: the words of a lesson lie in ``lessons/``, one file a notebook.
"""

from labkit.course.attempt import (
    NOT_ATTEMPTED,
    Measured,
    Outcome,
    is_untouched,
    judge_attempt,
)
from labkit.course.calibration import Calibration, calibration
from labkit.course.demand import Demand
from labkit.course.diary import Diary, Guess, Guessed
from labkit.course.exercise import Exercise, exercise_names, load_exercise
from labkit.course.lesson import LESSONS, Lesson, load_lesson, load_prediction
from labkit.course.prediction import SURENESS, Prediction
from labkit.course.question import Choice, Question
from labkit.course.quiz import Quiz
from labkit.course.shapes import RISING, SHAPES, shapes_of

__all__ = [
    "LESSONS",
    "NOT_ATTEMPTED",
    "RISING",
    "SHAPES",
    "SURENESS",
    "Calibration",
    "Choice",
    "Demand",
    "Diary",
    "Exercise",
    "Guess",
    "Guessed",
    "Lesson",
    "Measured",
    "Outcome",
    "Prediction",
    "Question",
    "Quiz",
    "calibration",
    "exercise_names",
    "is_untouched",
    "judge_attempt",
    "load_exercise",
    "load_lesson",
    "load_prediction",
    "shapes_of",
]
