"""The processes of a run: how each is started, found again and ended.

In: a job. Out: a worker with two pipe ends, and nothing left when it has ended.

A kernel has one `launcher`, which imports TensorFlow and forks (`fork`) a `reaper` a run; below
that is the worker. Where forking is not safe, `start` begins a fresh interpreter instead.
`process_tree` ends all that a loop has started. Read `start.py` first, then `reaper.py`.
"""
