"""What happens in a worker: one process that builds one loop, runs it and records every step.

In: a job, one line on its input. Out: rows in the step file, and words on its output.

`process` is where it begins, `recording` builds the loop and runs it, `script` runs a program.
`equipment` and `probes` are what it measures with, `sampling_plan` the expensive looks; `fault` is
what is told of an error. `shutdown` does what a loop has left to the end of Python, and
`earlier_objects` makes that short.
Read `recording.py` first.
"""
