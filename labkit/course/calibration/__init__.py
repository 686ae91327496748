"""How well a learner knows what they know, from all predictions that were scored.

In: the diary of `labkit.course.predictions`. Out: a score, a picture, a table. Read
``calibration.py`` first.
"""
