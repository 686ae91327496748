"""A trial: a claim's experiment is run, and the claim is ruled on by what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from labkit.claims.claim import Claim, Play, Ruling
from labkit.claims.played import Played
from labkit.record import LabkitError, Run

RunPlay = Callable[[Play, str], Run]


@dataclass(frozen=True)
class Tried:
    """A claim after its trial.

    Args:
        claim: What was tried.
        played: The runs of its experiment.
        ruling: What they say.
    """

    claim: Claim
    played: Played
    ruling: Ruling

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped one of its runs, and wants no more of them."""
        return any(run.state.name == "stopped" for run in self.played.runs.values())


def trials(claims: Iterable[Claim], run: RunPlay) -> Iterator[Tried]:
    """Try claims one after the other; what one cannot tell stops no other.

    Args:
        claims: Which.
        run: Runs a play under a title and waits for it.
    """
    for claim in claims:
        runs: dict[str, Run] = {}
        refused = ""
        for name, play in claim.plays.items():
            try:
                runs[name] = run(play, f"{claim.id} {claim.title}: {name}")
            except LabkitError as error:
                refused = str(error)
                break
            if runs[name].state.name == "stopped":
                break
        played = Played(runs)
        tried = Tried(claim, played, _ruled(claim, played, refused))
        yield tried
        if tried.stopped:
            return


def _ruled(claim: Claim, played: Played, refused: str) -> Ruling:
    if refused:
        return Ruling("cannot tell here", refused, to_decide="a machine on which it may be run")
    if len(played.runs) < len(claim.plays):
        return Ruling("cannot tell here", "It was stopped.", to_decide="all of its runs")
    try:
        return claim.decide(played)
    except LabkitError as error:
        return Ruling("cannot tell here", str(error), to_decide="a run that comes to its end")
