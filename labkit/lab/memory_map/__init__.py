"""The memory pool of a run, as TensorFlow's own allocator wrote it down when it had to wait.

In: a run with such an event (`labkit.record.memory_map` has its form). Out: a picture. Read
``memory_map.py`` first.
"""
