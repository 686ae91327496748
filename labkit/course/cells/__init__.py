"""Cells that begin with ``%%diagnose`` or ``%%exercise``: their code runs as a file.

In: a cell's text. Out: what a diagnosis or an exercise says of it. Read ``magic.py`` first.
"""
