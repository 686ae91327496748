"""Recorded runs: found (`recordings`), chosen by toggles (`recorded_runs`), played (`replayed`).

In: run files. Out: a `Source` for the lab's player, as a run made here is one; `replay` shows
them in a panel, or gives one where a run must not be made. Read `recorded_runs.py` first.
"""
