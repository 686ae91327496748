"""Reach: what a step holds on to is found under the reader's own names, and nothing is called.

Tier: make test.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.memory.reach import object_sizes as tested
from labkit.measure.memory.reach.object_sizes import reach, reach_names

tf: ModuleType = pytest.importorskip("tensorflow")
keras: ModuleType = pytest.importorskip("keras")

kept_by_the_module: list[int] = []


def growth(step: Callable[[], object], steps: int = 3) -> dict[str, float]:
    """Return what grew, by name, after a few steps."""
    step()
    before = reach(step)
    for _ in range(steps):
        step()
    after = reach(step)
    return {
        name: after[name] - before[name]
        for name in after
        if name.startswith("kept/") and name in before and after[name] != before[name]
    }


def test_a_list_in_the_closure_grows_under_its_name() -> None:
    history: list[float] = []
    assert growth(lambda: history.append(1.0)) == {"kept/history": 3}


def test_a_list_of_the_module_grows_under_its_name() -> None:
    assert growth(lambda: kept_by_the_module.append(1)) == {"kept/kept_by_the_module": 3}


def test_predictions_appended_to_an_array_grow_by_their_bytes() -> None:
    state = {"rows": np.zeros((0, 4), np.float32)}

    def step() -> None:
        state["rows"] = np.append(state["rows"], np.ones((2, 4), np.float32), axis=0)

    assert growth(step) == {"kept/state['rows']": 3 * 2 * 4 * 4}


def test_a_tensor_that_is_concatenated_grows_by_its_bytes() -> None:
    state = {"buffer": tf.zeros([0, 4])}

    def step() -> None:
        state["buffer"] = tf.concat([state["buffer"], tf.ones([1, 4])], 0)

    assert growth(step) == {"kept/state['buffer']": 3 * 4 * 4}


def test_a_memory_filled_in_place_rests() -> None:
    memory, state = np.zeros((50, 8), np.float32), {"filled": 0}

    def step() -> object:
        state["filled"] = min(state["filled"] + 1, len(memory))
        return memory[: state["filled"]].copy()

    assert growth(step) == {}
    assert reach(step)["kept/memory"] == memory.nbytes


def test_a_keras_callback_that_keeps_predictions_is_found() -> None:
    class Keeper(keras.callbacks.Callback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.outputs: list[object] = []

        def on_epoch_end(self, epoch: int, logs: object = None) -> None:
            self.outputs.append(self.model(ones))

    ones = np.ones((4, 2), np.float32)
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    keeper = Keeper()
    grown = growth(lambda: model.fit(ones, ones[:, :1], verbose=0, callbacks=[keeper]))
    assert grown == {"kept/keeper.outputs": 3}


def test_many_small_dicts_are_one_list_that_grows() -> None:
    notes: list[dict[str, list[int]]] = []
    found = growth(lambda: notes.extend({"k": [i]} for i in range(500)))
    assert found == {"kept/notes": 1500}


class Agent:
    """Keeps a memory, as an object of the reader's does."""

    def __init__(self) -> None:
        self.memory: deque[int] = deque()
        self.losses = {"train": [0.0]}

    def step(self) -> None:
        self.memory.append(1)
        self.losses["train"].append(0.5)

    def __call__(self) -> None:
        self.step()


def test_a_bound_method_and_a_callable_object_keep_in_self() -> None:
    expected = {"kept/self.memory": 3, "kept/self.losses['train']": 3}
    assert growth(Agent().step) == expected
    assert growth(Agent()) == expected


def test_an_object_in_the_closure_keeps_under_its_name() -> None:
    agent = Agent()
    assert growth(lambda: agent.step())["kept/agent.memory"] == 3


def test_partials_wrappers_and_tf_functions_are_looked_through() -> None:
    def add(target: list[int], seen: list[int]) -> None:
        target.append(1)
        seen.append(1)

    assert growth(functools.partial(add, [], seen=[])) == {"kept/args[0]": 3, "kept/seen": 3}

    calls: list[int] = []

    @functools.wraps(add)
    def wrapper() -> None:
        calls.append(1)

    assert growth(functools.lru_cache(maxsize=0)(wrapper)) == {"kept/calls": 3}

    traces: list[int] = []

    @tf.function
    def train(rows: object) -> object:
        traces.append(1)
        return rows

    assert reach(train)["kept/traces"] == 0
    train(1), train(2)
    assert reach(train)["kept/traces"] == 2


def test_a_cache_without_a_bound_keeps_its_results_under_the_name_of_its_function() -> None:
    @functools.cache
    def relief(raw: int) -> np.ndarray:
        return np.full(8, raw)

    @functools.lru_cache(maxsize=4)
    def bounded(raw: int) -> np.ndarray:
        return np.full(8, raw)

    def step() -> object:
        return relief(next(count)), bounded(next(count))

    count = itertools.count()
    for _ in range(5):
        step()
    sizes = reach(step)
    assert sizes["kept/relief"] == sizes["tensors/relief"] == 5
    assert not any(name.startswith("kept/bounded") for name in sizes)


def test_what_a_name_begins_with_hides_nothing() -> None:
    made: dict[str, Any] = {"__name__": "my_loop"}
    exec("__kept = []\ndef step(): __kept.append(1)", made)
    assert growth(made["step"]) == {"kept/__kept": 3}


def test_defaults_and_attributes_of_the_function_are_reached() -> None:
    def step(kept: list[int] = []) -> None:  # noqa: B006  # this very mistake is looked for
        kept.append(1)
        step.seen.append(1)  # type: ignore[attr-defined]

    step.seen = []  # type: ignore[attr-defined]
    found = growth(step)
    assert found.pop("kept/kept") == 3
    assert list(found.values()) == [3] and next(iter(found)).endswith("step.seen")


def test_slots_dataclasses_and_namespaces_are_objects_like_others() -> None:
    class Slotted:
        __slots__ = ("empty", "rows")

        def __init__(self) -> None:
            self.rows: list[int] = []

    @dataclass
    class Data:
        rows: list[int] = field(default_factory=list)

    @dataclass(slots=True)
    class Both:
        rows: list[int] = field(default_factory=list)

    slotted, data, both, space = Slotted(), Data(), Both(), SimpleNamespace(rows=[])

    def step() -> None:
        for each in (slotted, data, both, space):
            each.rows.append(1)

    assert growth(step) == {
        f"kept/{name}.rows": 3 for name in ("slotted", "data", "both", "space")
    }  # fmt: skip


def test_containers_that_derive_from_the_built_in_ones_are_measured() -> None:
    counts: defaultdict[int, int] = defaultdict(int)
    order: OrderedDict[int, int] = OrderedDict()
    seen: set[int] = set()
    tail: deque[int] = deque(maxlen=2)

    def step() -> None:
        for each in (counts, order):
            each[len(each)] = 1
        seen.add(len(seen))
        tail.append(1)

    grown = growth(step, 4)
    assert grown == {"kept/counts": 4, "kept/order": 4, "kept/seen": 4, "kept/tail": 1}


ASKED: list[str] = []


class Meta(type):
    """A class that tells of every question."""

    def __getattribute__(cls, name: str) -> Any:
        ASKED.append(f"class.{name}")
        return super().__getattribute__(name)

    def __hash__(cls) -> int:
        ASKED.append("class hash")
        return 1

    def __eq__(cls, other: object) -> bool:
        ASKED.append("class ==")
        return cls is other


class Loud(metaclass=Meta):
    """An object that tells of every question, and keeps a list."""

    def __init__(self) -> None:
        self.rows = [1, 2]

    def _tell(self, *arguments: object) -> Any:
        ASKED.append("object")
        raise RuntimeError("not to be asked")

    __len__ = __iter__ = __bool__ = __hash__ = __repr__ = __getitem__ = __contains__ = _tell
    __eq__ = _tell
    expensive = property(_tell)

    def __getattr__(self, name: str) -> Any:
        return self._tell()


class LoudList(list[int]):
    """A list that tells of every question."""

    def _tell(self, *arguments: object) -> Any:
        ASKED.append("list")
        raise RuntimeError("not to be asked")

    __len__ = __iter__ = __bool__ = __getitem__ = _tell


class Disguised:
    """An object whose dictionary and class are properties."""

    def _tell(self, *arguments: object) -> Any:
        ASKED.append("disguise")
        raise RuntimeError("not to be asked")

    __dict__ = property(_tell)  # type: ignore[assignment]
    __class__ = property(_tell)  # type: ignore[assignment]


def test_nothing_of_the_readers_is_called() -> None:
    loud, loud_list, disguised = Loud(), LoudList([1, 2, 3]), Disguised()
    held: dict[object, object] = {object(): [1]}
    step = lambda: (loud, loud_list, disguised, held)  # noqa: E731
    ASKED.clear()
    found = reach(step)
    assert ASKED == []
    assert found["kept/loud.rows"] == 2 and found["kept/loud_list"] == 3
    assert found["kept/held[#0]"] == 1


def test_cycles_end() -> None:
    ring: list[object] = []
    ring.append(ring)
    holder: dict[str, object] = {"ring": ring}
    holder["self"] = holder
    found = reach(lambda: (ring, holder))
    assert found == found | {"kept/ring": 1, "kept/holder": 2}


def test_large_containers_are_measured_and_not_entered() -> None:
    large = {number: [number] for number in range(100_000)}
    deep: list[Any] = []
    for _ in range(50):
        deep = [deep]
    found = reach(lambda: (large, deep))
    assert found["kept/large"] == 100_000
    assert len([name for name in found if "large[" in name]) == 0
    assert max(name.count("[0]") for name in found) < tested.MOST_DEPTH


def test_the_walk_ends_after_so_many_objects_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near: list[int] = [1, 2]
    wide = {str(a): {str(b): [[c] for c in range(9)] for b in range(60)} for a in range(60)}
    step = lambda: (near, wide)  # noqa: E731
    full = reach(step)
    kept = [name for name in full if name.startswith("kept/")]
    assert len(kept) <= tested.MOST_OBJECTS and full["kept/near"] == 2
    monkeypatch.setattr(tested, "MOST_OBJECTS", 60)
    assert 0 < len(reach(step)) <= 60


def test_the_names_are_the_same_every_time() -> None:
    agent, table = Agent(), {"b": [1], "a": {2: [3]}, ("x", 1): [4]}
    step = lambda: (agent, table)  # noqa: E731
    assert list(reach(step)) == list(reach(step))
    assert reach(step)["kept/table['a'][2]"] == 1 and reach(step)["kept/table[#2]"] == 1


def test_generators_modules_classes_and_packages_objects_are_not_entered() -> None:
    def endless() -> Iterator[list[int]]:
        rows: list[int] = []
        while True:
            rows.append(1)
            yield rows

    class Holder:
        of_the_class: list[int] = []  # noqa: RUF012

    generator, model, module = endless(), keras.Sequential(), np
    decoder = json.JSONDecoder()

    def step() -> object:
        return generator, Holder, model, module, decoder

    next(generator)
    of_this_file = {"kept/kept_by_the_module", "kept/ASKED"}
    assert {name for name in reach(step) if name.startswith("kept/")} <= of_this_file


def test_a_view_counts_with_the_array_that_owns_its_data() -> None:
    view = np.zeros(1000)[:3]
    assert reach(lambda: view)["kept/view"] == 8000


def test_an_empty_cell_and_a_step_without_anything_are_no_trouble() -> None:
    def step() -> object:
        return later  # noqa: F821  # deleted below: its cell is empty

    later = [1]
    del later
    assert not [name for name in reach(step) if "later" in name]
    assert reach(len) == {}  # type: ignore[arg-type]


def test_nothing_is_kept_alive() -> None:
    import sys

    rows: list[int] = []
    step = lambda: rows  # noqa: E731
    before = sys.getrefcount(rows)
    reach(step)
    assert sys.getrefcount(rows) == before


def test_what_a_list_holds_is_told_by_its_last_item() -> None:
    losses, outputs, arrays, names = [0.5], [tf.ones(2)], deque([np.ones(2)]), ["a"]
    scalars, nothing, mixed = [np.float32(1)], [], {"a": 1.0}
    found = reach(lambda: (losses, outputs, arrays, names, scalars, nothing, mixed))
    held = {name for name in found if not name.startswith("kept/")}
    assert held - {"numbers/kept_by_the_module"} == {
        "numbers/losses", "numbers/scalars", "numbers/names", "numbers/mixed", "tensors/outputs",
        "tensors/arrays", "numbers/outputs[0]", "numbers/arrays[0]",
    }  # fmt: skip
    assert found["tensors/arrays"] == found["kept/arrays"] == 1


def test_numbers_are_counted_through_the_containers_that_hold_them() -> None:
    fits = {name: {"loss": [0.5] * 10, "mae": [0.1] * 10} for name in "abc"}
    states = {"a": {"loss": [0.5], "state": np.ones(2)}}
    letters, deep, objects = ["a" * 320], [[[[[1.0]]]]], [{"made": object()}]
    found = reach(lambda: (fits, states, letters, deep, objects))
    # A dict and two lists weigh as much as four numbers each.
    assert found["numbers/fits"] == 3 * (12 + 20)
    assert found["numbers/letters"] == 11
    assert not {"numbers/states", "numbers/deep", "numbers/objects"} & found.keys()


def test_what_the_running_functions_of_a_script_hold_is_found_from_inside_out() -> None:
    names = SourceNames()

    def train(history: list[float]) -> dict[str, float]:
        losses = [1.0, 2.0]
        assert losses
        return reach_names(names.names_in_use())

    class Trainer:
        def __init__(self) -> None:
            self.memory = [tf.ones(1)] * 3

        def go(self) -> dict[str, float]:
            return train([0.0] * 5)

    found = Trainer().go()
    assert found["kept/losses"] == 2 and found["kept/history"] == 5
    assert found["kept/self.memory"] == found["tensors/self.memory"] == 3
    assert "kept/kept_by_the_module" in found and not [n for n in found if "__" in n]


def test_a_batch_of_the_module_does_not_come_back_by_way_of_a_function(tmp_path: Path) -> None:
    here: dict[str, Any] = {"__name__": "__main__"}
    file = str(tmp_path / "train.py")
    code = "def evaluate():\n    return x\nx = list(range(80))\nhistory = ['a', 'b', 'c']"
    exec(compile(code, file, "exec"), here)
    functions = [("evaluate", here["evaluate"])]
    assert {"kept/x", "kept/history"} <= set(reach_names(functions))
    assert set(reach_names(functions, {file: frozenset({"x"})})) == {
        "kept/history", "numbers/history"
    }  # fmt: skip
    assert reach_names(functions, {"another.py": frozenset({"x"})}) == reach_names(functions)
