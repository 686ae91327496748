"""The claims of the five posts, a file for each source, and how they are ruled on.

`source_N` says what the post claims, in our words, and which runs try it; `rulings_N`, where the
rulings are long, what the runs say of it. Read `source_5.py` first: it is the shortest.
"""
