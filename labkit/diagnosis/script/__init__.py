"""A script: whose turns are its steps, and what lies between them.

In: the run of a script, a row for each stretch between two moments at which a loop was entered,
turned or left. Out: for each loop whose turns are steps a run like any other. Read `loops.py`
first.
"""
