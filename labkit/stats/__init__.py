"""Step times in, a verdict out.

numpy and scipy; this room must know nothing of TensorFlow, of runs or of processes.
"""

from labkit.stats.judge import judge, too_short
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.card import Card
from labkit.stats.machine.clocks_apart import clocks_apart
from labkit.stats.machine.cross_run import doubt_between, undisturbed
from labkit.stats.machine.readings import Machine
from labkit.stats.noise import standard_error, t_quantile
from labkit.stats.shape.part import growing_part
from labkit.stats.shape.spikes import spike_mask

__all__ = [
    "Card",
    "Machine",
    "clocks_apart",
    "doubt_between",
    "growing_part",
    "judge",
    "judge_adjusted",
    "spike_mask",
    "standard_error",
    "t_quantile",
    "too_short",
    "undisturbed",
]
