"""A class: the saved runs of many machines in one chart.

In: run files. Out: a chart, sentences, a table. Read ``classroom.py`` first.
"""
