"""The inside of a step, of whichever kind its cause declares, and its picture."""

from __future__ import annotations

from labkit.cause import Mechanism, Meeting
from labkit.record import Run
from labkit.show.inside.inside_step import InsideStep, inside_run, inside_step
from labkit.show.inside.meeting_bars import meeting_bars
from labkit.show.inside.meeting_step import MeetingStep, meeting_run, meeting_step
from labkit.show.inside.step_dots import step_dots
from labkit.show.live.source import Source
from labkit.show.markup import Markup

Inside = InsideStep | MeetingStep


def inside_of(mechanism: Mechanism | Meeting | None, run: Run) -> Inside | None:
    """Return the latest step of a run that tells something; None where nothing is known of it.

    Args:
        mechanism: What the cause declares.
        run: The run.
    """
    if mechanism is None:
        return None
    if isinstance(mechanism, Meeting):
        return meeting_run(mechanism, run)
    return inside_run(mechanism, run)


def inside_now(mechanism: Mechanism | Meeting | None, run: Source) -> Inside | None:
    """Return the same of a run that may be in progress."""
    if mechanism is None:
        return None
    events = tuple(run.events)
    if isinstance(mechanism, Meeting):
        return meeting_step(mechanism, run.read, run.count, run.workers, events)
    return inside_step(mechanism, run.columns, run.read, run.count, events)


def picture_of(inside: Inside | None) -> Markup:
    """Return a step's still picture; nothing of none."""
    if inside is None:
        return Markup()
    return meeting_bars(inside) if isinstance(inside, MeetingStep) else step_dots(inside)
