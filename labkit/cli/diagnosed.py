"""What comes of ``labkit diagnose``: fresh runs are diagnosed, kept, told, and decided upon."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from labkit.bench.session.session import Session
from labkit.cli.bench import CommandBench
from labkit.cli.loading import loaded
from labkit.cli.outputs import Outputs
from labkit.cli.script_progress import tell_progress
from labkit.cli.words import Words, say
from labkit.lab.own_loop.alarms.alarm import alarm_sentence, alarms, place_of
from labkit.lab.own_loop.alarms.confirmed import Confirmed, confirmed, why_unconfirmed
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.lab.own_loop.diagnose import diagnose, loop_source
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import KINDS, LOOPS
from labkit.lab.own_loop.script import diagnose_started
from labkit.lab.own_loop.unjudged import UnjudgedError

FAILED, FAILED_ON = 1, 3
UNCONFIRMED = (
    "but this was stopped before fresh runs could confirm it: --fail-on has decided nothing."
)
ENDED_EARLY = (
    "saw the script up to where labkit ended it, as soon as the answer was certain; of what comes "
    "after that nothing was run. With --whole the script runs to its own end."
)


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a diagnosis.

    Args:
        kinds: The alarms to fail on.
        outputs: Its page and its run.
        as_json: Whether it is told as JSON.
    """

    kinds: tuple[str, ...]
    outputs: Outputs
    as_json: bool


def script_diagnosed(
    sessions: Iterator[Session], title: str, *, whole: bool, place: tuple[str, int] | None
) -> Callable[[], Diagnosed]:
    """Return what diagnoses the next run of a script.

    Args:
        sessions: Its runs, each started when it is asked for.
        title: What the script is called.
        whole: Whether it runs to its own end.
        place: The file and line of the loop whose turns are the steps; None to find it.
    """
    show = functools.partial(tell_progress, title)
    return lambda: diagnose_started(next(sessions), title, whole=whole, place=place, show=show)


def loop_diagnosed(loop: str, **asked: Any) -> Callable[[], Diagnosed]:
    """Return what runs and diagnoses a loop, given as to `diagnose`.

    Raises:
        LabkitError: If it is not a loop.
    """
    loaded(loop if loop.endswith(".py") else loop_source(loop))
    return lambda: diagnose(loop, **asked)


def confirm(
    once: Callable[[], Diagnosed], wanted: Wanted, bench: CommandBench, words: Words
) -> Confirmed:
    """Diagnose fresh runs until an alarm is sure or refuted, and keep what was asked for.

    Args:
        once: Diagnoses a fresh run.
        wanted: What is wanted.
        bench: Knows whether somebody has it stopped.
        words: Keep the files.

    Raises:
        UnjudgedError: If a run could not be judged; it is kept.
    """
    outputs = wanted.outputs
    try:
        told = confirmed(
            once, wanted.kinds, keep=outputs.keep_meanwhile, stopped=lambda: bool(bench.status)
        )
    except UnjudgedError as fault:
        outputs.keep_unjudged(fault.run, words)
        raise
    outputs.keep(told.said, words)
    return told


def tell(told: Confirmed, wanted: Wanted, bench: CommandBench) -> int:
    """Say what came of it, and return the exit status.

    Args:
        told: What came of it.
        wanted: What is wanted.
        bench: Knows whether somebody had it stopped.
    """
    said, kinds = told.said, wanted.kinds
    _say(said, as_json=wanted.as_json)
    if kinds and bench.ended_early and said.run.state.completed and said.diagnosis.loop is not None:
        say(f"labkit: --fail-on {','.join(kinds)} {ENDED_EARLY}", err=True)
    if bench.status and (told.stopped or told.failed is not None):
        say(f"labkit: {alarm_sentence(alarms(said, kinds), said)}, {UNCONFIRMED}", err=True)
    return bench.status or _status(told, kinds)


def _say(said: Diagnosed, *, as_json: bool) -> None:
    if not as_json:
        say(str(said))
        return
    if said.run.state.traceback:
        say(said.run.state.traceback.rstrip(), err=True)  # in words it is told already
    click.echo(json.dumps(said.as_json()))


def _status(confirmed: Confirmed, kinds: tuple[str, ...]) -> int:
    said, raised = confirmed.said, confirmed.raised
    if confirmed.failed is not None:
        told = alarm_sentence(alarms(said, kinds), said)
        why = why_unconfirmed(said, confirmed.failed, kinds)
        say(f"labkit: {told}, but a fresh run could not confirm it: {why}.", err=True)
        return FAILED
    if not said.run.state.completed or not len(said.run.steps):
        return FAILED
    if raised:
        fired = ",".join(kind for kind in KINDS if any(each.kind == kind for each in raised))
        told = alarm_sentence(raised, said)
        say(f"labkit: --fail-on {fired}: {told}, in each of {LOOPS} runs.", err=True)
        return FAILED_ON
    if doubtful := alarms(said, kinds):
        told = alarm_sentence(doubtful, said)
        passed = f"{told}, but not in each of {LOOPS} runs: --fail-on lets it pass"
        say(f"labkit: {passed}.", err=True)
    elif dropped := confirmed.dropped:
        told = f"{alarm_sentence(dropped, said)} in the first run, but not in a fresh one"
        say(f"labkit: {told}: --fail-on lets it pass.", err=True)
    for each in said.every:
        if (open_ := untested(each, kinds)) and each is not said.longest:
            told = f"could not tell of the loop at {place_of(each)}: {untested_sentence(each)}"
            say(f"labkit: --fail-on {','.join(open_)} {told}.", err=True)
    if kinds and said.run.state.reason:
        why = said.run.state.reason.rstrip(".")
        told = "did not see all" if said.minor_reason else "could not tell"
        say(f"labkit: --fail-on {','.join(kinds)} {told}: {why}.", err=True)
        if not said.minor_reason:
            return FAILED
    if open_ := untested(said.longest, kinds):
        why = untested_sentence(said.longest)
        say(f"labkit: --fail-on {','.join(open_)} could not tell: {why}.", err=True)
        return FAILED  # a gate that nobody has tried is not passed
    return 0
