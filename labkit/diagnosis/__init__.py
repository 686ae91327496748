"""What is made of a run: verdicts, a ledger of where the growth went, and the causes of it.

In: a run. Out: a `labkit.record.Diagnosis`. Read `pipeline.py` first: it has each stage in order.
numpy, and the statistics of labkit.stats; this room must know nothing of how a run came about and
of how its findings are shown.
"""

from labkit.diagnosis.ledger import book
from labkit.diagnosis.observed import unsampled, until
from labkit.diagnosis.pipeline import examine, judgement
from labkit.diagnosis.step_verdict import recorded_machine
from labkit.diagnosis.stopping import AGAIN, Standing, enough, same_verdict

__all__ = [
    "AGAIN",
    "Standing",
    "book",
    "enough",
    "examine",
    "judgement",
    "recorded_machine",
    "same_verdict",
    "unsampled",
    "until",
]
