"""Memory: what is alive between two steps, what is kept, and what the allocators hold.

In: the running process.
Out: bytes and counts, at every step where that is cheap (`resident`, `collector`), else now and
then (`live_objects`, `reach/`, `workload`), and once at the end (`final_checks`).

`tensors` has what is asked of TensorFlow by private names. Read `live_objects.py` first.
"""
