"""The labs on the stand-in card: what a learner has whose machine has a graphics card.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import labkit as lk
from labkit.bench.bench import Bench
from labkit.bench.device import answer, choice, faults
from labkit.bench.device.answer import answer_of_card
from labkit.bench.device.choice import Device, DeviceChoice
from labkit.bench.session.session import Session
from labkit.bench.worker.fault import CARD_LOST
from labkit.causes import SLUGS, load
from labkit.cli.commands import running
from labkit.cli.program import carry_out
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import missed
from labkit.lab.player import LabPlayer
from labkit.lab.settings import run_limits
from labkit.measure.patches.function.compiling import KERAS_KIND
from labkit.record import Run
from tests.card import build

pytestmark = pytest.mark.in_turn

STEPS = 30
KERNEL_US = 20_000


@pytest.fixture(scope="module")
def kept(variables: dict[str, str]) -> Iterator[Bench]:
    """A bench whose launcher has the card, for all tests here."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        made = Bench(os.environ.get("LABKIT_START", "auto"))
        made.warm()
        yield made
        made.close()


@pytest.fixture
def on_card(kept: Bench, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The same, which has not asked the card yet."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(kept, "devices", DeviceChoice(partial(answer_of_card, kept)))
    return kept


def with_options(monkeypatch: pytest.MonkeyPatch, **options: object) -> None:
    """Give the card of the next runs these options; the launcher has loaded it, and made none."""
    for name, value in build.card_environment(**options).items():  # type: ignore[arg-type]
        monkeypatch.setenv(name, value)


def run(bench: Bench, source: str, steps: int = STEPS, **options: object) -> Run:
    session = bench.start(source, steps=steps, limits=run_limits(60), **options)  # type: ignore[arg-type]
    assert session.wait(90)
    return session.snapshot()


def written(folder: Path, code: str) -> str:
    (folder / "loop.py").write_text(code)
    return str(folder / "loop.py")


def test_a_run_that_is_left_to_choose_takes_the_card(on_card: Bench) -> None:
    assert on_card.devices.chosen() == Device("gpu")
    found = run(on_card, "open_tape").environment
    assert (found["device"], found["gpu"], found["no_gpu"]) == ("gpu", "STAND_IN_CARD", None)


# Its usual batch takes this card 20 s, whose kernels are plain loops.
SIZES: dict[str, dict[str, object]] = {"optimizer_memory": {"batch": 256}}


@pytest.mark.parametrize("slug", SLUGS)
def test_each_cause_counts_on_the_card_what_it_declares(on_card: Bench, slug: str) -> None:
    found = run(on_card, slug, sizes=SIZES.get(slug))
    assert found.environment["device"] == "gpu"
    assert found.state.completed, found.state
    asked = replace(load(slug).expectation, steps=STEPS, rises={})
    judged = judgement(found)
    times = missed(replace(asked, per_step={}, holds={}), found, judged)
    assert [each for each in missed(asked, found, judged) if each not in times] == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"unusable": "old_driver"}, "driver is too old"),
        ({"unusable": "no_device"}, "driver finds no card"),
        # TensorFlow waits ten seconds before it gives up.
        pytest.param({"refused_beyond_bytes": 5_000}, "memory is taken by", marks=pytest.mark.full),
    ],
)
def test_a_card_that_cannot_be_used_costs_a_sentence_and_the_lab_runs_on_the_processor(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], why: str
) -> None:
    with_options(monkeypatch, **options)
    found = run(on_card, "open_tape")
    assert found.state.name == "done" and found.environment["device"] == "cpu"
    assert why in str(found.environment["no_gpu"])
    assert faults.HERE in str(found.environment["no_gpu"])


def test_a_card_that_never_answers_is_given_up_in_time(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "ANSWER_SECONDS", 2.0)
    monkeypatch.setattr(answer, "ANSWER_LIMITS", replace(answer.ANSWER_LIMITS, setup_seconds=2.0))
    with_options(monkeypatch, first_op_hangs=True)
    found = on_card.devices.chosen()
    assert found.name == "cpu" and "did not answer within 2 s" in found.reason


def test_a_card_that_no_forked_process_can_use_is_used_by_fresh_ones_and_said_once(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    if on_card.launcher is None:
        pytest.skip("Nothing is forked here.")
    with_options(monkeypatch, unusable="after_fork")
    first, second = run(on_card, "open_tape", 5), run(on_card, "open_tape", 5)
    assert first.state.name == second.state.name == "done"
    for found in (first, second):
        assert (found.environment["device"], found.environment["start"]) == ("gpu", "plain")
    assert first.environment["no_gpu"] == faults.NOT_FORKED
    assert second.environment["no_gpu"] is None
    on_processor = run(on_card, "open_tape", 5, device="cpu")
    assert on_processor.environment["start"] == "fork"


def test_a_card_that_is_lost_in_a_run_is_told_and_checked_anew(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_options(monkeypatch, lost_after=300)
    found = run(on_card, "open_tape", 200)
    assert found.state.name == "failed" and CARD_LOST in found.state.reason
    assert 0 < len(found.steps) < 200
    with_options(monkeypatch, unusable="no_device")
    assert run(on_card, "open_tape").environment["device"] == "cpu"


def test_a_panel_whose_card_was_lost_goes_on_with_the_processor_and_says_why(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its switch stood on the card, which was then asked for whatever the check had found."""
    player = LabPlayer(
        load("open_tape"), partial(on_card.start, "open_tape", steps=200), device="gpu"
    )
    with_options(monkeypatch, lost_after=300)
    lost = player.start({"device": "gpu"})
    assert isinstance(lost, Session) and lost.wait(60) and lost.state.name == "failed"
    assert player.banner == ""
    with_options(monkeypatch, unusable="no_device")
    again = player.start({"device": "gpu"})
    assert isinstance(again, Session) and again.wait(60) and again.state.name == "done"
    assert again.environment["device"] == "cpu" and "driver finds no card" in player.banner


def test_a_step_lasts_until_the_card_has_done_its_work(
    on_card: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(
        tmp_path,
        "import time\nimport tensorflow as tf\n\n"
        "def make_step():\n"
        "    number = tf.ones([8, 8])\n"
        "    def step():\n"
        "        began = time.perf_counter()\n"
        "        result = number * 2.0\n"
        "        print('launched in', time.perf_counter() - began)\n"
        "        return result\n"
        "    return step\n",
    )
    with_options(monkeypatch, kernel_us=KERNEL_US)
    found = run(on_card, source, 10, device="gpu")
    launched = [
        float(line.split()[-1]) for line in found.log.splitlines() if line.startswith("launched")
    ]
    # The first makes the card's kernel; what a clock sees that does not wait is the launch alone.
    assert all(seconds >= KERNEL_US / 1e6 for seconds in found.steps.seconds[1:])
    assert min(launched[1:]) < KERNEL_US / 1e6 / 4


def test_the_toggle_shows_what_a_clock_says_that_does_not_wait_for_the_card(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_options(monkeypatch, kernel_us=KERNEL_US)
    waits, hands_over = (
        run(on_card, "host_transfer", 8, toggles={"keep_on_device": "on", "clock_waits": how})
        for how in ("on", "off")
    )
    assert min(waits.steps.seconds) >= KERNEL_US / 1e6
    assert min(hands_over.steps.seconds) < KERNEL_US / 1e6 / 4


def test_a_run_says_whether_keras_took_xla_by_itself(on_card: Bench, tmp_path: Path) -> None:
    """On a card it does, where it is left to choose; the stand-in has no compiler for it."""
    source = written(
        tmp_path,
        "import numpy as np\nimport keras\n\n"
        "def make_step():\n"
        "    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n"
        "    model.compile('sgd', 'mse')\n"
        "    data = np.ones([8, 4], 'float32')\n"
        "    return lambda: model.train_on_batch(data, data[:, :1])\n",
    )
    found = run(on_card, source, 5, device="gpu", diagnosing=True)
    assert [event.detail["xla"] for event in found.events if event.kind == KERAS_KIND] == [True]


def test_a_loop_that_sets_its_threads_and_memory_growth_runs_on_the_card(
    on_card: Bench, tmp_path: Path
) -> None:
    source = written(
        tmp_path,
        "import tensorflow as tf\n\n"
        "def make_step():\n"
        "    tf.config.threading.set_intra_op_parallelism_threads(1)\n"
        "    for card in tf.config.list_physical_devices('GPU'):\n"
        "        tf.config.experimental.set_memory_growth(card, True)\n"
        "    weights = tf.Variable(tf.ones([8, 8]))\n"
        "    assert 'GPU' in weights.device, weights.device\n"
        "    return lambda: weights.assign_add(weights * 0.5)\n",
    )
    assert run(on_card, source).state.name == "done"


def test_the_pool_of_the_card_may_grow_and_has_the_same_holes(on_card: Bench) -> None:
    small, pairs = {"layers": 5, "epoch": 10}, "2"
    runs = [
        run(
            on_card,
            "fragmentation",
            60,
            toggles={"allocator": each, "pairs": pairs},
            sizes=small,
        )
        for each in ("bfc", "bfc_growing")
    ]
    assert all(each.state.completed for each in runs)
    for counted in ("holes", "tensor_bytes"):
        assert len({each.steps.column(counted)[-1] for each in runs}) == 1


def test_a_run_on_the_processor_sees_no_card_and_one_after_it_does(
    on_card: Bench, tmp_path: Path
) -> None:
    source = written(
        tmp_path,
        "import tensorflow as tf\n\n"
        "def make_step():\n"
        "    cards = len(tf.config.list_logical_devices('GPU'))\n"
        "    return lambda: print(tf.ones([2]).device, cards)\n",
    )
    logs = [run(on_card, source, 2, device=device).log for device in ("cpu", "gpu", "cpu")]
    assert ["CPU:0 0" in log for log in logs] == [True, False, True]
    assert "GPU:0 1" in logs[1]


def test_of_two_cards_the_first_is_taken_and_both_are_waited_for(
    variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # They are counted while TensorFlow is imported, so this needs a launcher of its own.
    with_options(monkeypatch, cards=2, kernel_us=KERNEL_US)
    source = written(
        tmp_path,
        "import tensorflow as tf\n\n"
        "def make_step():\n"
        "    with tf.device('/GPU:1'):\n"
        "        other = tf.ones([8, 8])\n"
        "    print(tf.ones([8]).device)\n"
        "    def step():\n"
        "        with tf.device('/GPU:1'):\n"
        "            return other * 2.0\n"
        "    return step\n",
    )
    made = Bench()
    try:
        found = run(made, source, 5)
    finally:
        made.close()
    assert found.state.name == "done" and found.log.strip().endswith("GPU:0")
    assert all(seconds >= KERNEL_US / 1e6 for seconds in found.steps.seconds[1:])


def test_a_check_of_all_runs_each_cause_on_both_devices(on_card: Bench, tmp_path: Path) -> None:
    found = lk.selfcheck("host_transfer", "open_tape", folder=tmp_path, on=on_card)
    assert [(row.slug, row.device) for row in found.rows] == [
        (slug, device) for slug in ("host_transfer", "open_tape") for device in ("cpu", "gpu")
    ]
    assert found.works, str(found)
    assert "2 of 2 causes work on the CPU, 2 of 2 causes work on the GPU" in found.summary()
    assert "STAND_IN_CARD" in found.summary()
    alone = lk.selfcheck("host_transfer", device="cpu", folder=tmp_path, on=on_card)
    assert [row.device for row in alone.rows] == ["cpu"]


def test_all_causes_are_recorded_on_both_devices_unless_one_is_named(
    variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SLUGS", ("host_transfer",))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert carry_out(["run", "all", "--steps", "3", "--out", str(tmp_path)]) == 0
    names = {"host_transfer.jsonl": "cpu", "host_transfer-gpu.jsonl": "gpu"}
    assert {file.name for file in tmp_path.iterdir()} == set(names)
    assert all(
        lk.load_run(tmp_path / name).environment["device"] == where for name, where in names.items()
    )
    only = tmp_path / "only"
    command = ["run", "all", "--steps", "3", "--device", "gpu", "--out", str(only)]
    assert carry_out(command) == 0
    assert [file.name for file in only.iterdir()] == ["host_transfer.jsonl"]


def test_a_loop_on_the_card_is_diagnosed_there(
    on_card: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_options(monkeypatch, kernel_us=5_000)  # or it is over before it was counted often enough
    source = written(
        tmp_path,
        "import tensorflow as tf\n\n"
        "kept = []\n\n"
        "def make_step():\n"
        "    weights = tf.Variable(tf.ones([64, 64]))\n"
        "    return lambda: kept.append(weights @ weights)\n",
    )
    said = lk.diagnose(source, on=on_card, steps=800)
    assert said.run.environment["device"] == "gpu"
    assert said.diagnosis.memory.label == "leaking", str(said)
    assert "live_tensors" in said.diagnosis.memory.grows


WATCHED = """
import numpy as np
import keras
import tensorflow as tf
import labkit as lk

data = np.ones([64, 8], "float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8), keras.layers.Dense(1)])
model.compile("sgd", "mse", jit_compile=False)
assert "GPU" in model.weights[0].value.device, model.weights[0].value.device
watch = lk.Watch()
model.fit(data, data[:, :1], batch_size=4, epochs=5, verbose=0, callbacks=[watch])
assert len(watch.run.steps) == 5 * 64 / 4, len(watch.run.steps)

kept = []
weights = tf.Variable(tf.ones([64, 64]))
for batch in (w := lk.watch(range(800))):
    kept.append(weights @ weights)
    float(kept[-1][0, 0])  # waits for the card: a watched loop's clock does not
said = lk.diagnose(w)
assert "live_tensors" in said.diagnosis.memory.grows, said
print("both were watched")
"""


@pytest.mark.full
@pytest.mark.usefixtures("variables")
def test_a_training_in_this_kernel_is_watched_on_the_card(tmp_path: Path) -> None:
    script = tmp_path / "watched.py"
    script.write_text(WATCHED)
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path,
        # Slow enough to be counted often.
        env={**os.environ, **build.card_environment(kernel_us=3_000)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.strip().endswith("both were watched"), done.stderr[-2_000:]


@pytest.mark.full  # TensorFlow waits ten seconds before it gives up
def test_a_card_whose_memory_runs_out_in_a_run_is_told_in_a_sentence(
    on_card: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_options(monkeypatch, memory_mb=1)
    found = run(on_card, "open_tape", 200)
    assert found.state.name == "failed" and 0 < len(found.steps) < 200
    assert "TensorFlow found no room for one more tensor" in found.state.reason
