"""Compilations by XLA, against the modules that XLA itself writes out. Tier: make test."""

from __future__ import annotations

import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.patches.function import compiling
from labkit.measure.patches.group import PrivateName
from tests.measure.alone import said_alone
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("compiling",)
PLACE = "compiling for XLA"


def for_xla(**options: Any) -> Any:
    return tf.function(lambda x: tf.reduce_sum(tf.tanh(x)), jit_compile=True, **options)


def test_each_new_shape_is_compiled_once_and_takes_nearly_all_of_its_step(
    watching: Watching,
) -> None:
    any_length = for_xla(input_signature=[tf.TensorSpec([None], tf.float32)])
    batches = [tf.ones([length]) for length in (3, 3, 4, 4, 3)]
    any_length(tf.ones([2]))
    counts, shares = [], []
    for batch in batches:
        whole = watching.step(lambda batch=batch: any_length(batch))
        counts.append(watching.counter("compilations"))
        shares.append(watching.seconds().get(PLACE, 0.0) / whole)
    assert [count - counts[0] for count in counts] == [0, 0, 1, 1, 1]
    assert shares[0] > 0.5 and shares[2] > 0.5
    assert shares[1] == shares[3] == shares[4] == 0


def test_a_function_that_calls_one_for_xla_compiles_too(watching: Watching) -> None:
    inner = for_xla()
    outer = tf.function(lambda x: inner(x) + 1.0)
    for length, count in ((3, 1), (3, 1), (4, 2)):
        watching.step(lambda length=length: outer(tf.ones([length])))
        assert watching.counter("compilations") == count
    assert [each.kind for each in watching.events.take()] == ["compile", "compile"]


def test_what_runs_functions_is_tensorflows_own_until_one_is_for_xla_and_after_closing() -> None:
    owner = compiling.RUN.find()
    own = vars(owner)[compiling.RUN.attribute]
    with Watching("compiling") as first, Watching("compiling") as second:
        tf.function(lambda x: x + 1.0)(tf.ones([3]))
        assert vars(owner)[compiling.RUN.attribute] is own
        for_xla()(tf.ones([3]))
        assert vars(owner)[compiling.RUN.attribute] is not own
        # Closed below another, it may still be called: it must not hook itself in again.
        first.probes[0].close()
        for_xla()(tf.ones([4]))
        assert second.counter("compilations") == 2
    assert vars(owner)[compiling.RUN.attribute] is own


def test_a_watching_that_is_closed_before_any_xla_hooks_nothing_in_later() -> None:
    owner = compiling.RUN.find()
    own = vars(owner)[compiling.RUN.attribute]
    with Watching("compiling") as below:
        with Watching("compiling") as above:
            below.probes[0].close()
            for_xla()(tf.ones([3]))
            assert above.counter("compilations") == 1
        assert vars(owner)[compiling.RUN.attribute] is own


def test_functions_without_xla_and_eager_ops_compile_nothing(watching: Watching) -> None:
    plain = tf.function(lambda x: x * 2.0)
    watching.step(lambda: [plain(tf.ones([length])) + 1.0 for length in range(1, 5)])
    assert watching.counter("compilations") == 0 and watching.seconds() == {}


@pytest.mark.full
def test_the_count_is_that_of_the_modules_xla_writes_out(tmp_path: Path) -> None:
    script = """
import tensorflow as tf
from tests.measure.watching import Watching
with Watching("compiling") as watching:
    scale = tf.Variable(2.0)
    one = tf.function(lambda x: tf.reduce_sum(tf.tanh(x)), jit_compile=True)
    two = tf.function(lambda x: one(x) + scale, jit_compile=True)
    for length in (3, 4, 3, 5, 4):
        watching.step(lambda: (one(tf.ones([length])), two(tf.ones([length]))))
    print(int(watching.counter("compilations")))
"""
    said = said_alone(script, XLA_FLAGS=f"--xla_dump_to={tmp_path}")
    written = {path.name.split(".")[0] for path in tmp_path.glob("module_*")}
    assert int(said[-1]) == len(written) == 6


def test_without_its_point_the_count_is_unknown_and_not_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = PrivateName("no.such.module", "", "call_flat")
    monkeypatch.setattr(compiling, "RUN", gone)
    with Watching("compiling") as watching:
        watching.step(lambda: for_xla()(tf.ones([2])))
        assert watching.missing == ["no.such.module.call_flat"]
        assert math.isnan(watching.counter("compilations"))
