"""What proves a finding: one kind of value for each kind of proof, in names and numbers.

Places and counters are named by their columns; `labkit.show` looks up titles and makes the
sentence. Shares are of the growth unless they say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TraceReason = Literal["first", "value", "shape", "dtype", "object", "other"]


@dataclass(frozen=True)
class PlacesGrew:
    """Steps got longer at the places of the cause.

    Args:
        growth_seconds: How much longer a step takes.
        places: The places that hold most of it, each with its share, largest first.
        first_seconds: What the first of them holds.
        half_seconds: Half the 95 % interval of that, where it is known.
        counter: What rises besides; empty for nothing.
        per_step: By how much it rises.
        level_seconds: What all places of the cause took at the start already, where that was a
            good part of a step: the cause is expensive before it grows.
    """

    growth_seconds: float
    places: tuple[tuple[str, float], ...]
    first_seconds: float
    half_seconds: float | None = None
    counter: str = ""
    per_step: float = 0.0
    level_seconds: float | None = None


@dataclass(frozen=True)
class StablePrice:
    """Each unit of a counter makes a step longer, early and late alike."""

    counter: str
    seconds: float
    early_seconds: float
    late_seconds: float
    units: float
    share: float


@dataclass(frozen=True)
class PagesAwaited:
    """Steps wait for pages of memory to come from a disk, more and more of them."""

    first_pages: float
    last_pages: float
    page_seconds: float
    share: float


@dataclass(frozen=True)
class SlowerOps:
    """The same ops take longer, and their work does not explain it.

    Args:
        share: What the step's own work holds.
        more_elements: How many more elements they are given, as a share; None for as many.
        times: How many times as long they take, where they are given more.
    """

    share: float
    more_elements: float | None = None
    times: float = 1.0


@dataclass(frozen=True)
class Grown:
    """Something that grew from its first value to its last.

    Args:
        name: The counter; what is kept is named ``kept/...``.
        first: Its value when it had settled.
        last: Its last value.
        per_step: By how much it rises.
    """

    name: str
    first: float
    last: float
    per_step: float


@dataclass(frozen=True)
class OwnWork:
    """The step's own work takes longer, while something grows.

    Args:
        share: What the work holds.
        grown: Log handlers, what is kept, or the work itself.
        line: The line of code that got slower most; empty where none was seen.
        line_seconds: By how much.
    """

    share: float
    grown: Grown
    line: str = ""
    line_seconds: float = 0.0


class HandlersGrew(OwnWork):
    """Each message passes ever more log handlers."""


class KeptGrew(OwnWork):
    """What the loop keeps grows."""


class WorkGrew(OwnWork):
    """The work that a step is given grows."""


@dataclass(frozen=True)
class FunctionsGrew:
    """Compiled functions take longer, though none is traced anew or handed more.

    Args:
        share: What running them holds of the growth.
        first_seconds: What it took at first.
        more_seconds: How much longer it took at the end.
        numbers: The sum of the whole numbers that they are handed one by one, where it grows.
    """

    share: float
    first_seconds: float
    more_seconds: float
    numbers: Grown | None = None


@dataclass(frozen=True)
class BetweenGrew:
    """What is done between the steps, such as once an epoch, takes longer each time.

    Args:
        times: How often it was done.
        first_seconds: What it took at first.
        last_seconds: What it took at the end.
        low: Lower end of the 95 % interval of its growth, as a share.
        high: Upper end of it.
        places: The places that hold most of the growth, each with its share, largest first.
    """

    times: int
    first_seconds: float
    last_seconds: float
    low: float
    high: float
    places: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class CallsDeeper:
    """Each step puts one call more around something, for ever or until Python's limit.

    Args:
        depth: How deep the calls were then.
        steps: After how many steps.
    """

    depth: int
    steps: int


@dataclass(frozen=True)
class SpikesHeld:
    """What the spikes take is spent at places of the cause, or in steps with an event of it.

    Args:
        count: How many spikes.
        period: Steps from spike to spike, where they come regularly.
        time_share: Their share of the time.
        held_share: The cause's share of what they take beyond an ordinary step.
        event_step: The first step with an event; None where places tell.
        event_text: What happened then.
    """

    count: int
    period: float | None
    time_share: float
    held_share: float
    event_step: int | None = None
    event_text: str = ""


@dataclass(frozen=True)
class EveryStep:
    """A large part of every step is spent on it, most at one place; `grows` where steps grew."""

    step_seconds: float
    spent_seconds: float
    place: str
    grows: bool


@dataclass(frozen=True)
class KeptForEver:
    """Each step leaves something behind.

    Args:
        rising: The counters that say most, each with its rise per step.
        bytes_per_step: Growth of the memory in use; 0 where that is not known.
    """

    rising: tuple[tuple[str, float], ...]
    bytes_per_step: float


@dataclass(frozen=True)
class TracedAnew:
    """Why a function is traced again and again; said beside the proof that it is.

    Args:
        function: The function's name.
        times: How often it was traced for this reason.
        reason: What was new.
        argument: The argument that was; empty where the function itself was made anew.
        was: What the argument was.
        now: What it was at the next trace.
    """

    function: str
    times: int
    reason: TraceReason
    argument: str = ""
    was: str = ""
    now: str = ""


@dataclass(frozen=True)
class OutOfMemory:
    """The run was ended by its memory, for this reason as the run has it."""

    reason: str


Proof: TypeAlias = (
    PlacesGrew | StablePrice | PagesAwaited | SlowerOps | HandlersGrew | KeptGrew | WorkGrew
    | FunctionsGrew | BetweenGrew | CallsDeeper | SpikesHeld | EveryStep | KeptForEver | OutOfMemory
)  # fmt: skip
