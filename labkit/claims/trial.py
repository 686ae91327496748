"""A trial: an experiment is run; a claim is ruled on by what was measured, an example told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from labkit.claims.claim import Claim, Play, Ruling
from labkit.claims.example import Example
from labkit.claims.example_trial import ExampleTried
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


def trials(chosen: Iterable[Claim | Example], run: RunPlay) -> Iterator[Tried | ExampleTried]:
    """Try claims and examples one after the other; what one cannot tell stops no other.

    Args:
        chosen: Which.
        run: Runs a play under a title and waits for it. A ``KeyboardInterrupt`` ends the trial: it
            says that no further run is wanted. What was run is kept.
    """
    for each in chosen:
        runs: dict[str, Run] = {}
        refused = ""
        interrupted = False
        for name, play in each.plays.items():
            try:
                runs[name] = run(play, f"{each.id} {each.title}: {name}")
            except LabkitError as error:
                refused = str(error)
                break
            except KeyboardInterrupt:
                interrupted = True
                break
            if runs[name].state.name == "stopped":
                break
        if interrupted and not runs:
            return  # it came before this one, of which there is nothing to tell
        played = Played(runs, stopped=interrupted)
        if isinstance(each, Example):
            yield ExampleTried(each, played, refused)
        else:
            yield Tried(each, played, _ruled(each, played, refused))
        if played.stopped:
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
