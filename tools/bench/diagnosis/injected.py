"""Faults injected into a real training step, alone and two at once: is each of them found?

The step is a compiled Keras model's or a tf.function's. A fault is enlarged from step to step, so
that the last step asked for is more expensive than the first by the percent wanted; it is steered
by the processor time that acting it out really takes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from labkit.faults import (
    CheckpointWriting,
    ExpensiveData,
    Fault,
    Garbage,
    GraphGrowth,
    History,
    Retracing,
    WorkGrowth,
)
from labkit.record.verdict import Label
from tests.loops.expected import Expectation
from tools.bench.diagnosis.diagnoses import Diagnose, diagnosed, ours
from tools.bench.diagnosis.outcome import Outcome
from tools.bench.diagnosis.steered import Steered, processor_seconds
from tools.bench.figure import Figure

ROOT = Path(__file__).parents[3]
GROUP = "faults injected into a training step"
STEPS = 300
FAULTS: dict[str, type[Fault]] = {
    "graph_growth": GraphGrowth,
    "retracing": Retracing,
    "history": History,
    "garbage": Garbage,
    "checkpoint_io": CheckpointWriting,
    "input_pipeline": ExpensiveData,
    "work_growth": WorkGrowth,
}
SLOWER: tuple[Label, ...] = ("slowdown", "shift")
STEADY: tuple[Label, ...] = ("flat", "warmup", "spikes")
FILE = """import sys

sys.path.insert(0, {root!r})


def make_step():
    from tools.bench.diagnosis.injected import injected

    return injected({base!r}, {percents!r}, {steps!r})
"""


@dataclass(frozen=True)
class Injection:
    """Which faults, of what size, in which step.

    Args:
        base: One of `BASES`.
        percents: By how many percent each fault makes the last step more expensive than the first.
        steps: Which step is the last.
    """

    base: str
    percents: Mapping[str, int] = field(default_factory=dict)
    steps: int = STEPS

    def write(self, folder: Path) -> Expectation:
        """Write the loop's file and return what is right for it."""
        name = "_".join([self.base, *(f"{fault}_{size}" for fault, size in self.percents.items())])
        path = folder / f"{name}.py"
        path.write_text(
            FILE.format(root=str(ROOT), base=self.base, percents=dict(self.percents),
                        steps=self.steps)
        )  # fmt: skip
        labels = SLOWER if self.percents else STEADY
        return Expectation(str(path), labels, tuple(self.percents), "either")


def injected(base: str, percents: Mapping[str, int], steps: int) -> Callable[[], object]:
    """Return a training step with faults in it.

    Args:
        base: One of `BASES`.
        percents: Which of `FAULTS`, and how many percent each adds until the last step.
        steps: Which step is the last.
    """
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others
    train = BASES[base]()
    acts = [train, *(FAULTS[name]().act for name in percents)]
    whole = sum(processor_seconds(act) for act in acts)
    faults = [
        Steered(FAULTS[name], percent / 100 * whole, steps) for name, percent in percents.items()
    ]

    def step() -> object:
        loss = train()
        for fault in faults:
            fault.step()
        return loss

    return step


def _keras_step() -> Callable[[], object]:
    import keras
    import numpy as np

    keras.utils.set_random_seed(1)
    model = keras.Sequential(
        [
            keras.Input([256]),
            keras.layers.Dense(512, activation="relu"),
            keras.layers.Dense(512, activation="relu"),
            keras.layers.Dense(10),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer="adam", loss=loss)
    random = np.random.default_rng(1)
    x = random.normal(size=(256, 256)).astype("float32")
    y = random.integers(0, 10, 256)
    return lambda: model.train_on_batch(x, y)


def _function_step() -> Callable[[], object]:
    import tensorflow as tf

    x = tf.random.stateless_normal([384, 512], [1, 1])
    layers = [tf.Variable(tf.random.stateless_normal([512, 512], [n, 2]) / 32) for n in range(3)]

    @tf.function
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            hidden = x
            for layer in layers:
                hidden = tf.tanh(hidden @ layer)
            loss = tf.reduce_mean(tf.square(hidden - x))
        for layer, gradient in zip(layers, tape.gradient(loss, layers), strict=True):
            layer.assign_sub(0.01 * gradient)
        return loss

    step: Callable[[], object] = train
    return step


BASES: dict[str, Callable[[], Callable[[], object]]] = {
    "keras": _keras_step,
    "function": _function_step,
}
SINGLE = {
    percent: tuple(Injection(base, {name: percent}) for base in BASES for name in FAULTS)
    for percent in (25, 100)
}
TWO = tuple(
    Injection("keras", {first: 60, second: 60}) for first, second in combinations(FAULTS, 2)
)
SOUND = tuple(Injection(base) for base in BASES for _ in range(10))


def measure(diagnose: Diagnose | None = None) -> list[Figure]:
    """Return how many injected faults were found; each that was not is printed."""
    diagnose = diagnose or ours()
    with tempfile.TemporaryDirectory() as folder:

        def asked(injections: Sequence[Injection]) -> Iterator[Outcome]:
            return diagnosed([each.write(Path(folder)) for each in injections], diagnose)

        figures = [
            _figure(f"+{percent} %, one fault: slower, and its cause first", asked(injections),
                    lambda one: one.time_right and one.first_right, goal)
            for (percent, injections), goal in zip(SINGLE.items(), (95, 99), strict=True)
        ]  # fmt: skip
        figures.append(_figure("two faults, +60 % each: both listed", asked(TWO), both, 85))
        figures.append(
            _figure("none: not slower, and nothing found", asked(SOUND),
                    lambda one: one.time_right and one.quiet, 98)
        )  # fmt: skip
    return figures


def both(outcome: Outcome) -> bool:
    """Whether every injected fault is among the findings."""
    return set(outcome.expected.first) <= {finding.cause for finding in outcome.findings}


def _figure(
    name: str, outcomes: Iterator[Outcome], right: Callable[[Outcome], bool], goal: float
) -> Figure:
    said = [(outcome, right(outcome)) for outcome in outcomes]
    for outcome, is_right in said:
        if not is_right:
            print(f"\n{Path(outcome.expected.file).stem}: {outcome}", file=sys.stderr, flush=True)
    counted = sum(is_right for _, is_right in said)
    share = 100 * counted / len(said)
    return Figure(GROUP, name, share, "%", goal, f"{counted} of {len(said)}", more_is_better=True)
