"""The repair fits what was seen, and is none that the code has. Tier: make test."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.diagnosis.repairs import fitting
from labkit.record import Finding, Run, State, Steps
from labkit.record.proof import EveryStep, KeptForEver, Proof, SpikesHeld
from labkit.show.report.fixes import fix_code

KERNELS = (("kernel_cache_bytes", 90_000.0), ("heap_bytes", 90_000.0))


def repair(
    rising: tuple[tuple[str, float], ...],
    *,
    places: tuple[str, ...] = (),
    evidence: tuple[str, ...] = (),
    code: Path | None = None,
    default: str = "keep_numbers",
) -> str:
    steps = Steps({"start_seconds": [0.0], "seconds": [0.1], **{each: [0.01] for each in places}})
    run = Run("train.py", "train.py", State("done"), (), steps,
              evidence={each: ((1, 1.0),) for each in evidence})  # fmt: skip
    finding = Finding("kept_objects", "memory", 1.0, KeptForEver(rising, 90_000.0), default)
    return fitting([finding], run, [str(code)] if code else [])[0].fix


@pytest.mark.parametrize(
    ("places", "fix"),
    [
        (("making_variables_seconds", "random_ops_seconds"), "make_once"),
        (("python_function_seconds",), "make_once"),
        (("random_ops_seconds",), "seed_as_tensor"),
        ((), ""),
    ],
)
def test_of_the_cache_of_kernels_it_is_chosen_by_what_gets_a_kernel_at_each_call(
    places: tuple[str, ...], fix: str
) -> None:
    assert repair(KERNELS, places=places) == fix


def test_tensors_that_no_name_holds_are_held_by_a_tape_where_one_is_open(tmp_path: Path) -> None:
    rising = (("live_tensors", 3.0), ("live_tensor_bytes", 90.0))
    code, other = tmp_path / "train.py", tmp_path / "other.py"
    code.write_text("tape = tf.GradientTape(persistent=True)\n")
    other.write_text("with tf.GradientTape() as tape:\n    pass\n")
    assert repair(rising, code=code) == "close_tape"
    assert repair(rising, code=other) == "keep_numbers"


def test_what_a_name_holds_is_tensors_or_something_else() -> None:
    rising = (("kept/history", 1.0),)
    assert repair(rising, evidence=("kept/history", "tensors/history")) == "keep_numbers"
    assert repair(rising, evidence=("kept/history",)) == "keep_few"


def kept(tensors: float, size: float, code: Path | None = None) -> str:
    """Return the repair of a list of which the loop keeps 100 entries, each of a tensor's kind."""
    counted = {"kept/log.seen": 100.0, "tensors/log.seen": 100.0,
               "live_tensors": tensors, "live_tensor_bytes": size}  # fmt: skip
    steps = Steps({"start_seconds": [0.0], "seconds": [0.1]})
    evidence = {name: ((0, 0.0), (100, value)) for name, value in counted.items()}
    run = Run("train.py", "train.py", State("done"), (), steps, evidence=evidence)
    proof = KeptForEver((("kept/log.seen", 1.0),), 90_000.0)
    finding = Finding("kept_objects", "memory", 1.0, proof, "keep_numbers")
    return fitting([finding], run, [str(code)] if code else [])[0].fix


def test_only_a_tensor_of_one_number_is_to_be_kept_as_a_number() -> None:
    assert kept(tensors=100, size=400) == "keep_numbers"
    assert kept(tensors=100, size=40_000) == "keep_few"
    assert kept(tensors=0, size=0) == "keep_few", "arrays of NumPy's"


@pytest.mark.parametrize(
    ("made", "fix"),
    [("self.seen = {}", "drop"), ("seen: dict[str, int] = {}", "drop"), ("seen = set()", "drop"),
     ("seen = collections.OrderedDict()", "drop"), ("seen = []", "keep_few"),
     ("unseen = {}", "keep_few"),
     ("@functools.cache\ndef seen(raw): ...", "bound_cache"),
     ("@lru_cache(maxsize=None)\ndef seen(raw): ...", "bound_cache"),
     ("@functools.lru_cache(maxsize=64)\ndef seen(raw): ...", "keep_few")],
)  # fmt: skip
def test_what_has_keys_is_no_deque(tmp_path: Path, made: str, fix: str) -> None:
    code = tmp_path / "train.py"
    code.write_text(f"{made}\n")
    assert kept(tensors=0, size=0, code=code) == fix


def test_what_is_open_in_a_list_is_to_be_closed_and_not_to_be_forgotten() -> None:
    assert repair((("kept/writers", 1.0), ("open_files", 1.0))) == "close_files"
    assert repair((("kept/drawn", 1.0), ("figures", 1.0))) == "close_figures"
    assert repair((("open_files", 1.0), ("log_handlers", 1.0))) == "one_handler"


def test_objects_of_the_readers_own_are_called_by_their_class() -> None:
    rising = (("instances/Belief", 1.0), ("heap_bytes", 900.0))
    assert repair(rising) == "let_go"
    finding = Finding("kept_objects", "memory", 1.0, KeptForEver(rising, 900.0), "let_go")
    code = fix_code(finding)
    assert "every Belief that was made" in code and "\nbelief.previous = None" in code


def test_threads_are_of_a_pool_where_the_code_makes_some_or_nothing_is_open(
    tmp_path: Path,
) -> None:
    rising = (("open_files", 1.0), ("threads", 1.0))
    code = tmp_path / "train.py"
    code.write_text("pool = ThreadPoolExecutor(4)\n")
    assert repair((("threads", 1.0),)) == repair(rising, code=code) == "one_pool"
    assert repair(rising) == "close_files"


def test_tensors_that_the_readers_own_objects_hold_go_with_these() -> None:
    assert repair((("live_tensors", 1.0), ("instances/Belief", 1.0))) == "let_go"


def test_a_bound_that_the_code_has_is_not_advised(tmp_path: Path) -> None:
    code = tmp_path / "train.py"
    code.write_text("recent = deque(maxlen=100)\n")
    assert repair((("kept/history", 1.0),), code=code) == "drop"


def test_of_memory_that_nobody_counts_no_repair_is_claimed() -> None:
    assert repair((("heap_bytes", 90_000.0),)) == ""


def chosen(
    cause: str, fix: str, columns: dict[str, list[float]], proof: Proof | None = None
) -> str:
    """Return the repair of a cost, or of what the proof proves, in a run with these columns."""
    steps = Steps({"start_seconds": [0.0, 0.1], "seconds": [0.1, 0.1], **columns})
    run = Run("train.py", "train.py", State("done"), (), steps)
    finding = Finding(cause, "cost", 1.0, proof or EveryStep(0.1, 0.09, "", False), fix)
    return fitting([finding], run, [])[0].fix


@pytest.mark.parametrize(
    ("fix", "columns", "better"),
    [
        ("function_once", {"keras_compiling_seconds": [0.1, 0.1]}, "compile_once"),
        ("trace_once", {"model_building_seconds": [0.1, 0.1]}, "compile_once"),
        ("function_once", {"keras_compiling_seconds": [0.1, 0.0]}, "function_once"),
        ("tensor_argument", {"keras_compiling_seconds": [0.1, 0.1]}, "tensor_argument"),
        ("one_shape", {"compilations": [1.0, 30.0]}, "few_shapes"),
        ("trace_once", {"compilations": [1.0, 30.0]}, "few_shapes"),
        ("one_shape", {"compilations": [1.0, 2.0]}, "one_shape"),
        ("tensor_argument", {"compilations": [1.0, 30.0]}, "tensor_argument"),
    ],
)
def test_traces_of_keras_and_compilations_of_xla_have_repairs_of_their_own(
    fix: str, columns: dict[str, list[float]], better: str
) -> None:
    assert chosen("retracing", fix, columns) == better


@pytest.mark.parametrize(
    ("place", "fix"),
    [("number_checks_seconds", "check_seldom"), ("profiler_seconds", "look_seldom"),
     ("printing_seconds", "look_seldom"), ("drawing_seconds", "look_seldom")],
)  # fmt: skip
def test_of_what_observes_a_loop_the_most_expensive_is_repaired(place: str, fix: str) -> None:
    columns = {"printing_seconds": [0.001, 0.001], place: [0.05, 0.05]}
    assert chosen("observer", "look_seldom", columns) == fix
    assert chosen("observer", "one_handler", columns) == "one_handler"


def test_what_is_copied_in_is_made_a_tensor_once() -> None:
    into = {"bytes_in": [4e6, 4e6], "bytes_out": [4.0, 4.0]}
    assert chosen("host_transfer", "copy_seldom", into) == "convert_once"
    both = {"bytes_in": [4e6, 4e6], "bytes_out": [4e6, 4e6]}
    assert chosen("host_transfer", "copy_seldom", both) == "copy_seldom"


def test_what_is_picked_is_copied_whole() -> None:
    picked = {"picking_seconds": [0.02, 0.02], "device_copies_seconds": [0.01, 0.01]}
    assert chosen("host_transfer", "copy_seldom", picked) == "copy_whole"
    copied = {**picked, "device_copies_seconds": [0.05, 0.05]}
    assert chosen("host_transfer", "copy_seldom", copied) == "copy_seldom"


def test_one_iterator_is_the_repair_only_where_many_are_made() -> None:
    many, one = {"iterators": [1.0, 40.0]}, {"iterators": [1.0, 1.0]}
    spikes = SpikesHeld(8, 30, 0.6, 0.9)
    assert chosen("input_pipeline", "one_iterator", many) == "one_iterator"
    assert chosen("input_pipeline", "one_iterator", many, spikes) == "one_iterator"
    assert chosen("input_pipeline", "one_iterator", one) == "read_on"
    assert chosen("input_pipeline", "one_iterator", one, spikes) == "small_parts"


def test_garbage_that_stays_is_not_ended_by_collecting_less() -> None:
    kept = KeptForEver((("collectable_bytes", 90_000.0),), 90_000.0)
    assert chosen("garbage", "freeze_garbage", {}, kept) == "break_circle"
    assert chosen("garbage", "freeze_garbage", {}) == "freeze_garbage"


def test_objects_that_the_loop_keeps_are_frozen_again_and_again() -> None:
    steps = Steps({"start_seconds": [0.1 * n for n in range(9)], "seconds": [0.1] * 9})
    for objects, fix in ((400.0, "freeze_often"), (9.0, "freeze_garbage")):
        counted = {"gc_objects": ((0, 300_000.0), (9, 300_000.0 + objects))}
        run = Run("train.py", "train.py", State("done"), (), steps, evidence=counted)
        proof = EveryStep(0.1, 0.09, "", False)
        finding = Finding("garbage", "cost", 1.0, proof, "freeze_garbage")
        assert fitting([finding], run, [])[0].fix == fix


def test_files_that_are_no_checkpoints_need_no_manager_of_checkpoints() -> None:
    kept = KeptForEver((("files_written", 1.0),), 0.0)
    saving = {"checkpoint_write_seconds": [0.01, 0.01]}
    assert chosen("checkpoint_io", "few_checkpoints", {}, kept) == "few_files"
    assert chosen("checkpoint_io", "few_checkpoints", saving, kept) == "few_checkpoints"


def test_a_manager_that_bounds_some_checkpoints_does_not_bound_those_that_pile_up(
    tmp_path: Path,
) -> None:
    code = tmp_path / "train.py"
    code.write_text("newest = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)\n")
    for files, fix in ((7.0, "seldom_checkpoints"), (300.0, "few_checkpoints")):
        steps = Steps({"start_seconds": [0.0], "seconds": [0.1]})
        evidence = {"files_written": ((0, 0.0), (50, 7.0), (100, files))}
        run = Run("train.py", "train.py", State("done"), (), steps, evidence=evidence)
        proof = EveryStep(0.1, 0.09, "", False)
        finding = Finding("checkpoint_io", "growth", 1.0, proof, "few_checkpoints")
        assert fitting([finding], run, [str(code)])[0].fix == fix
