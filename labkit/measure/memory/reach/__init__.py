"""Reach: what the reader's step holds on to, how large it is, and what one entry more takes.

In: the step's function, or the names in a script's frames.
Out: items and bytes by the path the reader would write (``kept/PATH``), and beside a store with a
bound what its newest entry adds.

Read `object_sizes.py` first. Nothing of the reader's is called anywhere in this room.
"""
