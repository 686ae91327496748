"""The shape of a series of step times: warm-up, levels or a trend, spikes, and what no shape fits.

In: the logarithms of step times, an array of shape (steps,).
Out: a described series (`segmentation`), from which `labkit.stats.judge` makes a verdict.

`changepoints` finds levels and `trend` one of the curves of `shapes`; `shape` chooses between them
by the same criterion. `warmup`, `spikes`, `interference` and `instability` say what lies beside.
Read `segmentation.py` first, then `shape.py`.
"""
