"""Fragmentation: free memory in pieces that are all a little too small.

TensorFlow takes memory from a pool of its own and hands it out in blocks: on a GPU always, and on a
CPU when it is told to, which this lab does. This loop computes results in pairs. One of each pair
stays, the other is dropped at the end of the epoch and leaves a hole between two blocks that stay.
And every epoch works on slightly longer sequences, so no old hole is large enough for a new block.

What goes wrong: for each new block the allocator looks through the free ones of about the right
size, from the smallest up, and steps over every hole that is too small. With thousands of holes
the search takes longer than the op. In the end a block finds no room although half of the pool is
free; TensorFlow waits ten seconds for another thread to free something, then gives up.

What to expect: with ``holes`` off the loop keeps as many bytes, but lying side by side, and stays
flat. With ``sizes`` fixed each hole is filled again, and with ``malloc`` nobody searches in this
way; both stay flat. Stopping to make holes does not remove the old ones. Keeping the results in one
block made before the loop (``preallocate``) does. A small ``memory_limit`` shows the failure, and
``rescuer``, a second thread that drops the kept results after a second, cuts the wait short.
"""

from __future__ import annotations

import math
import threading
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Explanation, Loop, Mechanism, Size, Toggle
from labkit.record import Column, LabkitError

# In float32 numbers: from 16 KiB to just under 32 KiB. The allocator sorts free blocks into bins
# that end at powers of two, and a request looks into its own bin and those above. Blocks under
# 256 KiB, because from there on TensorFlow's default on a CPU is a pool of the same kind.
SHORTEST, LONGEST, LONGER = 4096, 8128, 64
ROWS = 256
PATIENCE_SECONDS = 1.0
# They look through the free blocks of a bin by size, from the smallest up, until one is large
# enough (`BFCAllocator::FindChunkPtr`).
SEARCHING = ("bfc", "bfc_growing")


def make_step(
    toggles: SimpleNamespace, *, layers: int = 50, epoch: int = 50, seed: int = 0
) -> Loop:
    """Return a step that computes some pairs of results and keeps one of each.

    Args:
        toggles: All live but ``allocator`` and ``memory_limit``, in force when the loop starts.
        layers: Ops a result; each takes one block and gives back the one before.
        epoch: Steps an epoch; after it the sequences are 256 bytes longer.
        seed: Of the number the results start from.

    Raises:
        LabkitError: If the allocator chosen is not one of this device's.
    """
    import numpy as np
    import tensorflow as tf

    check_allocator(toggles.allocator, on_gpu=bool(tf.config.list_logical_devices("GPU")))
    start = np.random.default_rng(seed).random()
    store = tf.Variable(tf.zeros([ROWS, LONGEST]))  # the block made before the loop
    apart: list[tf.Tensor] = []  # kept, each with a hole beside it
    together: list[tf.Tensor] = []  # kept side by side
    current: list[tf.Tensor] = []  # all results of this epoch
    length, done, row = SHORTEST, 0, 0
    too_small = 0  # holes that no result of this length fits into

    def result() -> tf.Tensor:
        x = tf.fill([length], start)
        for _ in range(layers):
            x = tf.nn.relu(x)
        return x

    def drop_kept() -> None:
        nonlocal too_small
        apart.clear()
        together.clear()
        too_small = 0

    def end_epoch() -> None:
        nonlocal length, too_small
        if toggles.holes:
            apart.extend(current[::2])
        else:
            together.extend(current[: len(current) // 2])
        current.clear()
        if toggles.sizes == "growing" and length < LONGEST:
            length += LONGER
            too_small = len(apart)

    def step() -> object:
        nonlocal done, row
        rescue = threading.Timer(PATIENCE_SECONDS, drop_kept)
        rescue.daemon = True
        if toggles.rescuer:
            rescue.start()

        for _ in range(int(toggles.pairs)):
            one, other = result(), result()
            if toggles.preallocate:
                padded = tf.pad(one, [[0, LONGEST - length]])
                store.scatter_update(tf.IndexedSlices(padded, row))
                row = (row + 1) % ROWS
            else:
                current.extend((one, other))
        if toggles.preallocate:
            drop_kept()

        done += 1
        if done % epoch == 0:
            end_epoch()
        rescue.cancel()
        return one

    def stepped_over() -> float:
        # What another allocator goes through, nobody counts.
        return too_small if toggles.allocator in SEARCHING else math.nan

    return Loop(
        step,
        {
            "holes": lambda: len(apart),
            "kept": lambda: len(apart) + len(together),
            "stepped_over": stepped_over,
        },
    )


def check_allocator(name: str, *, on_gpu: bool) -> None:
    """See that a device has this allocator.

    Raises:
        LabkitError: If it has not.
    """
    if name == "cuda_malloc_async" and not on_gpu:
        raise LabkitError(
            "allocator = 'cuda_malloc_async' is the GPU driver's own pool and this run is on the "
            "cpu device; choose bfc or malloc, or run on the gpu device."
        )
    if name == "bfc_growing" and not on_gpu:
        raise LabkitError(
            "allocator = 'bfc_growing' is for a GPU's memory and this run is on the cpu device, "
            "whose pool always grows; choose bfc or malloc, or run on the gpu device."
        )
    if name == "malloc" and on_gpu:
        raise LabkitError(
            "allocator = 'malloc' is the CPU's and this run is on the gpu device; choose bfc or "
            "cuda_malloc_async, or run on the cpu device."
        )


def _limit(megabytes: int) -> dict[str, str]:
    """Return TensorFlow's settings of a pool's size: on a CPU the first is read, on a GPU both."""
    return {
        "TF_CPU_BFC_MEM_LIMIT_IN_MB": str(megabytes),
        "TF_PER_DEVICE_MEMORY_LIMIT_MB": str(megabytes),
    }


CAUSE = Cause(
    slug="fragmentation",
    title="Fragmentation",
    summary="Freed memory lies in holes too small to use, and the allocator steps over each.",
    make_step=make_step,
    toggles=(
        Toggle("holes", "leave holes", default="on"),
        Toggle("pairs", "pairs a step", default="1", choices=("1", "2", "5", "10"), ordered=True),
        Toggle("sizes", "sizes", default="growing", choices=("growing", "fixed"), role="control"),
        Toggle("preallocate", "preallocate one block", role="fix"),
        Toggle("rescuer", "a rescuer that frees", role="fix"),
        Toggle(
            "allocator",
            "allocator",
            default="bfc",
            choices=("bfc", "malloc", "bfc_growing", "cuda_malloc_async"),
            role="control",
            kind="launch",
            environment={
                "bfc": {
                    "TF_CPU_ALLOCATOR_USE_BFC": "1",
                    "TF_BFC_MEMORY_DUMP": "{scratch}/pool/map",
                },
                # As `set_memory_growth` does, which has to be called before the card is used.
                "bfc_growing": {"TF_FORCE_GPU_ALLOW_GROWTH": "true"},
                "cuda_malloc_async": {"TF_GPU_ALLOCATOR": "cuda_malloc_async"},
            },
        ),
        Toggle(
            "memory_limit",
            "memory limit of the pool",
            default="512 MB",
            choices=("512 MB", "256 MB", "128 MB", "64 MB"),
            kind="launch",
            environment={f"{size} MB": _limit(size) for size in (512, 256, 128, 64)},
        ),
    ),
    sizes=(
        Size("layers", 50, 1, 500, "ops a result"),
        Size("epoch", 50, 1, 1000, "steps an epoch, after which sequences are 256 bytes longer"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=3_100,
        growth=0.8,
        rises={"holes": 3_000},
        places=("running ops",),
    ),
    notebook="04_fragmentation.ipynb",
    lanes=("holes", "tensor_bytes"),
    counters=(
        Column("holes", "holes left between kept results", "holes", "counter"),
        Column("kept", "results kept", "results", "counter"),
        Column("stepped_over", "holes too small for a result", "holes", "counter"),
    ),
    probes=("eager", "copies", "allocator"),
    mechanism=Mechanism(
        "holes",
        "Each request looks for room among holes.",
        ("stepped_over",),
        done="stepped over as too small",
        rest="No hole is in a request's way.",
    ),
    explanations=(
        Explanation(
            "ResourceExhaustedError",
            "OOM when allocating",
            "No free block of the pool was large enough, however much was free in all; TensorFlow "
            "waited ten seconds for another thread to free something and gave up. A larger "
            "memory_limit, preallocate, or the rescuer lets the loop go on, and lk.memory_map(run) "
            "draws the pool.",
        ),
    ),
)
