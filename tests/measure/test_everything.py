"""All probes for an unknown loop together: nothing twice, nothing left behind. Tier: make test."""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from labkit.measure.choke import PrivateName
from labkit.measure.everything import ANY_LOOP, GPU_LOOP
from labkit.measure.graph import GraphProbe
from labkit.measure.late import LatePoints
from labkit.measure.places import Places
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")

MODULES = [importlib.import_module(f"labkit.measure.{name}") for name in (*GPU_LOOP, "graph")]


def declared() -> list[PrivateName]:
    """Return every name that one of the probes' files declares, once a declaration."""
    found: dict[int, PrivateName] = {}
    for module in MODULES:
        for value in vars(module).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, PrivateName):
                    found[id(each)] = each
    return list(found.values())


def everything() -> Watching:
    made = [getattr(module, "probe", None) for module in MODULES[:-1]]
    return Watching(tf, lambda hooks: GraphProbe(tf, hooks.places), *filter(None, made))


def functions() -> dict[str, Any]:
    """Return what stands at every declared name now."""
    standing = {}
    for name in declared():
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


def test_no_name_is_missing_in_this_tensorflow(watching: Watching) -> None:
    assert watching.missing == []


def test_no_function_is_hooked_by_two_probes() -> None:
    counts = Counter(str(name) for name in declared())
    assert counts and [name for name, count in counts.items() if count > 1] == []


def test_no_column_has_two_probes(watching: Watching) -> None:
    names = [c.name for probe in (*watching.probes, watching.places) for c in probe.columns]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("order", ["as made", "last first"])
def test_closing_gives_every_function_back_in_any_order(order: str) -> None:
    before = functions()
    made = everything()
    hooked = [name for name, now in functions().items() if now is not before[name]]
    assert len(hooked) > 100
    for probe in made.probes if order == "as made" else reversed(made.probes):
        probe.close()
    changed = [name for name, now in functions().items() if now is not before[name]]
    assert changed == [] and made.places.late == []


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
        assert sum(seconds.values()) < whole and not watching.places.busy
        share = max(share, sum(seconds.values()) / whole)
        if share > 0.85:
            break
    assert share > 0.85
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
import sys, types
kept = dict(sys.modules)
import tensorflow as tf
from tensorflow.python.eager import context
before = {{name for name in sys.modules if name.split(".")[0] in ("keras", "matplotlib")}}
from labkit.measure.events import Events
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
import importlib, time
hooks = Hooks(tf, Places(time.perf_counter), Events(), "cpu")
for name in {ANY_LOOP!r}:
    importlib.import_module(f"labkit.measure.{{name}}").probe(hooks)
hooks.places.begin()
after = {{name for name in sys.modules if name.split(".")[0] in ("keras", "matplotlib")}}
assert after == before, after - before
assert not context.context()._initialized
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]


def test_a_late_place_is_hooked_when_its_module_comes_and_given_up_when_it_lacks_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = Places(time.perf_counter)
    late = LatePoints(places)
    late.hook([
        PrivateName("labkit_test_late", "", "work", "there", "there"),
        PrivateName("labkit_test_late", "", "gone", "gone", "gone"),
        PrivateName("labkit_test_never", "", "work", "never", "never"),
    ])  # fmt: skip
    module = ModuleType("labkit_test_late")
    vars(module)["work"] = lambda: time.sleep(0.001)
    original = vars(module)["work"]
    assert late.missing == []
    monkeypatch.setitem(sys.modules, module.__name__, module)
    places.begin()
    assert vars(module)["work"] is not original
    places.begin()
    vars(module)["work"]()
    row = [0.0] * 3
    places.read(row, 0)
    assert row[0] > 0 and np.isnan(row[1]) and row[2] == 0
    assert late.missing == ["labkit_test_late.gone"]
    late.close()
    assert vars(module)["work"] is original and places.late == []
