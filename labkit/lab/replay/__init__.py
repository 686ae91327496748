"""Recorded runs: found (`recordings`), chosen by toggles (`recorded_runs`), played (`replayed`).

In: run files. Out: a `Source` for the lab's player, as a run made here is one; `recorded_instead`
gives the recording where a run must not be made. Read `recorded_runs.py` first.
"""
