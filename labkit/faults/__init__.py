"""Faults that can be put into a healthy step: for the mystery loops, the bench and tests.

In: nothing; a fault is made in the process that runs the loop. Out: objects that are enlarged by
some units and acted out once a step; acting takes longer, or keeps more, the larger they are. Each
is real, and of a size to choose. Read ``fault.py``, then ``graphs.py``, first.
"""

from labkit.faults.data import CheckpointWriting, ExpensiveData, Rereading, WorkGrowth
from labkit.faults.fault import Fault
from labkit.faults.graphs import GraphGrowth, OpenTape, Retracing
from labkit.faults.memory import Garbage, History, KeptObjects

__all__ = [
    "CheckpointWriting",
    "ExpensiveData",
    "Fault",
    "Garbage",
    "GraphGrowth",
    "History",
    "KeptObjects",
    "OpenTape",
    "Rereading",
    "Retracing",
    "WorkGrowth",
]
