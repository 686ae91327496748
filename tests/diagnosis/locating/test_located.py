"""Each finding names the reader's line that does it, where one is known. Tier: make test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from labkit.diagnosis.locating.located import located
from labkit.record import Event, Finding, Run, State, Steps
from labkit.record.proof import EveryStep, KeptForEver, PlacesGrew, Proof
from labkit.record.source_line import LINE, SourceLine

GREW = PlacesGrew(0.01, (("dispatch_seconds", 0.9), ("tracing_seconds", 0.1)), 0.009, None, "", 0.0)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text("import x\n\nfor b in data:\n    loss = step(b)\n    save(loss)\n")
    return path


def found(
    cause: str, proof: Proof, run: Run, slower: tuple[tuple[str, float], ...] = ()
) -> SourceLine | None:
    kind = {KeptForEver: "memory", EveryStep: "cost"}.get(type(proof), "growth")
    finding = Finding(cause, kind, 0.9, proof, "trace_once")  # type: ignore[arg-type]
    return located([finding], run, slower)[0].line


def recorded(evidence: dict[str, float]) -> Run:
    pairs = {name: ((10, value), (20, value)) for name, value in evidence.items()}
    steps = Steps({"start_seconds": [0.0], "seconds": [0.1]})
    return Run("train.py", "train.py", State("done"), (), steps, evidence=pairs)


def test_it_is_the_line_that_calls_the_place_which_grew_most(script: Path) -> None:
    run = recorded({
        f"{LINE}dispatch_seconds/{script}:4": 1.0,
        f"{LINE}dispatch_seconds/{script}:5": 3.0,
        f"{LINE}tracing_seconds/{script}:4": 9.0,
    })  # fmt: skip
    assert found("retracing", GREW, run) == SourceLine(str(script), 5, "save(loss)")


def test_a_place_that_nobody_called_in_the_steps_looked_at_leaves_it_to_the_next(
    script: Path,
) -> None:
    run = recorded({f"{LINE}tracing_seconds/{script}:4": 1.0})
    assert found("retracing", GREW, run) == SourceLine(str(script), 4, "loss = step(b)")


def test_what_happens_seldom_is_located_by_its_events(script: Path) -> None:
    saved = Event(7, "checkpoint", "saved", {"file": str(script), "line": 5})
    run = replace(recorded({}), events=(saved,))
    kept = KeptForEver((("files_written", 1.0),), 0.0)
    assert found("checkpoint_io", kept, run) == SourceLine(str(script), 5, "save(loss)")


def test_own_work_is_located_by_the_line_whose_time_grew(script: Path) -> None:
    run = recorded({f"{LINE}tracing_seconds/{script}:4": 1.0})
    slower = (("numpy/core/x.py:7 append", 0.1), ("train.py:5 <module> > numpy.mean", 0.01))
    proof = PlacesGrew(0.01, (("unexplained", 0.9),), 0.009, None, "", 0.0)
    assert found("history", proof, run, slower) == SourceLine(str(script), 5, "save(loss)")


def test_a_cost_is_located_by_its_largest_place(script: Path) -> None:
    run = recorded({f"{LINE}drawing_seconds/{script}:5": 2.0})
    said = found("observer", EveryStep(0.1, 0.06, "drawing_seconds", False), run)
    assert said == SourceLine(str(script), 5, "save(loss)")


def test_waiting_that_python_makes_is_located_there_unless_the_step_itself_asks(
    script: Path,
) -> None:
    behind = {f"{LINE}pipeline_python/{script}:4": 9.0}
    waits = EveryStep(0.1, 0.06, "data_waiting_seconds", False)
    assert found("input_pipeline", waits, recorded(behind)).line == 4
    asks = {**behind, f"{LINE}data_waiting_seconds/{script}:5": 1.0}
    assert found("input_pipeline", waits, recorded(asks)).line == 5


def test_where_nothing_tells_there_is_no_line() -> None:
    assert found("garbage", PlacesGrew(0.01, (), 0.0, None, "", 0.0), recorded({})) is None


def test_a_file_that_is_gone_leaves_the_place_without_its_code() -> None:
    run = recorded({f"{LINE}tracing_seconds//nowhere/train.py:4": 1.0})
    assert found("retracing", GREW, run) == SourceLine("/nowhere/train.py", 4, "")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("history", "history.append(loss)"),
        ("history", "history += [loss]"),
        ("self.memory", "self.memory.extend([loss])"),
        ("trainer.memory", "self.memory[step] = loss"),
        ("state['rows']", "state['rows'].append(loss)"),
        ("state['rows']", 'state["rows"] += [loss]'),
        ("losses", "losses = np.append(losses, loss)"),
        ("losses", "losses = losses + [loss]"),
        ("seen", "seen.setdefault(step, loss)"),
        ("features.relief", "row = relief(stamp.tobytes())"),  # a cache
    ],
)
def test_what_is_kept_is_located_where_it_is_added_to(tmp_path: Path, path: str, code: str) -> None:
    script = tmp_path / "train.py"
    first = "history = losses = seen = []\nprint(history, losses, seen, memory, rows)\n"
    script.write_text(f"{first}# {code}\nhistory2.append(1)\n{code}\n")
    run = recorded({f"{LINE}tracing_seconds/{script}:2": 1.0})
    kept = KeptForEver((("live_tensors", 1.0), (f"kept/{path}", 1.0)), 0.0)
    assert found("kept_objects", kept, run) == SourceLine(str(script), 5, code)


def test_a_tape_that_is_left_open_is_located_where_it_is_made(tmp_path: Path) -> None:
    """And not where one is closed again, nor where gradients are asked for."""
    script = tmp_path / "train.py"
    script.write_text(
        "def train():\n"
        "    with tf.GradientTape() as tape:\n"
        "        loss = model(x)\n"
        "    return tape.gradient(loss, weights)\n"
        "probe = tf.GradientTape(persistent=True)\n"
    )
    run = recorded({f"{LINE}gradients_seconds/{script}:4": 1.0, "calls/train.py:1 train": 1.0})
    said = found("open_tape", KeptForEver((("heap_bytes", 9.0),), 9.0), run)
    assert said == SourceLine(str(script), 5, "probe = tf.GradientTape(persistent=True)")


def test_what_is_kept_and_nowhere_added_to_has_no_line(script: Path) -> None:
    run = recorded({f"{LINE}tracing_seconds/{script}:4": 1.0})
    assert found("kept_objects", KeptForEver((("kept/history", 1.0),), 0.0), run) is None


@pytest.mark.parametrize(
    ("counter", "code"),
    [
        ("log_handlers", "logger.addHandler(logging.StreamHandler())"),
        ("open_files", "sinks.append(open(path, 'w'))"),
        ("threads", "feeder = threading.Thread(target=feed)"),
        ("kernel_cache_bytes", "noise = tf.random.normal(shape)"),
    ],
)
def test_what_no_place_is_timed_for_is_located_by_the_line_that_makes_one(
    tmp_path: Path, counter: str, code: str
) -> None:
    path = tmp_path / f"{counter}.py"
    path.write_text(f"# {code}\nfor b in data:\n    {code}\n    save(b)\n")
    run = recorded({f"{LINE}running_ops_seconds/{path}:4": 1.0})
    said = found("kept_objects", KeptForEver(((counter, 1.0), ("heap_bytes", 9.0)), 9.0), run)
    assert said == SourceLine(str(path), 3, code)


def test_a_file_beside_that_calls_nothing_of_tensorflow_is_looked_through_as_well(
    tmp_path: Path, script: Path
) -> None:
    beside = tmp_path / "journal.py"
    beside.write_text("def note(text):\n    logger.addHandler(handler)\n    logger.info(text)\n")
    run = recorded({f"{LINE}running_ops_seconds/{script}:4": 1.0, "calls/journal.py:1 note": 2.0})
    said = found("kept_objects", KeptForEver((("log_handlers", 1.0),), 0.0), run)
    assert said == SourceLine(str(beside), 2, "logger.addHandler(handler)")
