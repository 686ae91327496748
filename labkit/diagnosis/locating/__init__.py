"""Locating: which line of the reader's own does what a finding says.

In: findings, and a run with the lines from which patched functions were called. Out: the findings,
each with its line where one is known. Read `located.py` first; `source_search.py` looks into the
reader's files, where no call tells.
"""
