"""Steady: a test of the reader's own, that fails when a loop slows down or leaks."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from labkit.bench.starting import is_whole
from labkit.bench.worker.environment import device_wait, gpu_name
from labkit.cause.step import plain_step, whole_step
from labkit.diagnosis import examine
from labkit.lab.own_loop.alarms.alarm import RISING, alarm_sentence, alarms
from labkit.lab.own_loop.alarms.confirmed import Confirmed, confirmed
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import KINDS, LOOPS
from labkit.lab.own_loop.watching import Watching
from labkit.record import LabkitError
from labkit.record.plain_text import plain_text
from labkit.show.report.diagnosis_words import IDLE
from labkit.show.titles import counter_title

FEWEST_STEPS, MOST_STEPS = 100, 100_000
TOLERATED_GROWTH = 0.05
# What is kept can be told from what settles only by a row of counts.
COUNTS = 10
# So long must a loop take that looking for the lines that got slower leaves enough of it to judge.
LINES_SECONDS = 5.0
VERBS = {"slowdown": "slows down", "leaking": "leaks"}
# On a busy machine no healthy loop may fail; and nobody may think that it was tried.
UNTOLD = "assert_steady could not tell whether the loop {}: {}."
# Fresh loops run in this process, where what a module keeps is full already.
ONLY_THE_FIRST = (
    "assert_steady could not tell whether the loop {}: the first did{}, and a fresh one did not. "
    "What a module keeps, such as a cache, may have been filled by the first{}; give more steps "
    "than it takes to fill, or use  labkit diagnose FILE.py --fail-on {}: its processes are fresh."
)
LONGER_SPIKES = (
    f"assert_steady could not tell whether the loop slows down: in each of {LOOPS} loops its "
    "spikes get longer, and they are too few, or too irregular, to be sure; give more steps."
)
OR_THE_MACHINE = ", or the machine was busy"
Step = Callable[[], object]


def assert_steady(
    make_step: Callable[[], Step],
    steps: int = 200,
    *,
    growth: float = TOLERATED_GROWTH,
    leaking: bool = True,
) -> Diagnosed:
    """Run a loop in this process, and fail with the diagnosis if it slows down or leaks.

    The rule, so that no busy machine fails a healthy loop: if `steps` steps show something, the
    same loop runs on to twice as many, and if those show it too, two fresh loops are made and must
    show the same, a leak in the same counter. A loop of which nothing can be told yet runs on, too.
    Warm-up is set aside; a level that jumps up is a slowdown. Four spikes or more that get longer
    each time, too few to be sure of, are a warning. A store that is still filling looks
    like a leak, but for a deque with a bound: give more steps than it takes to fill.

    Args:
        make_step: Returns a function that does one step. It is called anew for each fresh loop; if
            it cannot be called again, the first loop runs on in its place.
        steps: How many steps the loop is run at least, from 100 to 100,000.
        growth: Less growth than this is not a failure; 0.05 is +5 %.
        leaking: Whether a leak is a failure, however few bytes it is.

    Returns:
        The diagnosis, of the last loop that was run. Where it could not be told whether the loop is
        steady, a warning says so; with ``-W error`` the test fails then.

    Raises:
        AssertionError: If the loop is not steady, or TensorFlow did no work in it; the message is
            the whole diagnosis.
        LabkitError: If a number is out of range, `make_step` did not return a function, the loop
            called `sys.exit`, or TensorFlow is not installed.
    """
    __tracebackhide__ = True  # pytest shows the test's line, and not this one
    if not is_whole(steps) or not FEWEST_STEPS <= steps <= MOST_STEPS:
        raise LabkitError(
            f"steps = {steps!r} is not allowed; choose a whole number from {FEWEST_STEPS} to "
            f"{MOST_STEPS:,}: fewer cannot show a slowdown."
        )
    if not isinstance(growth, int | float) or not 0 <= growth <= 100:
        raise LabkitError(f"growth = {growth!r} is not allowed; choose from 0 to 100 (0.1: +10 %).")
    if not callable(make_step):
        raise LabkitError(
            f"{make_step!r} is not a function; give the function that returns the step."
        )
    kinds = KINDS if leaking else KINDS[:1]
    try:
        told = confirmed(_Trial(make_step, int(steps), kinds, growth), (*kinds, RISING), growth)
    except SystemExit as error:
        # A test file run without pytest would end with the loop's status 0, and nothing was judged.
        raise LabkitError(
            f"The loop called sys.exit({error.code!r}) and nothing was judged; take that call out "
            "of what make_step() and its step run."
        ) from error
    certain = [each for each in told.raised if each.kind != RISING]
    if certain:
        sentence = alarm_sentence(certain, told.said)
        raise AssertionError(plain_text(f"The loop is not steady: {sentence}.\n{told.said}"))
    if told.said.longest.idle:
        raise AssertionError(plain_text(f"The loop was not tested: {IDLE}.\n{told.said}"))
    for sentence in (*[LONGER_SPIKES][: len(told.raised)], *_only_the_first(told)):
        warnings.warn(sentence, stacklevel=2)
    said = told.failed or told.said
    if open_ := untested(said.longest, kinds):
        warnings.warn(UNTOLD.format(" or ".join(VERBS[kind] for kind in open_),
                                    untested_sentence(said.longest)), stacklevel=2)  # fmt: skip
    return said


def _only_the_first(told: Confirmed) -> Iterator[str]:
    """Yield a sentence for each thing that the first loop did, and a fresh one did not."""
    if any(each.kind == "slowdown" for each in told.dropped):
        yield ONLY_THE_FIRST.format(VERBS["slowdown"], "", OR_THE_MACHINE, "slowdown")
    # Bytes wander; what is counted does not rise by chance.
    counted = {each.counter for each in told.dropped if not each.counter.endswith("bytes")}
    if kept := sorted(counted - {""}):
        named = f" ({', '.join(map(counter_title, kept))})"
        yield ONLY_THE_FIRST.format(VERBS["leaking"], named, "", "leaking")


class _Trial:
    """Makes a fresh loop at each call, runs it and diagnoses it.

    The first runs on to twice as many steps if it raises an alarm: what only fills up is full by
    then. Any does if nothing can be told of it yet.
    """

    def __init__(
        self, make_step: Callable[[], Step], steps: int, kinds: Iterable[str], growth: float
    ) -> None:
        self._make_step = make_step
        self._steps = steps
        self._kinds = tuple(kinds)
        self._growth = growth
        self._step: Step | None = None
        self._first, self._lines = True, False

    def __call__(self) -> Diagnosed:
        __tracebackhide__ = True
        self._step = step = self._made()
        # What the loop before left would be freed while this one is counted: a leak of functions
        # was found in two loops and not in the third, and the test passed.
        gc.collect()
        name = getattr(self._make_step, "__name__", "")
        title = name if name.isidentifier() else "your loop"
        watching = Watching(title, step, lines=self._lines)
        try:
            _go(watching, step, self._steps)
            raised, undecided = self._heard(watching)
            # Of spikes that may grow, twice as many tell.
            if undecided or (self._first and raised) or raised == {RISING}:
                _go(watching, step, self._steps)
                raised, _ = self._heard(watching)
            if raised:
                watching.look_last()
        finally:
            watching.close()
        said = Diagnosed(examine(watching.run()))
        self._first = False
        self._lines = sum(said.run.steps.seconds) >= LINES_SECONDS
        return said

    def _made(self) -> Step:
        __tracebackhide__ = True
        try:
            made: Any = self._make_step()
        except Exception:
            if self._step is None:
                raise
            return self._step  # e.g. names that TensorFlow 1 gives only once in a graph
        return plain_step(made, "make_step()")

    def _heard(self, watching: Watching) -> tuple[set[str], bool]:
        """Return the kinds of alarms raised so far, and whether nothing can be told yet."""
        said = examine(watching.run())
        raised = alarms(Diagnosed(said), (*self._kinds, RISING), self._growth)
        return {each.kind for each in raised}, bool(untested(said, self._kinds))


def _go(watching: Watching, step: Step, steps: int) -> None:
    __tracebackhide__ = True
    synchronise = device_wait(gpu_name() is not None)
    every = steps // COUNTS
    body = whole_step(step)
    for index in range(steps):
        if index % every == 0:
            watching.look()
        watching.begin()
        body()
        body = step
        if synchronise is not None:
            synchronise()
        watching.end()
