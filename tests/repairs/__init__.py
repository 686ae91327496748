"""Repairs put to the test: each that labkit prints, on two loops, before it and after it.

Each file of `loops` is named after the code of a repair in `labkit.show.report.fixes`. It is no
program: `pairs.py` takes one of its loops out, as a file of its own.
"""
