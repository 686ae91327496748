"""A script in a worker: run whole as Python runs it (`program`), watched, and how it ended.

Read `watched_script.py` first.
"""
