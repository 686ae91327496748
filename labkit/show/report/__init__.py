"""Reports: a diagnosis, or runs, as one page, as pieces of a page and as lines for a terminal.

In: a diagnosis or runs. Out: HTML text, or lines. Read `report.py` first.
"""
