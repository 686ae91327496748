"""A trial: an experiment is run; a claim is ruled on by what was measured, an example told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from labkit.claims.claim import OPEN, Claim, Play, Ruling
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


def trials(
    chosen: Iterable[Claim | Example], run: RunPlay, *, card: bool = False
) -> Iterator[Tried | ExampleTried]:
    """Try claims and examples one after the other; what one cannot tell stops no other.

    Args:
        chosen: Which.
        run: Runs a play under a title and waits for it. A ``KeyboardInterrupt`` ends the trial: it
            says that no further run is wanted. What was run is kept.
        card: Whether there is a graphics card for the plays that need one.
    """
    for each in chosen:
        plays = {name: play for name, play in each.plays.items() if card or play.device != "gpu"}
        rounds: list[dict[str, Run]] = []
        refused = ""
        interrupted = False
        for number, name, play in _in_turn(plays):
            title = f"{each.id} {each.title}: {name}"
            try:
                found = run(play, f"{title}, again ({number + 1})" if number else title)
            except LabkitError as error:
                refused = str(error)
                break
            except KeyboardInterrupt:
                interrupted = True
                break
            if len(rounds) == number:
                rounds.append({})
            rounds[number][name] = found
            if found.state.name == "stopped":
                break
        if interrupted and not rounds:
            return  # it came before this one, of which there is nothing to tell
        played = Played(*rounds, stopped=interrupted)
        if isinstance(each, Example):
            yield ExampleTried(each, played, refused)
        else:
            missing = sum(map(len, rounds)) < sum(play.rounds for play in plays.values())
            yield Tried(each, played, _ruled(each, played, refused, missing))
        if played.stopped:
            return


def _in_turn(plays: Mapping[str, Play]) -> Iterator[tuple[int, str, Play]]:
    """Return each round's number and plays; every other round goes backwards.

    So neither of two loops that are compared comes first in more than every other pair.
    """
    for number in range(max(play.rounds for play in plays.values())):
        again = [(name, play) for name, play in plays.items() if play.rounds > number]
        for name, play in again[::-1] if number % 2 else again:
            yield number, name, play


def _ruled(claim: Claim, played: Played, refused: str, missing: bool) -> Ruling:
    if refused:
        return Ruling(OPEN, refused, to_decide="a machine on which it may be run")
    if missing:
        return Ruling(OPEN, "It was stopped.", to_decide="all of its runs")
    try:
        ruling = claim.decide(played)
    except LabkitError as error:
        return Ruling(OPEN, str(error), to_decide="a run that comes to its end")
    if ruling.name == OPEN and played.open:
        return replace(ruling, because=f"{ruling.because} Open: {', '.join(played.open)}.")
    return ruling
