"""A verdict in words: at a glance, in a sentence, beside another, and what the machine had in it.

In: verdicts and diagnoses. Out: text. Read `glance.py` first, then `verdict_words.py`.
"""
