"""The course: a folder or a file for each feature, with values, view and notebook function.

In: what `labkit.lab` runs and diagnoses, and the words of a lesson (``lessons/NAME.toml``).
Out: forms, verdicts on answers and repairs, pictures.

``predictions/`` before a run, ``quiz.py`` at the end of a lab, ``exercises/`` to repair,
``mystery/`` to find out, ``calibration.py`` of one's own sureness, ``classroom/`` for the runs of a
class, ``cells.py`` for the magics, ``check/`` for the machine. Read ``lesson.py``, then
``predictions/predict.py``, first.
"""
