"""The clock: times each step, and lets the probes fill its row outside the timed part.

In: probes, and a function that runs one step or tells of its begin and its end.
Out: rows of numbers; the first two are when the step began and how long it took.

`recorder` runs steps, `open_recorder` is told of somebody else's. A `probe` fills columns; `timers`
hold the seconds of patched functions, and what is counted beside them.
`sampling` takes the readings that are too expensive for every step, such as `calls` and `stacks`.
Read `recorder.py` first.
"""
