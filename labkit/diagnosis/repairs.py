"""Repairs: the one that fits what was seen, and never one that the reader's code has already."""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from labkit.diagnosis.evidence import COUNTED, EXACT_RISE, INSTANCES, KEPT, TENSORS
from labkit.diagnosis.findings.memory import KERNEL_CACHE
from labkit.diagnosis.retraced import FEWEST_TRACES
from labkit.diagnosis.rules import rule
from labkit.record import Finding, Run
from labkit.record.proof import KeptForEver, SpikesHeld

# Of a finding of memory, by the counter that says most.
OF_COUNTER: Mapping[str, str] = {
    "open_files": "close_files",
    "threads": "close_files",
    "figures": "close_figures",
    "live_variables": "make_once",
    "py_functions": "make_once",
    "python_functions": "make_once",
    "keras_state": "make_once",
    "log_handlers": "one_handler",
}
# Of TensorFlow's cache of kernels, by the place whose calls each get a kernel of their own: a
# variable and a Python function have names, and a random op has a seed, that no other has.
OF_KERNELS: Mapping[str, str] = {
    "making_variables_seconds": "make_once",
    "python_function_seconds": "make_once",
    "random_ops_seconds": "seed_as_tensor",
}
NUMBER_CHECKS = "number_checks_seconds"
# What Keras makes for a model: it throws away what was traced for the one before.
OF_MODEL = ("keras_compiling_seconds", "model_building_seconds")
MOSTLY = 0.5  # of the steps: a model is made once in any healthy loop
CHECKPOINTS = ("checkpoint_write_seconds", "checkpoint_index_seconds")
PICKING, COPIES = "picking_seconds", "device_copies_seconds"
# One is made for each epoch in any loop.
FEWEST_ITERATORS = 3
# A loop that keeps so many more objects a step has ever more to be looked through for garbage.
OBJECTS_PER_STEP = 10
# A handler has its file open; and what is open stays open in a list of any length.
OPEN = ("log_handlers", "open_files", "threads", "figures")
TENSORS_ALIVE, TENSOR_BYTES = "live_tensors", "live_tensor_bytes"
# A tensor of one number, in double precision at most.
NUMBER_BYTES = 16
# What is kept there has keys, and is no list.
MAPPING = r"(?<!\w){name}(?:\s*:[^=\n]+)?\s*=\s*(?:\{{|(?:\w+\.)?(?:set|\w*[dD]ict)\()"
# What is kept there are the results of a function.
CACHE = (
    r"@(?:functools\.)?(?:cache|lru_cache\(\s*(?:maxsize\s*=\s*)?None\s*\))\s*"
    r"(?:@[^\n]+\s+)*def {name}\("
)
# What holds every tensor made under it, and is no name of the reader's own.
OPEN_TAPE = "persistent=True"
OWN_THREAD = "Thread"  # as in threading.Thread, and in a pool of them
# What a repair brings in, and the next best where that stands in the code.
ALREADY: Mapping[str, tuple[str, str]] = {
    "one_shape": ("reduce_retracing", "few_shapes"),
    "freeze_garbage": ("gc.freeze", ""),
    "few_checkpoints": ("max_to_keep=3", "seldom_checkpoints"),
    "keep_few": ("maxlen=", "drop"),
}


def fitting(findings: Iterable[Finding], run: Run, files: Iterable[str]) -> tuple[Finding, ...]:
    """Return the findings, each with the repair that fits.

    Args:
        findings: What was found, each with its line where one is known.
        run: What was recorded.
        files: The reader's.
    """
    code = "".join(line for file in files for line in linecache.getlines(file))
    chosen = (replace(each, fix=_of_cause(each, run, code)) for each in findings)
    return tuple(replace(each, fix=_new_to(code, each.fix, run)) for each in chosen)


def _of_cause(finding: Finding, run: Run, code: str) -> str:
    """Return the repair of a finding; where its cause has several, by what was seen."""
    match finding.cause, finding.proof:
        case "kept_objects", KeptForEver() as proof:
            return _of_kept(proof, run, code)
        case "garbage", KeptForEver():
            return "break_circle"  # what nobody collects, less collecting makes no less
        case "checkpoint_io", KeptForEver() if not any(_called(each, run) for each in CHECKPOINTS):
            return "few_files"
        case "observer", _ if finding.fix == rule("observer").fix:
            most = max(rule("observer").places, key=lambda place: _total(place, run))
            return "check_seldom" if most == NUMBER_CHECKS else finding.fix
        case "garbage", _ if _rise(COUNTED, run) >= OBJECTS_PER_STEP * len(run.steps):
            return "freeze_often"
        case "host_transfer", _ if _total(PICKING, run) > _total(COPIES, run):
            return "copy_whole"
        case "host_transfer", _ if _total("bytes_in", run) > 2 * _total("bytes_out", run):
            return "convert_once"
        case "input_pipeline", proof if _risen("iterators", run) < FEWEST_ITERATORS:
            return "small_parts" if isinstance(proof, SpikesHeld) else "read_on"
        case "retracing", _:
            return _of_traces(finding, run)
    return finding.fix


def _of_traces(finding: Finding, run: Run) -> str:
    """Return the repair of traces: XLA and Keras have theirs, whatever was new to a function."""
    first = finding.fix in ("function_once", "trace_once")
    if first and any(_called(each, run, MOSTLY) for each in OF_MODEL):
        return "compile_once"
    if finding.fix in ("one_shape", "trace_once") and _risen("compilations", run) >= FEWEST_TRACES:
        return "few_shapes"
    return finding.fix


def _of_kept(proof: KeptForEver, run: Run, code: str) -> str:
    names = [name for name, _ in proof.rising]
    # A writer of summaries has a thread as well as a file.
    if "threads" in names and (OWN_THREAD in code or "open_files" not in names):
        return "one_pool"
    for name in (*(each for each in OPEN if each in names), *names):
        if name.startswith(KEPT):
            return _of_named(name.removeprefix(KEPT), run, code)
        if name.startswith(INSTANCES):
            return "let_go"
        if name in OF_COUNTER:
            return OF_COUNTER[name]
        if name == KERNEL_CACHE:
            return next((OF_KERNELS[each] for each in OF_KERNELS if _called(each, run)), "")
        if name == TENSORS_ALIVE:
            held = any(each.startswith(INSTANCES) for each in names)
            tape = OPEN_TAPE in code
            return "close_tape" if tape else "let_go" if held else "keep_numbers"
    return ""  # memory that nobody counts: what would end it is not known


def _of_named(name: str, run: Run, code: str) -> str:
    """Return the repair of what the reader's own name keeps."""
    kept, tensors, size = (_rise(each, run) for each in (KEPT + name, TENSORS_ALIVE, TENSOR_BYTES))
    # Arrays are counted with tensors, and float() takes neither of them with more than one number.
    if TENSORS + name in run.evidence and tensors >= kept / 2 and size <= NUMBER_BYTES * tensors:
        return "keep_numbers"
    last = re.findall(r"\w+", name)[-1:]
    if last and re.search(CACHE.format(name=last[0]), code):
        return "bound_cache"
    if last and re.search(MAPPING.format(name=last[0]), code):
        return "drop"
    return "keep_few"


def _rise(counter: str, run: Run) -> float:
    values = [value for _, value in run.evidence.get(counter, ())]
    return values[-1] - values[0] if values else 0.0


def _piles_up(counter: str, run: Run) -> bool:
    """Tell whether a counter still rises in the second half of the run."""
    values = [value for _, value in run.evidence.get(counter, ())]
    return bool(values) and values[-1] - values[len(values) // 2] >= EXACT_RISE


def _called(place: str, run: Run, share: float = 0.0) -> bool:
    """Tell whether a place was passed in more than this share of the steps."""
    if place not in run.steps.names:
        return False
    return float(np.mean(np.asarray(run.steps.column(place)) > 0)) > share


def _total(column: str, run: Run) -> float:
    return float(np.nansum(run.steps.column(column))) if column in run.steps.names else 0.0


def _risen(counter: str, run: Run) -> float:
    if counter not in run.steps.names or not len(run.steps):
        return 0.0
    values = np.asarray(run.steps.column(counter))
    return float(values[-1] - values[0])


def _new_to(code: str, fix: str, run: Run) -> str:
    if fix == "few_checkpoints" and _piles_up("files_written", run):
        return fix  # the bound that stands in the code is another's
    brings, instead = ALREADY.get(fix, ("", ""))
    return instead if brings and brings in code else fix
