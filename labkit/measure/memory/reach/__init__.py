"""Reach: what the reader's step holds on to, how large it is, and what its stores will take.

In: the step's function, or the names in a script's frames; and all deques of the process.
Out: items and bytes by the path the reader would write (``kept/PATH``), and how much of the heap
the stores with a bound take (`bounded_stores`).

Read `object_sizes.py` first. Nothing of the reader's is called anywhere in this room.
"""
