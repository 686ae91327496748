"""Mystery loops: nothing, one thing or two things are wrong; evidence has a price.

In: a seed. Out: a curve, evidence that is paid for, and a score. Read ``game.py`` first.
"""
