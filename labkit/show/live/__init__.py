"""The live panel: what it answers to the page, and the runs it is handed.

In: a player and its runs (`source`). Out: messages for the scripts beside `labkit/show`.

`panel` is the widget, `answer` what it says, `parts` the numbers of a run on their way, `judge` the
words on it. Read `answer.py` first.
"""
