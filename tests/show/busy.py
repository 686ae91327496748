"""A stand-in player on a machine that other programs kept busy."""

from __future__ import annotations

from dataclasses import replace

from labkit.record import Judgement
from tests.show.standin import StandInPlayer, StandInRun

SHARE = 0.4
AT_LENGTH = "other programs used 1.2 processors and left none idle in 40 % of the steps"
TOLD = "machine: other programs left no processor idle in 40 % of the steps"


class BusyPlayer(StandInPlayer):
    """Each of its verdicts ends with what the machine did, at length."""

    def judge(self, source: StandInRun) -> Judgement:
        said = super().judge(source)
        verdicts = tuple(
            replace(
                verdict,
                detail=f"{verdict.detail}; {AT_LENGTH}",
                machine_detail=AT_LENGTH,
                contended_share=SHARE,
                steps=stretch.end - stretch.start,
            )
            for stretch, verdict in zip(said.stretches, said.verdicts, strict=True)
        )
        return replace(said, verdicts=verdicts)
