"""The questions at the end of a lab, answered at once and without a network.

In: a lesson's questions. Out: a form. Read ``quiz.py`` first.
"""
