"""What is watched in a notebook is let go of when it is over, however its error was shown.

In IPython itself, which keeps errors as a kernel does. Tier: make test, in turn.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.patched_functions import changed, patched_functions

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]

FIT = """
import keras
import numpy as np
import tensorflow as tf
import labkit as lk

rows = np.ones((80, 4), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")

class At(keras.callbacks.Callback):
    def __init__(self, act):
        super().__init__()
        self.act = act
    def on_train_batch_end(self, batch, logs=None):
        if batch == 5:
            self.act()

def fail():
    raise OSError("no more of it")

def fit(act=fail):
    model.fit(rows, rows[:, :1], batch_size=8, verbose=0, callbacks=[lk.Watch(), At(act)])
"""


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    made = InteractiveShell.instance()
    made.history_manager.enabled = False  # type: ignore[union-attr]
    assert made.run_cell(FIT).success
    yield made
    InteractiveShell.clear_instance()
    gc.collect()


def left_behind(shell: InteractiveShell) -> list[Any]:
    every = shell.events.callbacks["post_run_cell"]
    return [each for each in every if "labkit" in each.__module__]


def test_a_training_in_a_file_that_is_run_is_over_with_the_cell(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    """`%run` shows the error and counts as a success. Recorded: all stayed patched."""
    before, file = patched_functions(), tmp_path / "train.py"
    file.write_text(FIT + "fit()\n")
    assert shell.run_cell(f"%run {file}").success
    assert not changed(before) and not left_behind(shell)


def test_an_error_that_a_cell_shows_itself_is_as_good(shell: InteractiveShell) -> None:
    before = patched_functions()
    cell = "try:\n    fit()\nexcept OSError:\n    get_ipython().showtraceback()"
    assert shell.run_cell(cell).success
    assert not changed(before) and not left_behind(shell)


def test_what_a_future_or_a_task_keeps_is_over_at_the_end_of_the_next_cell(
    shell: InteractiveShell,
) -> None:
    before = patched_functions()

    async def task() -> None:
        shell.user_ns["fit"]()

    with ThreadPoolExecutor(1) as pool:
        kept = pool.submit(shell.user_ns["fit"])
        assert isinstance(kept.exception(), OSError) and changed(before)
        shell.run_cell("pass")
        assert not changed(before) and not left_behind(shell)
    loop = asyncio.new_event_loop()
    later = loop.create_task(task())
    loop.run_until_complete(asyncio.wait([later]))
    loop.close()
    assert isinstance(later.exception(), OSError) and changed(before)
    shell.run_cell("pass")
    assert not changed(before) and not left_behind(shell)


def test_a_training_that_goes_on_in_a_thread_is_watched_beyond_cells_that_end(
    shell: InteractiveShell,
) -> None:
    before, at_work, go_on = patched_functions(), threading.Event(), threading.Event()

    def wait() -> None:
        at_work.set()
        assert go_on.wait(60)

    thread = threading.Thread(target=shell.user_ns["fit"], args=(wait,))
    thread.start()
    assert at_work.wait(60)
    for cell in ("pass", "1 / 0"):
        shell.run_cell(cell)
        assert changed(before)
    go_on.set()
    thread.join()
    assert not changed(before)
    shell.run_cell("pass")
    assert not left_behind(shell)


def test_a_cell_that_is_run_from_within_a_training_leaves_it_watched(
    shell: InteractiveShell,
) -> None:
    before, seen = patched_functions(), []

    def run_cell() -> None:
        shell.run_cell("1 / 0")
        seen.append(bool(changed(before)))

    shell.user_ns["within"] = run_cell
    assert shell.run_cell("fit(within)").success
    assert seen == [True] and not changed(before) and not left_behind(shell)


NAMED = """
def train():
    batches = enumerate(lk.watch(tf.data.Dataset.range(20)))
    for number, _ in batches:
        if number == 7:
            {}
train()
"""


def test_a_watched_iterator_with_a_name_is_closed_in_the_cell_that_fails(
    shell: InteractiveShell,
) -> None:
    """Recorded: its generator stayed half gone through, for IPython had the frame."""
    before = patched_functions()
    assert isinstance(shell.run_cell(NAMED.format("fail()")).error_in_exec, OSError)
    assert not changed(before) and not left_behind(shell)


def test_a_watched_iterator_that_is_gone_through_in_several_cells_stays_watched(
    shell: InteractiveShell,
) -> None:
    before = patched_functions()
    shell.run_cell("batches = iter(w := lk.watch(tf.data.Dataset.range(20))); next(batches)")
    for cell in ("next(batches)", "1 / 0", "next(batches)"):
        shell.run_cell(cell)
        assert changed(before)
    shell.run_cell("rest = list(batches)")
    assert not changed(before) and not left_behind(shell)
    assert shell.run_cell("steps = len(w.run.steps)").success
    assert shell.user_ns["steps"] == 20
