"""Still pictures: of runs, of classes, of a memory pool, of what a learner knew.

In: runs and what is said of them. Out: SVG text, or pixels drawn by matplotlib (`picture`).
Read `figure.py` first.
"""
