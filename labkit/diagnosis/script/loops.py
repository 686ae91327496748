"""The loops of a script: whose turns are steps, and the run of each such loop, cut from the rows.

A turn of a loop is all rows from where it begins to where the next does, those of loops within it
included. Steps are the turns of the innermost loop that trains again and again, however many of
them lie between two trainings; of a loop that trains in few turns each time and lies within another
that does in most of its own, such as one over the two networks of a GAN, it is that other. Where
nothing is known to train, any loop in which TensorFlow works will do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from labkit.diagnosis.script.loop_run import as_steps
from labkit.diagnosis.script.turns import Turns, between, outer_loops, turns_of
from labkit.record import Run
from labkit.record.loop import LOOP, LOOP_EVENT, OUTSIDE, SourceLoop

# Turns of a loop each time it is entered; with fewer it is a part of a step.
FEW_TURNS = 8.0
# Whole trainings in a loop of the script's, each a fit or a session of its own, as for the folds of
# a validation: with so many of them each is a step as well.
TRAININGS_TO_TELL = 20
NEARLY_EACH, FEW_OPENED = 0.8, 0.1
SESSIONS = "sessions"
OF_FIT = ("epoch", "fit")


@dataclass(frozen=True)
class StepLoop:
    """A loop whose turns are steps.

    Args:
        source: Where it stands.
        run: Its turns as steps, with what happened in them.
        entries: How often it was entered, in epochs or calls.
        between: What lies between them, from the last turn of an entry to the first of the next,
            as steps; such as validation and checkpoints.
        turns: Which rows of the script they are.
    """

    source: SourceLoop
    run: Run
    entries: int
    between: Run
    turns: Turns

    @property
    def seconds(self) -> float:
        """What all its turns took together."""
        return float(np.sum(self.run.steps.seconds))


def is_of_script(run: Run) -> bool:
    """Tell whether a run is that of a script, of which nobody has said yet what a step is."""
    return LOOP.name in run.steps.names


def step_loops(run: Run, place: tuple[str, int] | None = None) -> tuple[StepLoop, ...]:
    """Return the loops of a script whose turns are steps, the one first that took most time.

    Args:
        run: Of a script, still going or ended.
        place: The file and a line of the loop that was named; None to find it.
    """
    if not len(run.steps):
        return ()
    sources = {
        int(event.detail["number"] or 0): SourceLoop.from_detail(event.detail)
        for event in run.events
        if event.kind == LOOP_EVENT
    }
    outer = outer_loops(run)
    turns = {number: turns_of(run, number, outer) for number in outer}
    turns = {number: each for number, each in turns.items() if len(each)}
    training = {number: each for number, each in turns.items() if each.trains}
    if place is None:
        chosen = _chosen(training or turns, outer, sources, run)
    else:
        chosen = _named(turns, sources, place)
    found = [
        StepLoop(sources[number], as_steps(run, turns[number]), turns[number].entries,
                 as_steps(run, between(turns[number])), turns[number])
        for number in chosen
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda each: -each.seconds))


def _chosen(
    turns: Mapping[int, Turns],
    outer: Mapping[int, int],
    sources: Mapping[int, SourceLoop],
    run: Run,
) -> Iterator[int]:
    """Yield the numbers of the loops whose turns are steps."""
    inner = {number: [other for other in turns if outer.get(other) == number] for number in turns}
    of_trainings = {
        number
        for number, each in turns.items()
        if len(each) >= TRAININGS_TO_TELL
        and not each.seldom
        and sources[number].kind not in OF_FIT
        and any(
            sources[other].kind in OF_FIT or _opens_sessions(run, each, turns[other])
            for other in inner[number]
        )
    }
    # Few fits in each round of many are the steps all the same.
    parts = {number for number in turns if _is_part_of_step(number, turns, outer)} - of_trainings
    for number in turns:
        # What is around a part is asked in its turn, and may take the step over.
        if number in of_trainings or (number not in parts and parts.issuperset(inner[number])):
            yield number


def _opens_sessions(run: Run, turns: Turns, within: Turns) -> bool:
    """Tell whether nearly each turn of a loop opens a session, and those within it hardly any."""
    if SESSIONS not in run.steps.names:
        return False
    so_far = np.append(0.0, np.nan_to_num(run.steps.column(SESSIONS)))
    opened = so_far[turns.ends] - so_far[turns.begins]
    few = float(np.median(opened)) <= FEW_OPENED * len(within) / len(turns)
    return few and float((opened >= 1).mean()) >= NEARLY_EACH


def _named(
    turns: Iterable[int], sources: Mapping[int, SourceLoop], place: tuple[str, int]
) -> Iterator[int]:
    """Yield the number of the innermost loop that contains a line."""
    around = [number for number in turns if sources[number].contains(*place)]
    # Of a fit and its epochs, which stand on one line, the batches.
    yield from sorted(around, key=lambda number: (sources[number].line, number))[-1:]


def _is_part_of_step(number: int, turns: Mapping[int, Turns], outer: Mapping[int, int]) -> bool:
    """Tell whether a loop has few turns each time, and the one around it has more.

    An agent that acts for a thousand turns, and then learns in four, learns in steps of its own.
    """
    around = turns.get(outer.get(number, OUTSIDE))
    if around is None or around.seldom:
        return False
    return turns[number].each_time < min(FEW_TURNS, around.each_time)
