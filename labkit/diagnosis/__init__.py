"""What is made of a run: a verdict a stretch, and the ledger of where the growth went.

numpy, and the statistics of labkit.stats; this room must know nothing of how a run came about and
of how its findings are shown.
"""

from labkit.diagnosis.book import book
from labkit.diagnosis.enough import AGAIN, Standing, enough, same_verdict
from labkit.diagnosis.examine import examine
from labkit.diagnosis.judgement import judgement, recorded_machine
from labkit.diagnosis.stretch import speaking_stretch, until
from labkit.diagnosis.unsampled import unsampled

__all__ = [
    "AGAIN",
    "Standing",
    "book",
    "enough",
    "examine",
    "judgement",
    "recorded_machine",
    "same_verdict",
    "speaking_stretch",
    "unsampled",
    "until",
]
