"""Everything: the probes that watch a loop of which nothing is known.

Each is made by ``probe(hooks)`` of the file of its name, beside those that every run has (memory,
the processor, its switches, the canary, graphs, the collector). What is here must cost next to
nothing where it sees nothing, must not start TensorFlow's runtime before the loop does, and must
not import what the loop does not. No two of them hook the same function.

Left out:

- ``allocator``, unless the loop runs on a GPU: asking for the pool's bytes costs 6 us a step, and
  on a CPU tells only of tensors of 256 KiB and more; the census counts all tensors now and then.
  On a GPU it tells of the steps that waited for a free block, up to ten seconds each.
- ``objects``: 3 to 50 ms now and then; the census has the same counters, and its time is left out.
- ``holes``: walks the C library's free chunks, 150 us for 3,000; the census reads the heap.
- ``rewriting``: asks TensorFlow to keep two copies of each graph it prepares, which changes what
  the loop costs in time and memory.
- ``network``: 12 us a step, and counts other programs' bytes too.
- ``faults``: 1 to 2 us a step; no rule decides by it.
- ``paging``: as dear with few threads, 22 us with many; the census has the same counter.
"""

from __future__ import annotations

# Those that only count come together: the recorder reads neighbours as one.
ANY_LOOP: tuple[str, ...] = (
    "sessions",  # opening and closing
    "session_calls",  # feeding and fetching
    "whole_graph",  # writing a graph out, putting a Saver into one
    "tracing",
    "compiling",  # XLA
    "tape",
    "building",  # variables, layers, optimizers
    "training",  # Keras fit, its callbacks and adapters
    "feed",  # tf.data
    "copies",
    "observers",  # drawing, printing, checking all numbers, the profiler
    "eager",
    "files",  # checkpoints and summaries
    "waiting",  # sleeping, and other threads
)
GPU_LOOP: tuple[str, ...] = (*ANY_LOOP, "allocator")
