"""Loops as people write them: test data for the diagnosis, with what is expected of each.

A loop file is read by the diagnosis as a reader's own, so it has no docstring and no types, and
nothing in its names or text says what is the matter with it. ``expected.py`` says that, for the
files here and for those in ``held_out``, at which no rule may be fitted.
"""
