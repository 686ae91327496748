"""Observations: what a run shows before anybody asks for causes.

In: a run. Out: each of its stretches (`stretch`), without the steps that were looked at closely
(`unsampled`); counters that rise for ever and functions that take longer (`evidence`); lines of
code that do (`lines`). `Observed` has it all for one stretch.

Read `observed.py` first.
"""
