"""A session: one run in progress as the kernel holds it, with its toggles, words and workers.

`worker_group` and `worker_handle` are its workers, `messages` what they say of the loop.
Read `session.py` first.
"""
