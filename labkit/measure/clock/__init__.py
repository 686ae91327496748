"""The clock: times each step, and lets the probes fill its row outside the timed part.

In: probes, and a function that runs one step or tells of its begin and its end.
Out: rows of numbers; the first two are when the step began and how long it took.

`recorder` runs steps, `open_recorder` is told of somebody else's. A `probe` fills columns; those
that only count share a `counter_buffer`, and `timers` hold the seconds of patched functions.
`sampling` takes the readings that are too expensive for every step, such as `calls` and `stacks`.
Read `recorder.py` first.
"""
