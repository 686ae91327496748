"""A trial in a notebook or a terminal: the experiments are run on a bench, one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.causes import SLUGS, load
from labkit.claims import Play, Tried, chosen, trials
from labkit.claims.example_trial import ExampleTried
from labkit.claims.table import Trial
from labkit.lab.kernel import bench, wait_for
from labkit.lab.settings import run_limits, split_settings
from labkit.record import Run


def trial(
    *ids: str,
    device: str = "auto",
    on: Bench | None = None,
    tell: Callable[[Tried | ExampleTried], object] | None = None,
) -> Trial:
    """Run the experiments of some claims, or of all, and rule on each; or run the posts' examples.

    An interrupt ends the trial and keeps what was ruled.

    Args:
        ids: Ids of claims, e.g. ``"1.3"``, and of the fifteen examples, e.g. ``"1.a"``, which are
            run as they were posted and repaired; ``"examples"`` for all of these. None tries all
            claims. All of either take some minutes.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the graphics card where one works. A claim
            about cards needs one, and says so where there is none.
        on: The bench to run them on; by default this kernel's.
        tell: Called with each as soon as it is done; all of them take minutes.

    Raises:
        ChoiceError: If there is no such claim, example or device; the sentence lists them.
    """
    every = chosen(ids)
    there = on or bench()
    runner = _Runner(there, there.devices.for_run(device).name)
    done = []
    # Within a run it is `wait_for` that hears an interrupt; here it came while one was ruled on.
    with contextlib.suppress(KeyboardInterrupt):
        for each in trials(every, runner, card=runner.device == "gpu"):
            done.append(each)
            if tell is not None:
                tell(each)
    return Trial(tuple(done), tuple(each.id for each in every[len(done) :]))


class _Runner:
    """Runs one play after the other, until somebody interrupts.

    Args:
        on: The bench to run them on.
        device: Where those are run that do not say where.
    """

    def __init__(self, on: Bench, device: str) -> None:
        self.device = device
        self._on = on
        self._latest: Session | None = None

    def __call__(self, play: Play, title: str) -> Run:
        if self._latest is not None and self._latest.stop_asked:
            raise KeyboardInterrupt  # it came just as that run had ended by itself
        self._latest = _start(play, self._on, play.device or self.device)
        return wait_for(self._latest, title)


def _start(play: Play, on: Bench, device: str) -> Session:
    source = play.source if play.source in SLUGS else str(play.file)
    toggles, sizes = split_settings(load(source), play.settings)
    limits = run_limits(play.seconds)
    return on.start(
        source, toggles=toggles, sizes=sizes, steps=play.steps, limits=limits, device=device
    )
