"""A stand-in player on a machine that other programs kept busy."""

from __future__ import annotations

from dataclasses import replace

from labkit.record import Diagnosis
from tests.show.standin import StandInPlayer, StandInRun

SHARE = 0.4
AT_LENGTH = "other programs took 40 % of the time (corrected for)"
TOLD = "machine: other programs took 40 % of the time"


class BusyPlayer(StandInPlayer):
    """Each of its verdicts ends with what the machine did, at length."""

    def judge(self, source: StandInRun) -> Diagnosis:
        said = super().judge(source)
        verdicts = tuple(
            replace(
                verdict,
                contended_share=SHARE,
                steps=stretch.end - stretch.start,
            )
            for stretch, verdict in zip(said.stretches, said.verdicts, strict=True)
        )
        return replace(said, verdicts=verdicts)
