"""A verdict: what the step times say."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

Label = Literal["flat", "warmup", "slowdown", "shift", "spikes", "speedup", "unsteady", "too_short"]
LABELS: tuple[Label, ...] = (
    "flat", "warmup", "slowdown", "shift", "spikes", "speedup", "unsteady", "too_short",
)  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """What the step times of a run say.

    Args:
        label: One of `LABELS`.
        growth: Fitted last level over fitted first level after warm-up, minus 1 (0.5 is +50 %);
            None where there were too few steps to say.
        low: Lower end of the 95 % interval of `growth`.
        high: Upper end of it.
        detail: The verdict as one sentence.
        steps: How many steps were judged.
        warmup_steps: How many steps at the start were set aside as warm-up.
        first_seconds: The fitted level after warm-up.
        last_seconds: The fitted level at the end.
        onset_step: Where a slowdown, shift or speedup begins, where that could be placed.
        spike_period: Steps from spike to spike, where spikes come regularly.
        spike_share: The share of all time that lies in spikes.
        smallest_growth: The smallest growth this run could have shown.
        machine_growth: How much slower the machine itself became from start to end, where a canary
            showed it drifting; None where it did not, or where none was run.
        contended_share: The share of the steps during which others used processors and none was
            idle; None where nobody looked.
        machine_detail: What the machine did, in the words with which `detail` ends; empty where it
            did nothing worth a word.
    """

    label: Label
    growth: float | None
    low: float | None
    high: float | None
    detail: str
    steps: int = 0
    warmup_steps: int = 0
    first_seconds: float | None = None
    last_seconds: float | None = None
    onset_step: int | None = None
    spike_period: float | None = None
    spike_share: float | None = None
    smallest_growth: float | None = None
    machine_growth: float | None = None
    contended_share: float | None = None
    machine_detail: str = ""

    @property
    def loop_detail(self) -> str:
        """`detail` without what the machine did."""
        if not self.machine_detail:
            return self.detail
        return self.detail.removesuffix(self.machine_detail).removesuffix("; ")

    @property
    def slower(self) -> bool:
        """Whether the loop got slower, by a trend up or a level up."""
        return self.label in ("slowdown", "shift")

    def as_json(self) -> dict[str, object]:
        """Return the five stable fields scripts depend on, then the rest under ``more``."""
        every = asdict(self)
        stable = {key: every.pop(key) for key in ("label", "growth", "low", "high", "detail")}
        return {**stable, "more": every}
