"""Is all here that labs need: the first cell of a notebook (`setup`), and all causes (`selfcheck`).

In: this machine. Out: words, a table, an archive of runs. Read `setup.py` first.
"""
