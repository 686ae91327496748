"""The memory verdict, and findings of memory: what the loop keeps, and that there was no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from labkit.diagnosis.evidence import INSTANCES, NOISY_RISE, Evidence
from labkit.diagnosis.findings.allowance import HEAP_BYTES_PER_STEP, TENSORS, allowance
from labkit.diagnosis.monotone import FEWEST_READINGS
from labkit.diagnosis.rules import RULES, rule
from labkit.record import Finding, Memory, Run
from labkit.record.diagnosis import Climb
from labkit.record.proof import KeptForEver, OutOfMemory

# Where one of these rises for ever the loop leaks, however few bytes; the first says most.
EXACT = (
    "graph_ops", "concrete_functions", "func_graphs", "gradient_registry", "function_names",
    "runtime_functions", "py_functions", "python_functions", "keras_state", "figures",
    "open_files", "threads", "log_handlers", "live_variables", "live_tensors", "files_written",
    "folder_files",
)  # fmt: skip
MAPPED, USED = "mapped_bytes", "no_file_bytes"
# Of what is mapped beside the heap so much must be used: what is only reserved costs nothing.
USED_SHARE = 0.5
# A block of Python's own takes 512 bytes at most, in pools that are mapped beside the heap.
BLOCKS, BLOCK_BYTES = "python_blocks", 512
BYTES = ("heap_bytes", "live_tensor_bytes", "python_blocks", "file_bytes")
# What grows where TensorFlow itself keeps tensors, and no list of the loop's does.
HELD_BY_TENSORFLOW = ("heap_bytes", "live_tensor_bytes", "live_tensors", "tensor_bytes")
MOST_TOLD = 3
# What one cache or one collection gave back at the end, of what the heap grew by.
LARGE_PART = 0.5
# What TensorFlow raises when a device has no block left, and Python when the system has none.
OUT_OF_MEMORY = ("ResourceExhaustedError", "MemoryError")
# Its words, where the loop raised something else because of it; and those for a full disk, which
# has the same class.
NO_BLOCK, FULL_DISK = "OOM when allocating", "No space left"
# A checkpoint once an epoch piles up as it was meant to. TensorFlow keeps three functions of each
# pipeline that is made from a generator (its issue 37653), 1.5 kB, and healthy scripts make one in
# each epoch: no trouble, unless what the functions hold fills the memory.
FILES, FUNCTIONS, LEAST_PER_STEP = "folder_files", ("py_functions", "python_functions"), 0.3
KERNEL_CACHE, GARBAGE, SCALARS = "kernel_cache_bytes", "collectable_bytes", "scalar_cache_bytes"


def memory_verdict(grows: Sequence[Climb], evidence: Evidence) -> Memory:
    """Say whether the loop keeps something at every step.

    Args:
        grows: What rises for ever, the most telling first.
        evidence: What the counters of the run say.
    """
    # What is resident also grows by what was made once: in a short run of 1 kB per step by 1 MB.
    grown = evidence.rising(("heap_bytes", "live_tensor_bytes", "resident_bytes"))
    label = "leaking" if grows else "flat"
    per_step = grown.per_step if grown and grows else 0.0
    for each in grows:
        if each.name == "heap_bytes":  # without what a store that is filling accounts for
            per_step = each.per_step
        elif each.name == MAPPED:  # neither of the first two has a byte of it
            per_step = max(per_step, each.per_step)
    counted = evidence.counts is None or evidence.counts >= FEWEST_READINGS
    allowed = allowance(evidence)
    rising = [*_of_heap(evidence), *evidence.instances()]
    rising += [evidence.climbs[TENSORS]] if TENSORS in evidence.climbs else []
    accounted = bool(grows) or all(allowed.accounts_for(each) for each in rising)
    unclear = "" if accounted else allowed.why
    if not unclear and not grows and evidence.stairs:
        unclear = "stairs"
    named = tuple(each.name for each in grows)
    known = bool(grows) or (counted and not unclear)
    return Memory(label, per_step, named, known, tuple(grows), unclear)  # type: ignore[arg-type]


def memory_findings(memory: Memory, grows: Sequence[Climb], evidence: Evidence) -> list[Finding]:
    """Return what keeps the memory, with the place where it is kept.

    Args:
        memory: The memory verdict.
        grows: What rises for ever, the most telling first.
        evidence: What the counters of the run say.
    """
    if not grows:
        return []
    told = list(grows[:MOST_TOLD])
    # Which class it is says more than the third of the counters.
    if classes := [each for each in grows[MOST_TOLD:] if each.name.startswith(INSTANCES)]:
        told[-1] = classes[0]
    rising = tuple((each.name, each.per_step) for each in told)
    proof = KeptForEver(rising, memory.bytes_per_step)
    cause, fix = _kept_by(grows[0].name, evidence)
    return [Finding(cause, "memory", 1.0, proof, fix)]


def ending_findings(run: Run) -> list[Finding]:
    """Return why a run was ended by its memory; empty where it was not.

    Args:
        run: With the state it ended in.
    """
    state = run.state
    raised = state.error in OUT_OF_MEMORY or NO_BLOCK in state.traceback
    if state.name != "memory_limit" and (not raised or FULL_DISK in state.traceback):
        return []
    limit = rule("memory_limit")
    return [Finding(limit.cause, "memory", 1.0, OutOfMemory(state.reason), limit.fix)]


def _kept_by(counter: str, evidence: Evidence) -> tuple[str, str]:
    """Return the cause that keeps what a counter counts, and the code of its repair."""
    for each in RULES:
        if each.holds in evidence.held and counter in HELD_BY_TENSORFLOW:
            return each.cause, each.fix
        beside = each.keeps.get(counter)
        if beside is not None and (not beside or beside in evidence.climbs):
            return each.cause, each.fix
    return "kept_objects", "keep_numbers"


def kept_for_ever(evidence: Evidence) -> list[Climb]:
    """Return what rises for ever, the most telling first."""
    climbs = evidence.climbs
    allowed = allowance(evidence)
    found = [climbs[name] for name in EXACT if name in climbs]
    found = [each for each in found if each.name != TENSORS or allowed.beyond(each)]
    heap = _heap(evidence)
    seldom = {FILES, *(FUNCTIONS if heap is None else ())}
    found = [each for each in found if each.name not in seldom or each.per_step >= LEAST_PER_STEP]
    own = evidence.kept_memory()
    found = [*found, *own] if found and found[0].name == "graph_ops" else [*own, *found]
    found += [each for each in evidence.instances() if allowed.beyond(each)]
    if not found:
        heap = allowed.beyond(heap)
    if heap is not None:
        found += _given_back(heap, evidence)
    if found:
        return found + [climbs[name] for name in BYTES if name in climbs]
    return [each for each in (heap, allowed.beyond(_mapped(evidence))) if each is not None]


def _of_heap(evidence: Evidence) -> list[Climb]:
    """Return the climbs of the heap and of what is mapped beside it."""
    return [each for each in (_heap(evidence), _mapped(evidence)) if each is not None]


def _mapped(evidence: Evidence) -> Climb | None:
    """Return the climb of what is mapped beside the heap, where it is used and not Python's own."""
    mapped, used = (evidence.climbs.get(name) for name in (MAPPED, USED))
    if mapped is None or used is None or mapped.per_step < HEAP_BYTES_PER_STEP:
        return None
    blocks = evidence.climbs.get(BLOCKS)
    per_step = mapped.per_step - (BLOCK_BYTES * blocks.per_step if blocks else 0.0)
    if min(per_step, used.per_step) < USED_SHARE * mapped.per_step:
        return None
    # A reserve of 64 MB that a thread makes once is no part of what is used at each step.
    return replace(mapped, per_step=min(mapped.per_step, used.per_step))


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
