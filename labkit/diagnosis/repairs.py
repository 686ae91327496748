"""Repairs: the one that fits what was seen, and never one that the reader's code has already."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping
from dataclasses import replace

from labkit.diagnosis.evidence import INSTANCES, KEPT, TENSORS
from labkit.diagnosis.findings.memory import KERNEL_CACHE
from labkit.record import Finding, Run
from labkit.record.proof import KeptForEver

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
    chosen = (replace(each, fix=_of_kept(each, run, code)) for each in findings)
    return tuple(replace(each, fix=_new_to(code, each.fix)) for each in chosen)


def _of_kept(finding: Finding, run: Run, code: str) -> str:
    if finding.cause != "kept_objects" or not isinstance(finding.proof, KeptForEver):
        return finding.fix
    for name, _ in finding.proof.rising:
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


def _called(place: str, run: Run) -> bool:
    return place in run.steps.names and any(each > 0 for each in run.steps.column(place))


def _new_to(code: str, fix: str) -> str:
    brings, instead = ALREADY.get(fix, ("", ""))
    return instead if brings and brings in code else fix
