"""Recording an example: run it, judge it, and run it again where the judge says another word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labkit.diagnosis import judgement
from labkit.record import Diagnosis, LabkitError, Run, Verdict
from labkit.show.verdict_words import verdict_words
from tools.atlas.example import Example

# A shared machine may spoil a curve; what fails six times is not there.
TIMES = 6
# A level that could hide a quarter more is an example of noise.
LEVEL = ("flat", "warmup", "spikes")
LARGEST_BLIND = 0.25
LARGEST_CONTENDED = 0.1
LARGEST_DRIFT = 0.1


@dataclass(frozen=True)
class Recording:
    """An example that was run, and what the judge said of that very run."""

    example: Example
    run: Run
    judgement: Diagnosis

    @property
    def verdict(self) -> Verdict:
        """What the judge said."""
        return self.judgement.verdict

    @property
    def clear(self) -> bool:
        """Whether the judge said the example's label, and of a run that the machine left alone.

        Where it did not, the judge takes away what the machine did, and points of wall time would
        not lie on what it fitted.
        """
        verdict = self.verdict
        unsure = max(abs(verdict.low or 0.0), verdict.high or 0.0, verdict.smallest_growth or 0.0)
        blind = verdict.label in LEVEL and unsure > LARGEST_BLIND
        crowded = (verdict.contended_share or 0.0) > LARGEST_CONTENDED
        drifted = abs(verdict.machine_growth or 0.0) > LARGEST_DRIFT
        return verdict.label == self.example.label and not (blind or crowded or drifted)


def record(example: Example, play: Callable[[Example], Run], times: int = TIMES) -> Recording:
    """Run an example until a run of it is clear.

    Args:
        example: What to run.
        play: Runs it and returns the finished run.
        times: How often it may be run.

    Raises:
        LabkitError: If a run fails, or if none of them is clear.
    """
    said: list[str] = []
    for _ in range(times):
        run = play(example)
        if not run.state.completed:
            raise LabkitError(f"{example.source}: {run.state.reason or run.state.name}")
        recording = Recording(example, run, judgement(run))
        if recording.clear:
            return recording
        said.append(verdict_words(recording.verdict))
    raise LabkitError(
        f"{example.source} had no undisturbed run that was judged {example.label}, in {times}: "
        f"{'. '.join(said)}. Run again on a quieter machine, or change the loop."
    )
