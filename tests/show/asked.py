"""Two predictions and a question, as a lab asks them."""

from __future__ import annotations

from labkit.course.lesson import Choice, Question
from labkit.course.predictions.prediction import SHAPES, Prediction

ASKED = (
    Prediction("lab.shape", "Which shape will `grow` give?", ("flat", "ramp", "comb")),
    Prediction("lab.factor", "How many times as long?", unit="times"),
)
DRAWN = (
    Prediction("lab.shape", "Which shape will `grow` give?", SHAPES),
    Prediction("lab.factor", "How many times as long?", unit="times"),
)
QUESTION = Question(
    "Which counter rests?",
    (
        Choice("`graph_ops`", "It rests, because nothing is added to the graph.", True),
        Choice("the clock", "Times never rest: the machine moves them."),
    ),
)
