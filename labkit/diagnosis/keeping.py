"""The memory verdict, and findings of memory: what the loop keeps, step after step."""

from __future__ import annotations

from labkit.diagnosis.climb import FEWEST_READINGS, Climb
from labkit.diagnosis.evidence import KEPT, NOISY_RISE, Evidence
from labkit.diagnosis.suspects import KEPT_FIX, suspect
from labkit.record import Finding, Memory
from labkit.record.quantity import change, size

# Where one of these rises for ever the loop leaks, however few bytes; the first says most.
EXACT = (
    "graph_ops", "concrete_functions", "func_graphs", "gradient_registry", "function_names",
    "runtime_functions", "py_functions", "python_functions", "keras_state", "figures",
    "open_files", "threads", "log_handlers", "live_variables", "live_tensors", "files_written",
)  # fmt: skip
FUNCTIONS = ("concrete_functions", "func_graphs", "function_names", "runtime_functions")
BYTES = ("heap_bytes", "live_tensor_bytes", "python_blocks", "file_bytes")
# What one cache or one collection gave back at the end, of what the heap grew by.
LARGE_PART = 0.5
# A healthy loop leaves up to 700 bytes a step on the heap: TensorFlow makes and keeps names. Less
# than this is 200 MB in a hundred thousand steps, and nobody's trouble.
HEAP_BYTES_PER_STEP = 2_000
KERNEL_CACHE, GARBAGE, SCALARS = "kernel_cache_bytes", "collectable_bytes", "scalar_cache_bytes"
CAUSES = {
    "graph_ops": "graph_growth",
    "files_written": "checkpoint_io",
    "file_bytes": "checkpoint_io",
    GARBAGE: "garbage",
}
TITLES = {
    "graph_ops": "ops in the graph",
    "concrete_functions": "compiled functions alive",
    "func_graphs": "function graphs alive",
    "gradient_registry": "entries in the gradient registry",
    "function_names": "functions registered with TensorFlow",
    "runtime_functions": "functions registered with TensorFlow",
    "py_functions": "functions registered by tf.py_function",
    "python_functions": "functions registered by tf.py_function",
    "keras_state": "entries in Keras's global state",
    "figures": "open figures",
    "open_files": "open files",
    "threads": "threads",
    "log_handlers": "log handlers",
    "live_variables": "variables alive",
    "live_tensors": "tensors alive",
    "files_written": "files",
    "heap_bytes": "bytes on the heap",
    "live_tensor_bytes": "bytes of tensors alive",
    "python_blocks": "blocks of Python's memory",
    "file_bytes": "bytes of files",
    KERNEL_CACHE: "TensorFlow's cache of kernels",
    GARBAGE: "garbage that nobody collects",
}


def memory_verdict(evidence: Evidence) -> Memory:
    """Say whether the loop keeps something at every step.

    Args:
        evidence: What the counters of the run say.
    """
    grows = _growing(evidence)
    # What is resident also grows by what was made once: in a short run of 1 kB a step by 1 MB.
    grown = evidence.rising(("heap_bytes", "live_tensor_bytes", "resident_bytes"))
    label = "leaking" if grows else "flat"
    per_step = grown.per_step if grown and grows else 0.0
    known = bool(grows) or evidence.counts is None or evidence.counts >= FEWEST_READINGS
    named = tuple(_title(each.name) for each in grows)
    return Memory(label, per_step, named, known)  # type: ignore[arg-type]


def memory_findings(memory: Memory, evidence: Evidence) -> list[Finding]:
    """Return what keeps the memory, with the place where it is kept.

    Args:
        memory: The memory verdict.
        evidence: What the counters of the run say.
    """
    if memory.label == "flat":
        return []
    grows = _growing(evidence)
    first = grows[0]
    cause = CAUSES.get(first.name, "kept_objects")
    if first.name in FUNCTIONS and "traces" in evidence.climbs:
        cause = "retracing"
    if first.name == "heap_bytes" and "compilations" in evidence.climbs:
        cause = "retracing"  # what XLA compiled is kept
    told = ", ".join(f"{_title(each.name)} {change(each.per_step)}" for each in grows[:3])
    grown = memory.bytes_per_step
    in_use = f" Memory in use: {'+' * (grown > 0)}{size(grown)} a step." if grown else ""
    proof = f"Each step leaves something behind: {told} a step, to the end of the run.{in_use}"
    fix = KEPT_FIX if cause == "kept_objects" else suspect(cause).fix
    return [Finding(cause, "memory", 1.0, proof, fix)]


def _growing(evidence: Evidence) -> list[Climb]:
    """Return what rises for ever, the most telling first."""
    climbs = evidence.climbs
    found = [climbs[name] for name in EXACT if name in climbs]
    own = evidence.kept()
    found = [*found, *own] if found and found[0].name == "graph_ops" else [*own, *found]
    heap = _heap(evidence)
    if heap is not None:
        found += _given_back(heap, evidence)
    if found:
        return found + [climbs[name] for name in BYTES if name in climbs]
    return [heap] if heap is not None else []


def _heap(evidence: Evidence) -> Climb | None:
    """Return the climb of the heap, where it is more than what comes and goes by itself."""
    heap = evidence.climbs.get("heap_bytes")
    if heap is None:
        return None
    # Each Python number that becomes a tensor for the first time is remembered, in any loop that
    # counts its steps: some hundred bytes each.
    left = heap.rise - evidence.closing.get(SCALARS, 0.0)
    if left < NOISY_RISE["heap_bytes"] or heap.per_step < HEAP_BYTES_PER_STEP:
        return None
    waiting = evidence.closing.get(GARBAGE, 0.0) >= LARGE_PART * heap.rise
    return None if waiting and evidence.collected else heap


def _given_back(heap: Climb, evidence: Evidence) -> list[Climb]:
    """Return what gave most of the heap's rise back when it was cleared at the end."""
    return [
        Climb(name, heap.per_step * min(1.0, bytes_back / heap.rise), 0.0, bytes_back)
        for name in (GARBAGE, KERNEL_CACHE)
        if (bytes_back := evidence.closing.get(name, 0.0)) >= LARGE_PART * heap.rise
    ]


def _title(name: str) -> str:
    return name.removeprefix(KEPT) if name.startswith(KEPT) else TITLES.get(name, name)
