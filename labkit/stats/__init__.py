"""Step times in, a verdict out.

numpy and scipy; this room must know nothing of TensorFlow, of runs or of processes.
"""

from labkit.stats.between import doubt_between, undisturbed
from labkit.stats.freed import judge_freed
from labkit.stats.judge import SHORTEST, judge, too_short
from labkit.stats.machine import Machine
from labkit.stats.noise import long_run_variance, standard_error, t_quantile
from labkit.stats.spikes import spike_mask

__all__ = [
    "SHORTEST",
    "Machine",
    "doubt_between",
    "judge",
    "judge_freed",
    "long_run_variance",
    "spike_mask",
    "standard_error",
    "t_quantile",
    "too_short",
    "undisturbed",
]
