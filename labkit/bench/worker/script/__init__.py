"""A script in a worker: run whole as Python runs it (`program`), watched, and how it ended.

Read `record_script.py` first, then `watched_script.py`.
"""
