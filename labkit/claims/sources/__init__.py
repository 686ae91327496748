"""The claims of the five posts, a file for each source, and how they are ruled on.

`source_N` says what the post claims, in our words, which runs try it, and what the runs say of it;
where that is long, it stands in `rulings_N`. Read `source_5.py` first: it is the shortest.
"""
