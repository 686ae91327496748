"""What is made of a run: a verdict a stretch, and the ledger of where the growth went.

numpy, and the statistics of labkit.stats; this room must know nothing of how a run came about and
of how its findings are shown.
"""

from labkit.diagnosis.book import book
from labkit.diagnosis.judgement import judgement, recorded_machine

__all__ = ["book", "judgement", "recorded_machine"]
