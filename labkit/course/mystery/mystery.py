"""A mystery loop in a notebook: see its curve, pay for evidence, say what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from labkit.bench.temporary import TemporaryFolder
from labkit.course.mystery.game import (
    ANSWERS,
    PRICES,
    Mystery,
    Score,
    check_evidence,
    mystery_source,
)
from labkit.lab.own_loop.diagnose import diagnose
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record.plain_text import plain_text
from labkit.show import words
from labkit.show.report import diagnosis_words
from labkit.show.verdict.verdict_words import loop_words, machine_words

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

# A number of steps would not do: 300 of half a millisecond are over before anything was counted
# twice.
LONGEST_SECONDS = 6.0
UNFINISHED = (
    "The run did not come to its end ({}), so it gives no evidence and costs nothing; "
    "run the cell again."
)


class MysteryLoop:
    """A loop in which nothing, one thing or two things are wrong.

    Args:
        seed: Which loop; the same number is the same loop on every machine.

    Raises:
        LabkitError: If the seed is not a whole number from 0 to a million.
    """

    def __init__(self, seed: int) -> None:
        self.game = Mystery(seed)
        self._found: Diagnosed | None = None

    @property
    def found(self) -> Diagnosed:
        """The run with all its evidence.

        It is run when it is first asked for, and again where it did not come to its end.
        """
        if self._found is not None:
            return self._found
        said = self._diagnosed()
        state = said.run.state
        if state.completed:
            self._found = said
        else:
            print(plain_text(UNFINISHED.format(state.reason.rstrip("."))))
        return said

    def _diagnosed(self) -> Diagnosed:
        with TemporaryFolder("mystery") as folder:
            file = Path(folder) / "mystery.py"
            file.write_text(mystery_source(self.game.seed), encoding="utf-8")
            title = f"Mystery {self.game.seed}"
            return diagnose(file, seconds=LONGEST_SECONDS, title=title)

    def curve(self) -> Picture:
        """Return the picture of the step times, without a word on them; free."""
        from labkit.show.charts.figure import draw_runs

        return draw_runs([self.found.judged])

    def look(self, *evidence: str) -> None:
        """Pay for evidence, and print it; where the run did not come to its end, do neither.

        Args:
            evidence: Of ``verdict``, ``machine``, ``memory``, ``counters``, ``ledger`` and
                ``diagnosis``; `prices` has what each costs.

        Raises:
            ChoiceError: If there is no such evidence.
        """
        for name in evidence:
            check_evidence(name)
        if evidence and self.found.run.state.completed:
            for name in evidence:
                self.game.look(name)
                print(plain_text("\n".join(self._lines(name))))
        print(f"{self.game.spent} points spent, {100 - self.game.spent} left")

    def accuse(self, *causes: str) -> Score:
        """Say what is wrong; the first answer counts.

        Args:
            causes: What you hold to be hidden; none says that nothing is.

        Raises:
            ChoiceError: If one is none of the answers.
        """
        score = self.game.accuse(causes)
        print(f"You said: {_listed(score.said)}. Hidden was: {_listed(score.truth)}.")
        print(f"{score.points} points: {100 - score.spent} left, {score.share:.0%} of it right.")
        return score

    @staticmethod
    def prices() -> None:
        """Print what can be looked at and what it costs, and what can be answered."""
        for name, price in PRICES.items():
            print(f"{name:10} {price:3} points")
        print(f"answers: {', '.join(ANSWERS)}, or none of them")

    def _lines(self, name: str) -> list[str]:
        diagnosis = self.found.diagnosis
        run = diagnosis.judged
        if name == "verdict":
            return [loop_words(diagnosis.verdict)]
        if name == "machine":
            return [machine_words(diagnosis.verdict) or "the machine did nothing that matters"]
        if name == "memory":
            rests = "" if diagnosis.memory.grows else "; nothing rises to the end"
            return [diagnosis_words.memory(diagnosis.memory) + rests * diagnosis.memory.known]
        if name == "ledger":
            return [words.ledger(diagnosis.ledger, run.columns) or "nothing grew"]
        if name == "diagnosis":
            return self.found.lines()
        return [
            words.evidence(column, values[0], values[-1])
            for column in run.columns
            if column.kind == "counter"
            for values in [run.steps.column(column.name)]
            if values[0] != values[-1] and values[0] == values[0]  # not measured is NaN
        ] or ["no counter rises"]


def _listed(causes: tuple[str, ...]) -> str:
    return " and ".join(causes) or "nothing"


def mystery(seed: int) -> MysteryLoop:
    """Return a mystery loop; run its curve with ``.curve()``.

    Args:
        seed: Which loop; the same number is the same loop on every machine.
    """
    return MysteryLoop(seed)
