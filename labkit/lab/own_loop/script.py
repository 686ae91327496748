"""Diagnose a script: run whole and watched, until enough is known of the loop that it is in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from labkit.bench.bench import Bench
from labkit.bench.script import Script, start_script
from labkit.bench.session.session import Session
from labkit.diagnosis import examine, judgement
from labkit.diagnosis.script.between import enough_between, with_between
from labkit.diagnosis.script.loops import StepLoop, step_loops
from labkit.lab.kernel import bench, wait_for
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.early_stopping import Looking
from labkit.lab.own_loop.printed import printed
from labkit.lab.own_loop.request import SCRIPT_SECONDS, place_of_step
from labkit.lab.own_loop.unjudged import kept
from labkit.lab.own_loop.unwatched import Unwatched, unwatched
from labkit.record import Diagnosis, Run
from labkit.record.loop import SourceLoop
from labkit.show.progress import follow

# A script is made to run for long: what it keeps may show its price late.
LEAST_SECONDS = 30.0
NO_STEP = (
    "No step was found: TensorFlow worked in no loop of the script that turned twice or more. (A "
    "file that defines make_step(), without arguments, is run by that when its path is given; what "
    "make_step() returns is the step then.)"
)
NONE_SO_FAR = "No step was found up to there."

# Shows how far a run is: the run, what returns the loop that it is in and the seconds of its turns,
# and what waits so many seconds or until the run has ended.
Latest = Callable[[], tuple[SourceLoop, Sequence[float]] | None]
Show = Callable[[Session, Latest, Callable[[float], object]], None]


def diagnose_script(
    asked: Script,
    *,
    seconds: float | None = SCRIPT_SECONDS,
    step: str = "",
    on: Bench | None = None,
    show: Show | None = None,
) -> Diagnosed:
    """Run a script and say what happened to its steps, why, and what to change.

    Args:
        asked: The script.
        seconds: How long it may run at most, as a rule less; None for as long as it likes, to its
            own end.
        step: Which loop's turns are the steps, as ``train.py:61``; empty to find it.
        on: The bench to run it on; by default this kernel's.
        show: Shows how far it is, until it has ended; by default a bar, and what the script prints.

    Raises:
        LabkitError: If it cannot be started, or there is no loop where one was named.
    """
    place = place_of_step(step)
    session = start_script(on or bench(), asked, seconds, place)
    return diagnose_started(session, asked.title, whole=seconds is None, place=place, show=show)


def diagnose_started(
    session: Session,
    title: str,
    *,
    whole: bool,
    place: tuple[str, int] | None = None,
    show: Show | None = None,
) -> Diagnosed:
    """Say what happened to the steps of a script that runs already, why, and what to change.

    Args:
        session: Its run.
        title: What the script is called.
        whole: Whether it runs to its own end.
        place: The file and line of the loop whose turns are the steps; None to find it.
        show: Shows how far it is, until it has ended; by default a bar, and what the script prints.

    Raises:
        LabkitError: If there is no loop where one was named.
    """
    view = _View(place)

    def may_end(said: Diagnosis, lasted: float) -> bool:
        certain = said.verdict.slower or lasted >= LEAST_SECONDS
        return certain and view.saw_enough_between()

    looking = Looking(session, view, may_end=None if whole else may_end)
    told = f"watching {title}"
    try:
        if show is None:
            with printed(session) as printing:

                def wait(seconds: float) -> None:
                    printing.pass_on()
                    looking(seconds)

                bar = partial(follow, session, None, told, sleep=wait)
                run = wait_for(session, told, lambda *_: bar(), wait)
        else:
            run = wait_for(session, told, lambda *_: show(session, view.latest, looking), looking)
    except BaseException:
        session.stop()  # whatever went wrong here, the script must not run on by itself
        raise
    run = replace(run, title=title)
    with kept(run):
        loops = view.loops(run)
        missed = view.unwatched(run, loops)
        if missed.sentence:
            run = replace(run, state=replace(run.state, reason=missed.sentence))
        first, others = _in_order(_all_told(run, loops, looking, view))
        return Diagnosed(first, others, bool(missed.sentence) and not missed.large)


class _View:
    """The loop of a run that goes on which is looked at: the one that it is in.

    Args:
        place: The file and line of the loop that was named; None to find it.
    """

    def __init__(self, place: tuple[str, int] | None) -> None:
        self._place = place
        self._latest: StepLoop | None = None

    def __call__(self, run: Run) -> Run | None:
        """Return the run of that loop's turns; None as long as there is none."""
        loops = self.loops(run)
        self._latest = max(loops, key=_began, default=None)
        return None if self._latest is None else self._latest.run

    def loops(self, run: Run) -> tuple[StepLoop, ...]:
        """Return all loops whose turns are steps."""
        return step_loops(run, self._place)

    def unwatched(self, run: Run, loops: Sequence[StepLoop]) -> Unwatched:
        """Return what a run did where no step shows it, if that matters."""
        # Who names a loop asks for that one alone.
        if self._place is not None or not run.state.completed or run.state.reason:
            return Unwatched()
        return unwatched(run, loops)

    def why_none(self, run: Run) -> str:
        """Say why a run has no steps."""
        if self._place is None:
            return NO_STEP
        lines = sorted({each.source.line for each in step_loops(run)})
        here = f"; loops with steps begin in line {', '.join(map(str, lines))}" if lines else ""
        return f"TensorFlow worked in no loop that has {self._place[0]}:{self._place[1]}{here}."

    def latest(self) -> tuple[SourceLoop, Sequence[float]] | None:
        """Return the loop that was looked at last, and the seconds of its turns."""
        if self._latest is None:
            return None
        return self._latest.source, self._latest.run.steps.seconds

    def saw_enough_between(self) -> bool:
        """Tell whether what lies between the turns was seen often enough, or hardly matters."""
        return self._latest is None or enough_between(self._latest)

    def is_latest(self, loop: StepLoop) -> bool:
        """Tell whether it is that loop."""
        return self._latest is not None and self._latest.source == loop.source


def _began(loop: StepLoop) -> float:
    return float(loop.run.steps.column("start_seconds")[-1])


def _all_told(
    run: Run, loops: Sequence[StepLoop], looking: Looking, view: _View
) -> list[Diagnosis]:
    if not loops:
        return [judgement(_without_steps(run, view))]
    told = []
    for each in loops:
        turns = replace(each.run, state=run.state)
        said = looking.told(turns) if view.is_latest(each) else examine(turns)
        if said.verdict.reason == "few_steps":
            by_order = examine(turns, few=True)
            said = by_order if by_order.verdict.slower else said
        said = with_between(said, each)
        told.append(replace(said, loop=each.source, entries=each.entries))
    return told


def _without_steps(run: Run, view: _View) -> Run:
    """Return the run of a script in which no step was found, and say so unless it failed."""
    state = run.state
    if not state.reason:
        state = replace(state, reason=view.why_none(run))
    elif state.name == "stopped":
        state = replace(state, reason=f"{state.reason} {NONE_SO_FAR}")
    return replace(run, steps=run.steps[:0], events=(), evidence={}, state=state)


def _in_order(told: Sequence[Diagnosis]) -> tuple[Diagnosis, tuple[Diagnosis, ...]]:
    """Return the diagnosis that matters first, and the others."""
    first, *others = sorted(told, key=_weight, reverse=True)
    return first, tuple(others)


def _weight(said: Diagnosis) -> tuple[bool, float, bool, float]:
    seconds = float(sum(said.run.steps.seconds)) if len(said.run.steps) else 0.0
    grown = said.ledger.growth_seconds * len(said.judged.steps)
    return said.verdict.slower, grown, said.memory.label == "leaking", seconds
