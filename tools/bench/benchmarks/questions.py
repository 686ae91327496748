"""What is asked of a judge: which series, which answer is right, and the goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labkit.record.verdict import Label
from tests.stats import scoring
from tests.stats.noises import FAMILIAR, HELD_OUT
from tests.stats.scoring import Judged


@dataclass(frozen=True)
class Cell:
    """Series of one truth and one growth, under every noise.

    Args:
        truth: One of `tests.stats.truths.TRUTHS`.
        growth: How much it grows, where it grows.
        times: How many times as many series as usual; rare events need more.
    """

    truth: str
    growth: float = 0.25
    times: int = 1


FLAT = Cell("flat", times=3)
WARM = tuple(map(Cell, ("warm-up, decay", "warm-up, first steps", "warm-up, plateau")))
TENTH, QUARTER, DOUBLED = (Cell("linear", growth) for growth in (0.10, 0.25, 1.0))
SQUARED, WARM_LINEAR, LATE = map(Cell, ("quadratic", "warm-up, then linear", "late onset"))
STEP = Cell("step up")
FASTER, PERIODIC, RARE, UNSTEADY = map(
    Cell, ("speeding up", "periodic spikes", "rare spikes", "unsteady")
)
GROWING = (TENTH, QUARTER, DOUBLED, SQUARED, WARM_LINEAR, LATE, STEP)
CELLS = (FLAT, *WARM, *GROWING, FASTER, PERIODIC, RARE, UNSTEADY)


@dataclass(frozen=True)
class Question:
    """One line of the table.

    Args:
        name: What it says.
        cells: The series that are asked about.
        right: What is counted.
        goal: The share in percent that is good enough.
        more_is_better: Whether the goal is a lower limit.
        label: The word a method must have to be asked at all.
        among: Which of the series count.
        worst: Whether the worst family of noise is wanted in place of the mean of all.
    """

    name: str
    cells: tuple[Cell, ...]
    right: scoring.Question
    goal: float | None = None
    more_is_better: bool = True
    label: Label | None = None
    among: Callable[[Sequence[Judged]], Sequence[Judged]] = list
    worst: bool = False

    def answer(self, judged: Sequence[Judged]) -> tuple[float, str] | None:
        """Return the share in percent and, unless all are alike, the worst family.

        None where there is no such series.
        """
        asked = self.among(judged)
        if not asked:
            return None
        shares = scoring.by_family(self.right, asked)
        choose = min if self.more_is_better else max
        worst = choose(shares, key=lambda noise: shares[noise])
        share = shares[worst] if self.worst else scoring.percent(self.right, asked)
        alike = len(set(shares.values())) == 1
        return share, "" if alike else f"worst: {shares[worst]:.3g} % under {worst}"


def _quiet(name: str, *cells: Cell, goal: float) -> Question:
    return Question(f"false alarms, {name}", cells, scoring.alarmed, goal, more_is_better=False)


def _found(name: str, cell: Cell, goal: float | None = None) -> Question:
    return Question(f"found, {name}", (cell,), scoring.alarmed, goal)


def _of(noises: Sequence[str]) -> Callable[[Sequence[Judged]], Sequence[Judged]]:
    return lambda judged: [each for each in judged if each.series.noise in noises]


def _shifts(judged: Sequence[Judged]) -> list[Judged]:
    return [each for each in judged if each.verdict.label == "shift"]


FALSE = "false alarms, flat, "
QUESTIONS = (
    Question(f"{FALSE}{len(FAMILIAR)} familiar noises", (FLAT,), scoring.alarmed, 1.0, False,
             among=_of(list(FAMILIAR))),
    Question(f"{FALSE}{len(HELD_OUT)} held-out noises", (FLAT,), scoring.alarmed, 1.0, False,
             among=_of(list(HELD_OUT))),
    Question(f"{FALSE}worst noise", (FLAT,), scoring.alarmed, 5.0, False, worst=True),
    _quiet("warm-up", *WARM, goal=1.5),
    _quiet("periodic spikes", PERIODIC, goal=1.5),
    _quiet("rare spikes", RARE, goal=1.5),
    _quiet("speeding up", FASTER, goal=1.5),
    _found("+10 %, linear", TENTH, 75),
    _found("+25 %, linear", QUARTER, 94),
    _found("+100 %, linear", DOUBLED, 99),
    _found("+25 %, quadratic", SQUARED),
    _found("+25 %, linear behind a warm-up", WARM_LINEAR),
    _found("+25 %, linear from somewhere on", LATE),
    _found("+25 %, step up", STEP, 98),
    Question("step up named a shift", (STEP,), scoring.named, 90, label="shift"),
    Question("step up placed within 3 %, where named", (STEP,), scoring.placed, 95,
             label="shift", among=_shifts),
    *(Question(f"{cell.truth}: named", (cell,), scoring.named, 95, label="warmup")
      for cell in WARM),
    Question("periodic spikes named with their period", (PERIODIC,), scoring.beaten, 90,
             label="spikes"),
    Question("rare spikes named", (RARE,), scoring.named, label="spikes"),
    Question("speeding up named", (FASTER,), scoring.named, label="speedup"),
    Question("no steady level: named", (UNSTEADY,), scoring.named, 65, label="unsteady"),
    _found("no steady level", UNSTEADY, 80),
    Question("95 % interval holds the truth", CELLS, scoring.covered, 90,
             among=scoring.with_interval),
    Question("95 % interval holds the truth, worst noise", CELLS, scoring.covered, 85,
             among=scoring.with_interval, worst=True),
)  # fmt: skip
