"""Alarms: what a gate or a test fails on, and when one is believed.

In: diagnoses of fresh loops, each made anew. Out: the alarms that every one of them has raised, or
why nothing was tested or confirmed. Read `alarm.py` first, then `confirmed.py`.
"""
