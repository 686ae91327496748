"""Exercises: a broken loop stands in a cell, its repair runs in a fresh process and is judged.

In: a folder ``LESSON/NAME`` with ``exercise.toml``, ``stub.py``, ``solution.py``; the code of
a cell. Out: what was demanded and what was measured. Read ``attempt.py`` first.
"""
