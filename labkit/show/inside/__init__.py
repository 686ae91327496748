"""What happens inside a step, beside its curve: what was counted or timed in it, and its picture.

A run comes in, with what its cause declares of its mechanism; the latest step that tells something
goes out, as numbers (`inside_step`: things that are there, new and gone through; `meeting_step`:
workers that wait for each other), and as a still picture (`step_dots`, `meeting_bars`). The browser
draws the same numbers in motion (``inside.js``). `of_cause` chooses by the cause: read it first.
"""
