"""All probes for an unknown loop together: nothing twice, nothing left behind. Tier: make test."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import labkit.measure.patches
from labkit.measure.clock.probe import HoldingProbe
from labkit.measure.clock.timers import Timers
from labkit.measure.patches import tape
from labkit.measure.patches.function import compiling, rewriting
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.patches import Patches
from labkit.measure.registry import ANY_LOOP, GPU_LOOP, PROBES, TABLES
from tests.measure.alone import said_alone
from tests.measure.watching import Watching, numbers_of
from tests.patched_functions import declared

tf: ModuleType = pytest.importorskip("tensorflow")
# Only looked at; and patched when a function is for XLA.
NOT_PATCHED = {*map(str, (tape.REGISTRY, *rewriting.NAMES, compiling.RUN))}


def everything() -> Watching:
    return Watching("graph", *GPU_LOOP)


def probes_names() -> list[PrivateName]:
    modules = walk_packages(labkit.measure.patches.__path__, "labkit.measure.patches.")
    return declared(module.name for module in modules)


def functions() -> dict[str, Any]:
    """Return what stands at every declared name now."""
    standing = {}
    for name in probes_names():
        try:
            owner = name.find()
        except (ImportError, AttributeError):
            continue
        standing[str(name)] = vars(owner).get(name.attribute, "inherited")
    return standing


@pytest.fixture
def watching() -> Iterator[Watching]:
    with everything() as made:
        yield made


@pytest.mark.parametrize("name", ["graph", *TABLES, *PROBES])
def test_a_name_that_is_missing_is_reported_and_all_others_are_there(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    find, lost = PrivateName.find, ""

    def find_all_but_one(self: PrivateName) -> Any:
        asked.append(str(self))
        if str(self) == lost:
            raise AttributeError(lost)
        return find(self)

    tf.keras.Model  # noqa: B018  # what is deferred is patched at once
    monkeypatch.setattr(PrivateName, "find", find_all_but_one)
    with Watching(name) as watching:
        assert watching.missing == []
    for lost in tuple(asked):
        with Watching(name) as watching:
            watching.step(lambda: tf.ones([2]) + 1.0)
            assert set(watching.missing) == {lost}


def test_no_function_is_hooked_by_two_probes() -> None:
    counts = Counter(str(name) for name in probes_names())
    assert counts and [name for name, count in counts.items() if count > 1] == []


def test_no_column_has_two_probes(watching: Watching) -> None:
    names = [c.name for probe in (*watching.probes, watching.timers) for c in probe.columns]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("order", ["as made", "last first"])
def test_closing_gives_every_function_back_in_any_order(order: str) -> None:
    before = functions()
    made = everything()
    hooked = [name for name, now in functions().items() if now is not before[name]]
    assert before.keys() - hooked == NOT_PATCHED
    for probe in made.probes if order == "as made" else reversed(made.probes):
        if isinstance(probe, HoldingProbe):
            probe.close()
    changed = [name for name, now in functions().items() if now is not before[name]]
    assert changed == [] and made.timers.deferred == []


def mixed_step(folder: Path) -> Any:
    """Return a step that does a little of everything."""
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    data = np.ones([8, 4], np.float32)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), folder, 2)
    graph = tf.Graph()
    with graph.as_default():
        fed = tf.compat.v1.placeholder(tf.float32, [8, 4])
        total = tf.reduce_sum(fed)
        weights = tf.compat.v1.get_variable("w", [4], use_resource=True)
        saver = tf.compat.v1.train.Saver([weights])
        initialise = tf.compat.v1.global_variables_initializer()
    session = tf.compat.v1.Session(graph=graph)
    session.run(initialise)
    variable = tf.Variable(tf.ones([4, 4]))

    def step() -> None:
        model.fit(data, data[:, :2], verbose=0)
        for batch in tf.data.Dataset.from_tensor_slices(data).batch(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.matmul(batch, variable))
            float(tape.gradient(loss, variable).numpy().sum())
        manager.save()
        session.run(total, {fed: data})
        with graph.as_default():
            saver.save(session, str(folder / "v1"))
        tf.py_function(lambda x: x + 1, [tf.ones([2])], tf.float32)
        tf.random.normal([3])
        time.sleep(0.001)

    return step


def test_all_places_of_a_mixed_step_fit_into_it_and_nearly_fill_it(
    watching: Watching, tmp_path: Path
) -> None:
    step = mixed_step(tmp_path)
    watching.step(step)
    share = 0.0
    for _ in range(10):  # a program beside it may take its processor anywhere
        whole = watching.step(step)
        seconds = watching.seconds()
        assert sum(seconds.values()) < whole and not watching.timers.busy
        share = max(share, sum(seconds.values()) / whole)
        if share > 0.75:
            break
    assert share > 0.75  # 0.87 to 0.98 where nothing else runs
    assert {
        "function run", "waiting for data", "building the input", "gradients", "checkpoint write",
        "session run", "feeding and fetching", "writing out the graph", "tf.py_function",
        "random ops", "running ops", "sleeping", "copies to and from the device",
        "Keras callbacks", "the rest of Keras fit, evaluate and predict",
    } <= set(seconds)  # fmt: skip


def test_python_of_the_loops_own_is_booked_nowhere(watching: Watching) -> None:
    watching.step(lambda: sorted(range(200_000), key=lambda number: -number))
    assert set(watching.seconds()) <= {"garbage collection"}


@pytest.mark.full
def test_making_the_probes_imports_neither_keras_nor_drawing_nor_starts_the_runtime() -> None:
    script = f"""
import sys
import tensorflow as tf
from tensorflow.python.eager import context
before = {{name for name in sys.modules if name.split(".")[0] in ("keras", "matplotlib")}}
from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.measure.registry import named_probe
import time
made = ProbeContext(tf, Timers(time.perf_counter), Events(), "cpu")
for name in {ANY_LOOP!r}:
    named_probe(name, made)
made.timers.begin()
after = {{name for name in sys.modules if name.split(".")[0] in ("keras", "matplotlib")}}
assert after == before, after - before
assert not context.context()._initialized
"""
    assert said_alone(script) == []


def test_a_late_place_is_hooked_when_its_module_comes_and_given_up_when_it_lacks_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers = Timers(time.perf_counter)
    late = Patches(timers)
    late.patch(
        Group(("there", "there"), {"labkit_test_late": ("work",)}, deferred=True),
        Group(("gone", "gone"), {"labkit_test_late": ("gone",)}, deferred=True),
        Group(("never", "never"), {"labkit_test_never": ("work",)}, deferred=True),
    )
    module = ModuleType("labkit_test_late")
    vars(module)["work"] = lambda: time.sleep(0.001)
    original = vars(module)["work"]
    assert late.missing == []
    monkeypatch.setitem(sys.modules, module.__name__, module)
    timers.begin()
    assert vars(module)["work"] is not original
    timers.begin()
    vars(module)["work"]()
    there, gone, never = numbers_of(timers)
    assert there > 0 and np.isnan(gone) and never == 0
    assert late.missing == ["labkit_test_late.gone"]
    late.close()
    assert vars(module)["work"] is original and timers.deferred == []
