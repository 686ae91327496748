"""The shapes a curve can take, in the words a learner predicts, beside the labels of a verdict."""

from __future__ import annotations

# A cliff is level for long and then suddenly far up: the statistics call that a shift, or a
# slowdown where it comes in more than one piece.
LABELS_OF = {
    "flat": ("flat", "warmup"),
    "ramp": ("slowdown",),
    "stairs": ("shift",),
    "comb": ("spikes",),
    "cliff": ("shift", "slowdown"),
}
SHAPES = tuple(LABELS_OF)
RISING = frozenset({"ramp", "stairs", "cliff"})


def shapes_of(label: str) -> tuple[str, ...]:
    """Return the shapes that a verdict's label bears out; none for ``unsteady`` or ``too_short``.

    Args:
        label: One of `labkit.record.LABELS`.
    """
    return tuple(shape for shape, labels in LABELS_OF.items() if label in labels)
