"""Predictions: made before a run, kept in a diary, scored by what the run then shows.

In: a lesson's predictions, a learner's answers, runs. Out: a form, and words on what came of it.
Read ``predict.py`` first.
"""
