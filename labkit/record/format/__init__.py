"""The format of a run file: its schema, its limits, and how its lines are read and written.

Format history:
    1: first version.
"""

FORMAT_VERSION = 1
