"""The last look: how much of what a loop piled up is given back when it is asked for.

What comes back with a collection was garbage in cycles; what comes back when TensorFlow's kernel
cache is cleared was kept by eager ops, each with an attribute of its own; what comes back when its
scalar cache is cleared were Python numbers made into tensors, each number for the first time. The
loop must not go on afterwards: it would find its caches empty.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from types import ModuleType

from labkit.measure.memory.heap import Heap
from labkit.measure.memory.objects import COUNTED
from labkit.measure.memory.tensors import is_up
from labkit.measure.patches.group import PrivateName

# Private name of TensorFlow 2.19-2.21; the class is `tf.__internal__`'s eager context.
KERNEL_CACHE = PrivateName("tensorflow.python.eager.context", "Context", "clear_kernel_cache")
SCALAR_CACHE = PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_ClearScalarCache")
CONTEXT = COUNTED["runtime_functions"]


def last_look(
    tensorflow: ModuleType, count: Callable[[], Mapping[str, float]] = dict
) -> dict[str, float]:
    """Return what was given back; about 0.2 s, nearly all of it for the collection.

    Args:
        tensorflow: The imported module.
        count: Counts what lives; asked after the collection, because garbage is kept by nobody, and
            before the caches are cleared. What it returns is among the figures.

    ``collectable_objects`` is how many unreachable objects a full collection found, and
    ``collectable_bytes`` what it gave back of the heap; ``kernel_cache_bytes`` and
    ``scalar_cache_bytes`` what clearing those caches gave back. Where the C library does not count
    bytes, or this TensorFlow has no such cache, the figure is left out.
    """
    heap = Heap()
    before = heap.bytes_in_use()
    figures = {"collectable_objects": float(gc.collect())}
    after = heap.bytes_in_use()
    figures |= count()
    if before is None or after is None:
        return figures
    figures["collectable_bytes"] = max(0.0, before - after)
    for name, clear in (
        ("scalar_cache_bytes", _clear_scalar_cache),
        ("kernel_cache_bytes", _clear_kernel_cache),
    ):
        before = heap.bytes_in_use() or 0.0
        if clear():
            figures[name] = max(0.0, before - (heap.bytes_in_use() or 0.0))
    heap.trim()
    return figures


def _clear_scalar_cache() -> bool:
    """Clear the cache; return False where there is none."""
    clear = SCALAR_CACHE.value_or_note([])
    if clear is None:
        return False
    clear()
    return True


def _clear_kernel_cache() -> bool:
    """Clear the cache; return False where there is none."""
    clear, context = KERNEL_CACHE.value_or_note([]), CONTEXT.value_or_note([])
    if clear is None or context is None:
        return False
    # Asking a context that has run no op would set TensorFlow's runtime up.
    if is_up(context()):
        clear(context())
    return True
