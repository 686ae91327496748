"""What was timed inside one step of workers that meet in it: who came first, and waited.

Numbers of the run and nothing else. Knows nothing of drawing; the panel and
`labkit.show.meeting_bars` draw it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.cause import Meeting
from labkit.record import Event, Run, quantity

# Where workers meet only in every tenth step, the latest such step is told.
LOOKED_BACK = 200


@dataclass(frozen=True)
class WorkerPart:
    """What a worker did for a part of the step.

    Args:
        of: Its colour, as what the dots of other causes have: ``"walked"`` for its own work,
            ``"fresh"`` for waiting, ``"all"`` for the exchange.
        percent: How long, of the time from the first one's beginning to the last one's end.
        line: The same in words.
    """

    of: str
    percent: float
    line: str


@dataclass(frozen=True)
class Worker:
    """One worker's step.

    Args:
        name: Which one.
        before: How much later than the first it began, in percent of the same.
        parts: What it did, in order.
    """

    name: str
    before: float
    parts: tuple[WorkerPart, ...]


@dataclass(frozen=True)
class MeetingStep:
    """One step of all workers.

    Args:
        title: Which step.
        workers: The first one first.
        caption: What happens, in a few words.
    """

    title: str
    workers: tuple[Worker, ...]
    caption: str


# Returns steps start to end - 1 of a column of a worker.
Read = Callable[[str, int, int, int], NDArray[np.float64]]


def meeting_run(meeting: Meeting, run: Run) -> MeetingStep | None:
    """Return the latest step of a run in which its workers met, as `meeting_step` does.

    Args:
        meeting: What to look for.
        run: The run.
    """
    workers = (run.steps, *run.others)

    def read(column: str, start: int, end: int, worker: int) -> NDArray[np.float64]:
        steps = workers[worker]
        return np.asarray(steps.column(column)[start:end] if column in steps.names else ())

    return meeting_step(meeting, read, len(run.steps), len(workers), run.events)


def meeting_step(
    meeting: Meeting, read: Read, count: int, workers: int, events: Sequence[Event] = ()
) -> MeetingStep | None:
    """Return the latest step since the last flip in which all workers met, else the latest of all.

    Args:
        meeting: What to look for.
        read: Returns a part of a column of a worker.
        count: How many steps the first worker has done.
        workers: How many there are.
        events: What happened in the steps.

    Returns:
        None where there is one worker, or where nobody timed what they spend at the meeting.
    """
    flipped = max((event.step for event in events if event.kind == "toggle"), default=0)
    start = max(flipped, count - LOOKED_BACK, 1)  # the first step is TensorFlow's start-up
    if workers < 2 or start >= count:
        return None
    names = ("start_seconds", "seconds", meeting.column)
    columns = [[read(name, start, count, worker) for name in names] for worker in range(workers)]
    done = min(len(values) for of_one in columns for values in of_one)
    if not done:
        return None
    # Of each a row per worker.
    began, seconds, met = (np.array([each[k][:done] for each in columns]) for k in range(3))
    if not np.isfinite(met).all():
        return None
    together = np.flatnonzero((met > 0).all(axis=0))
    at = int(together[-1]) if len(together) else done - 1
    ends = began + seconds
    # Each worker counts from its own first step; but they leave the meeting at the same time.
    ends -= np.median((ends - ends[0])[:, together if len(together) else [at]], axis=1)[:, None]
    step = _Times(ends[:, at] - seconds[:, at], ends[:, at], met[:, at])
    return MeetingStep(
        f"inside step {start + at:,}",
        tuple(step.worker(place) for place in range(workers)),
        meeting.caption if len(together) else meeting.rest,
    )


@dataclass(frozen=True)
class _Times:
    """When each worker began and ended a step, and how long it was at the meeting, in seconds."""

    begins: NDArray[np.float64]
    ends: NDArray[np.float64]
    met: NDArray[np.float64]

    def worker(self, place: int) -> Worker:
        first, last = float(self.begins.min()), float(self.ends.max())
        arrivals = self.ends - self.met
        own = float(arrivals[place] - self.begins[place])
        there = float(self.met[place])
        waited = min(there, float(arrivals.max() - arrivals[place]))
        parts = (
            ("walked", own, "of its own work"),
            ("fresh", waited, "waiting for it"),
            ("all", there - waited, "exchanging with it"),
        )
        percent = 100 / (last - first or 1)
        return Worker(
            f"worker {place + 1}",
            percent * float(self.begins[place] - first),
            tuple(
                WorkerPart(of, percent * seconds, f"{quantity.duration(seconds)} {words}")
                for of, seconds, words in parts
                if seconds > 0
            ),
        )
