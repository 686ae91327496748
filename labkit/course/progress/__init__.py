"""A learner's path: which guesses, exercises and questions of which lab are done, what is next.

In: the diary of the folder, the lessons. Out: a sentence and a table. Read ``progress.py``.
"""
