"""The machine: what the loop shares with other programs, whose work is not to be taken for its own.

In: the process's own counters, as the system keeps them.
Out: processor time, context switches, page faults, bytes on the loopback network, and the seconds
of a `canary`: a small piece of work that is always the same, and so shows the machine itself.

Read `canary.py` first.
"""
