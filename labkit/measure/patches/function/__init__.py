"""tf.function: how often one is traced, rewritten and compiled, why, and how long that takes.

In: private names of TensorFlow, each declared in the file that patches it.
Out: counts and seconds in the step's row, and for each new trace its reason.

Read `tracing.py` first; `trace_reason` is what a trace is told with.
"""
