"""Supervision: one thread a run that hears its workers, keeps its limits and sees it to its end.

In: a session. Out: the state it ended in, and no process of it left. Read `supervisor.py` first;
`overdue` says what is over a limit, `death` what is told of a worker that ended without a word.
"""
