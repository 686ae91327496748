"""Repairs: the one that fits what was seen, and never one that the reader's code has already."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from labkit.diagnosis.evidence import INSTANCES, KEPT, TENSORS
from labkit.diagnosis.findings.memory import KERNEL_CACHE
from labkit.diagnosis.retraced import FEWEST_TRACES
from labkit.record import Finding, Run
from labkit.record.proof import EveryStep, KeptForEver, PlacesGrew

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
# Of what observes a loop, by the place that holds most of it.
OF_OBSERVER: Mapping[str, str] = {
    "number_checks_seconds": "check_seldom",
    "profiler_seconds": "stop_profiler",
}
# What Keras makes for a model: it throws away what was traced for the one before.
OF_MODEL = ("keras_compiling_seconds", "model_building_seconds")
MOSTLY = 0.5  # of the steps: a model is made once in any healthy loop
CHECKPOINTS = ("checkpoint_write_seconds", "checkpoint_index_seconds")
TENSORS_ALIVE = "live_tensors"
# What holds every tensor made under it, and is no name of the reader's own.
OPEN_TAPE = "persistent=True"
# What a repair brings in, and the next best where that stands in the code.
ALREADY: Mapping[str, tuple[str, str]] = {
    "one_shape": ("reduce_retracing", "few_shapes"),
    "trace_once": ("reduce_retracing", "function_once"),
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
    return tuple(replace(each, fix=_new_to(code, each.fix)) for each in chosen)


def _of_cause(finding: Finding, run: Run, code: str) -> str:
    """Return the repair of a finding; where its cause has several, by what was seen."""
    match finding.cause, finding.proof:
        case "kept_objects", KeptForEver() as proof:
            return _of_kept(proof, run, code)
        case "garbage", KeptForEver():
            return "break_circle"  # what nobody collects, less collecting makes no less
        case "checkpoint_io", KeptForEver() if not any(_called(each, run) for each in CHECKPOINTS):
            return "few_files"
        case "observer", PlacesGrew(places=((place, _), *_)) | EveryStep(place=place):
            return OF_OBSERVER.get(place, finding.fix)
        case "host_transfer", _ if _total("bytes_in", run) > _total("bytes_out", run):
            return "convert_once"
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
    for name, _ in proof.rising:
        if name.startswith(KEPT):
            tensors = TENSORS + name.removeprefix(KEPT) in run.evidence
            return "keep_numbers" if tensors else "keep_few"
        if name.startswith(INSTANCES):
            return "make_once"
        if name in OF_COUNTER:
            return OF_COUNTER[name]
        if name == KERNEL_CACHE:
            return next((OF_KERNELS[each] for each in OF_KERNELS if _called(each, run)), "")
        if name == TENSORS_ALIVE:
            return "close_tape" if OPEN_TAPE in code else "keep_numbers"
    return ""  # memory that nobody counts: what would end it is not known


def _called(place: str, run: Run, share: float = 0.0) -> bool:
    """Tell whether a place was passed in more than this share of the steps."""
    return place in run.steps.names and np.mean(np.asarray(run.steps.column(place)) > 0) > share


def _total(counter: str, run: Run) -> float:
    return float(np.nansum(run.steps.column(counter))) if counter in run.steps.names else 0.0


def _risen(counter: str, run: Run) -> float:
    if counter not in run.steps.names or not len(run.steps):
        return 0.0
    values = np.asarray(run.steps.column(counter))
    return float(values[-1] - values[0])


def _new_to(code: str, fix: str) -> str:
    brings, instead = ALREADY.get(fix, ("", ""))
    return instead if brings and brings in code else fix
