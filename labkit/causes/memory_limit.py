"""The limit of memory: what really happens when a loop fills it.

"When memory is full, everything gets slower" holds only where the system has somewhere else to put
what it takes away. So fill the memory, and see what your program is told. ``what`` is kept:

- ``tensors`` of 2 MB, in a ``pool`` of 128 MB: TensorFlow waits ten seconds for another thread to
  free something, then raises ResourceExhaustedError. ``rescuer``, a thread that frees after a
  second, turns each of these ends into a pause. With ``pool`` off, TensorFlow's default CPU
  allocator waits as well, but holds its lock while it waits: no thread can free, and each that
  tries stands still with it.
- ``small_tensors``, with ``pool`` off: under 256 KiB there is no wait. ResourceExhaustedError comes
  at once, or the process ends without any error.
- ``numpy``: MemoryError, at once. Nobody has the time to help. ``constants``, tensors made from a
  NumPy array: most often the process is ended by a signal, without any error.
- ``cycles``: garbage that Python has not yet collected fills the pool; the rescuer collects it.

None of these has to get slower before its end. ``mapped_file`` does: its data lie in a file, of
which only ``budget`` blocks may be in memory. Beyond that the loop has the system put the block
used longest ago back to the file, as the system does by itself when memory is short. Steps are flat
up to the budget and climb from exactly there. ``swap`` does the same with memory that belongs to no
file, where there is swap space. The machine is safe: the process gets ``room`` MB at most.

The proof: ``disk_faults`` stays level until ``held`` passes the budget and rises from there on,
while ``resident_bytes`` does the opposite; the waits are ``stall`` events, with their seconds.
"""

from __future__ import annotations

import gc
import mmap
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from labkit.cause import (
    Cause,
    Expectation,
    Explanation,
    Loop,
    Mechanism,
    Size,
    Toggle,
    paged_memory,
)
from labkit.cause.paged_memory import leave_room
from labkit.record import Column, LabkitError

FLOATS = (2 << 20) // 4  # of each large thing that is kept
BLOCK = 64 * 1024  # bytes of the mapped data that are read together
NEWEST, PATIENCE_SECONDS = 16, 1.0  # what bounded leaves; when the rescuer frees
WHAT = ("mapped_file", "swap", "tensors", "small_tensors", "numpy", "constants", "cycles")
DUMPS = {"TF_BFC_MEMORY_DUMP": "{scratch}/pool/map"}
LIMITED = {"TF_CPU_ALLOCATOR_USE_BFC": "1", "TF_CPU_BFC_MEM_LIMIT_IN_MB": "128",
           "TF_PER_DEVICE_MEMORY_LIMIT_MB": "128"}  # fmt: skip
POOL = Toggle(
    "pool", "one pool of 128 MB for all tensors", default="on", role="control", kind="launch",
    # TensorFlow's default CPU allocator has a pool, too, but only for blocks from 256 KiB.
    environment={"on": DUMPS | LIMITED, "off": DUMPS | {"TF_MKL_ALLOC_MAX_BYTES": "134217728"}},
)  # fmt: skip
EXPECTED = Expectation("cliff", steps=4_800, growth=0.8, rises={"disk_faults": 1_000},
                       places=("reading the data",))  # fmt: skip
EXPLAINED = (
    Explanation("ResourceExhaustedError", "OOM",
                "The limit was reached. Requests to a pool wait ten seconds for another thread to "
                "free some, others not; look at the steps before it, and hold less (bounded)."),
    Explanation("MemoryError", "",
                "The limit was reached; look at the steps before it, and hold less (bounded)."),
    Explanation("SIGSEGV", "", "TensorFlow found no room and went on; hold less (bounded)."),
)  # fmt: skip


def make_step(
    toggles: SimpleNamespace, *, blocks: int = 1_200, budget: int = 300, every: int = 4,
    reads: int = 32, room: int = 384, seed: int = 0,
) -> Loop:  # fmt: skip
    """Return a step that keeps something, or that draws a batch from data that become more.

    Args:
        toggles: ``keep``, ``bounded`` and ``rescuer``, read while the loop runs; ``what`` and
            ``pool`` are in force when it starts.
        blocks: How many blocks of 64 KiB the mapped data have in the end.
        budget: How many of them may be in memory.
        every: Steps until one more block is drawn from.
        reads: Blocks a batch.
        room: How much more memory the process may take, in MB.
        seed: Of the data and of the draws.

    Raises:
        LabkitError: If this system cannot do it.
    """
    if not sys.platform.startswith("linux"):
        raise LabkitError(f"memory_limit needs Linux and this is {sys.platform}; run another lab.")
    if toggles.what in ("mapped_file", "swap"):
        return drawing(toggles, blocks, budget, every, reads, seed)
    return filling(toggles, room)


def filling(toggles: SimpleNamespace, room: int) -> Loop:
    """Return a step that makes one thing and keeps it."""
    import numpy as np
    import tensorflow as tf

    make: Callable[[], Any] = {
        "tensors": lambda: tf.zeros([FLOATS]),
        "small_tensors": lambda: [tf.zeros([FLOATS // 32]) for _ in range(32)],
        "numpy": lambda: np.ones([FLOATS], np.float32),
        "constants": lambda: tf.constant(np.ones([FLOATS], np.float32)),
        "cycles": lambda: SimpleNamespace(tensor=tf.zeros([FLOATS])),
    }[toggles.what]
    make()  # TensorFlow's own threads and buffers come with the first op, before the limit
    held: list[Any] = []
    began = time.monotonic()

    def rescue() -> None:
        while True:
            time.sleep(PATIENCE_SECONDS / 10)
            if toggles.rescuer and time.monotonic() - began > PATIENCE_SECONDS:
                held.clear()
                gc.collect()

    threading.Thread(target=rescue, daemon=True).start()
    limit_memory(toggles, room, on_gpu=bool(tf.config.list_logical_devices("GPU")))

    def step() -> None:
        nonlocal began
        began = time.monotonic()
        if toggles.what == "cycles" and toggles.bounded:
            gc.collect(0)  # the newest objects only, which is cheap
        thing = make()
        if toggles.what == "cycles":
            # Not kept at all; but what refers to itself is freed by a collection only.
            thing.itself = thing if toggles.keep else None
        elif toggles.keep:
            held.append(thing)
            if toggles.bounded:
                del held[:-NEWEST]

    return Loop(step, {"held": lambda: len(held), "fetched": lambda: float("nan")})


def drawing(
    toggles: SimpleNamespace, blocks: int, budget: int, every: int, reads: int, seed: int
) -> Loop:
    """Return a step that draws a batch from mapped data, of which it leaves so much in memory."""
    import numpy as np

    random = np.random.default_rng(seed)
    memory = mapped(blocks, random, in_file=toggles.what == "mapped_file")
    data = np.frombuffer(memory, np.float32).reshape(blocks, -1)
    in_memory: OrderedDict[int, None] = OrderedDict()  # the block used longest ago comes first
    held, done, fetched = 1, 0, 0

    def step() -> object:
        nonlocal held, done, fetched
        first = max(0, held - budget // 2) if toggles.bounded else 0
        chosen = random.integers(first, held, size=reads)
        fetched = len({*map(int, chosen)} - in_memory.keys())
        loss = average(read(data, chosen))
        put_back(memory, in_memory, chosen, budget)
        done += 1
        if toggles.keep and done % every == 0:
            held = min(held + 1, blocks)
        return loss

    return Loop(step, {"held": lambda: held, "fetched": lambda: fetched})


def read(data: Any, chosen: Any) -> Any:
    """Return the mean of each chosen block, shape (reads,): every number of it is looked at."""
    return data[chosen].mean(axis=1)


def average(means: Any) -> Any:
    """Return the mean of all; not expensive, but Python has lost its caches to the reading."""
    import tensorflow as tf

    return tf.reduce_mean(means)


def put_back(memory: mmap.mmap, in_memory: OrderedDict[int, None], chosen: Any, most: int) -> None:
    """Put the blocks used longest ago back to where they came from, until no more are left."""
    for block in map(int, chosen):
        in_memory[block] = None
        in_memory.move_to_end(block)
    while len(in_memory) > most:
        oldest, _ = in_memory.popitem(last=False)
        memory.madvise(paged_memory.PAGEOUT, oldest * BLOCK, BLOCK)


def mapped(blocks: int, random: Any, *, in_file: bool) -> mmap.mmap:
    """Return random numbers that are mapped but not in memory; refuse where that cannot be."""
    data = (random.random(BLOCK // 4, "float32").tobytes() for _ in range(blocks))
    if not in_file:
        if paged_memory.free_swap_bytes() < blocks * BLOCK:
            raise LabkitError(
                f"what = 'swap' needs {blocks * BLOCK / 1e6:,.0f} MB of swap space, which is not "
                "free here; choose mapped_file, which shows the same without."
            )
        # Not tried as a file is: what is on its way out can still be had back without a wait.
        return paged_memory.mapped_nowhere(data, blocks * BLOCK)
    memory = paged_memory.mapped_file(data)
    if not paged_memory.can_put_out(memory, BLOCK):
        raise LabkitError(
            f"Pages of {tempfile.gettempdir()} cannot be put out of memory; set TMPDIR to a folder "
            "on a disk, or choose what = 'tensors'."
        )
    return memory


def limit_memory(toggles: SimpleNamespace, room: int, *, on_gpu: bool) -> None:
    """See that the process, or its pool on a GPU, cannot take more than its share."""
    if on_gpu and toggles.what != "numpy":
        if toggles.pool:
            return  # it is the limit there: a driver maps more addresses than there is memory
        raise LabkitError("pool = off would fill the whole GPU; switch pool on.")
    leave_room(room << 20)


CAUSE = Cause(
    slug="memory_limit", title="The memory limit", notebook="10_full_memory.ipynb",
    summary="Memory fills up: most loops then fail without a warning, and only some get slower.",
    make_step=make_step, toggles=(
        Toggle("keep", "keep more at each step", default="on"),
        Toggle("what", "what fills the memory", default="mapped_file", choices=WHAT, kind="launch"),
        Toggle("bounded", "bounded to the newest", role="fix"),
        Toggle("rescuer", "a rescuer that frees", role="fix"),
        POOL,
    ),
    sizes=(
        Size("blocks", 1_200, 10, 20_000, "blocks of 64 KiB of the mapped data"),
        Size("budget", 300, 1, 20_000, "blocks of it that may be in memory"),
        Size("every", 4, 1, 1_000, "steps until one more block is drawn from"),
        Size("reads", 32, 1, 1_000, "blocks a batch"),
        Size("room", 384, 160, 4_096, "memory the process may add, in MB", small=256),
    ),
    expectation=EXPECTED, lanes=("resident_bytes", "disk_faults", "held"),
    counters=(Column("held", "blocks or things held", "things", "counter"),
              Column("fetched", "blocks that were not in memory", "blocks", "counter")),
    mechanism=Mechanism("held", "Blocks out of memory wait for the disk.", ("fetched",),
                        done="fetched", rest="All blocks that it reads are in memory."),
    functions={"read": "reading the data", "put_back": "putting pages back",
               "average": "averaging"},
    probes=("eager", "allocator", "paging"),
    explanations=EXPLAINED,
)  # fmt: skip
