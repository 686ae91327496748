"""The count of live objects: what is alive between two steps, counted by kind.

In a healthy loop every count rests. Kinds are found by walking down from a class to its subclasses
and comparing types by identity: nothing of the reader's is called, not even a ``__class__``, a
``__len__`` or a metaclass's ``__hash__``.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil

from labkit.cause.paged_memory import disk_faults
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.machine.run_queue import DELAY_FILE
from labkit.measure.memory.heap import Heap
from labkit.measure.memory.instance import class_dict, class_name, derives, objects_of
from labkit.measure.memory.mapped import mapped_memory
from labkit.measure.memory.objects import COUNTED
from labkit.measure.memory.reach.bounded_stores import bounded_stores
from labkit.measure.memory.reach.full_stores import FullStores
from labkit.measure.memory.reach.object_sizes import is_readers
from labkit.measure.memory.registries import Registries
from labkit.measure.memory.tensors import elements, type_number
from labkit.measure.patches.group import PrivateName

# Private names of TensorFlow 2.19-2.21: the classes whose objects are counted.
KINDS = {
    "live_tensors": COUNTED["live_tensors"],
    "live_variables": PrivateName("tensorflow.python.ops.variables", "", "Variable"),
    "func_graphs": PrivateName("tensorflow.python.framework.func_graph", "", "FuncGraph"),
    "concrete_functions": PrivateName(
        "tensorflow.python.eager.polymorphic_function.concrete_function", "", "ConcreteFunction"
    ),
}
OPEN_FILES = "/proc/self/fd"
KIT = "labkit."  # where it is not installed, its own classes would be taken for the reader's
MOST_FILES = 50_000  # looking at so many takes a tenth of a second


class LiveObjects:
    """Counts what is alive; about 60 ms with TensorFlow and Keras imported (330,000 objects).

    Args:
        tensorflow: The imported module.
        scratch: Where the loop's files go; None where nobody knows, and then no files are counted.

    20 ms of it go to Python for listing its objects. It passes through the processor's caches, so
    the step after it is slower than others.

    ``missing`` names what these versions of TensorFlow and the C library do not have; its counts
    are left out.
    """

    def __init__(self, tensorflow: ModuleType, scratch: Path | None) -> None:
        self._heap = Heap()
        self._registries = Registries()
        self._process = psutil.Process()
        self._names = SourceNames()
        self._readers = partial(is_readers, names=self._names)
        self._full_stores = FullStores()
        self._scratch = scratch
        self._missing: list[str] = []
        kinds = {name: private.value_or_note(self._missing) for name, private in KINDS.items()}
        self._kinds = {name: kind for name, kind in kinds.items() if kind is not None}
        self._item_bytes = {
            dtype.as_datatype_enum: float(dtype.size or 0)
            for dtype in vars(tensorflow.dtypes).values()
            if type(dtype) is tensorflow.DType
        }

    @property
    def missing(self) -> list[str]:
        """Names that are not there; known after the first sample."""
        return [*self._missing, *self._heap.missing, *self._registries.missing]

    def sample(self) -> dict[str, float]:
        """Return all counts by name, in the thread that runs the loop.

        ``live_tensor_bytes`` is the size of the eager tensors' values; two that share a value are
        counted twice, and a variable's value is not among them. ``heap_bytes`` has them all.
        """
        # First what this function would itself disturb.
        counts = {"python_blocks": float(sys.getallocatedblocks()), "disk_faults": disk_faults()}
        heap_bytes = self._heap.bytes_in_use()
        if heap_bytes is not None:
            counts["heap_bytes"] = heap_bytes
        counts |= mapped_memory(self._heap)
        counts |= self._living()
        counts |= self._registries.entries()
        with suppress(OSError):  # no descriptor is left, and that is no reason to end the loop
            counts["open_files"] = float(_open_files(self._process))
            counts["threads"] = float(self._process.num_threads())
        if self._scratch is not None:
            sizes = [
                size for _, size in zip(range(MOST_FILES), _file_bytes(self._scratch), strict=False)
            ]
            counts["files_written"] = float(len(sizes))
            counts["file_bytes"] = float(sum(sizes))
        return counts

    def _living(self) -> dict[str, float]:
        names = {
            id(kind): name for name, top in self._kinds.items() for kind in _with_subclasses(top)
        }
        own = {
            id(kind): f"instances/{name}"
            for name, kind in readers_classes(self._names)
            if id(kind) not in names
        }
        names |= own
        of_deques = {id(kind) for kind in _with_subclasses(deque)}
        objects, known = objects_of(names.keys() | of_deques)
        counts = dict.fromkeys(self._kinds, 0.0) | {"gc_objects": float(known)}
        tensor, deques = self._kinds.get("live_tensors"), []
        if tensor is not None:
            counts["live_tensor_bytes"] = 0.0
        for found in objects:
            kind = type(found)
            if id(kind) in of_deques:
                deques.append(found)
            if (name := names.get(id(kind))) is not None:
                counts[name] = counts.get(name, 0.0) + 1  # a class of the reader's has its first
            if kind is tensor:
                counts["live_tensor_bytes"] += self._tensor_bytes(found)
        # Who holds an entry is asked below, and these would be among them.
        objects.clear()
        found = None
        return counts | bounded_stores(deques, self._readers, tensor, self._full_stores)

    def _tensor_bytes(self, tensor: Any) -> float:
        return float(elements(tensor) or 0) * self._item_bytes.get(type_number(tensor), 0)


def _with_subclasses(top: type) -> Iterator[type]:
    """Yield a class and all below it, without asking their metaclasses."""
    yield top
    below: list[type] = type.__subclasses__(top)
    for subclass in below:
        yield from _with_subclasses(subclass)


def readers_classes(names: SourceNames) -> Iterator[tuple[str, type]]:
    """Yield the name of each class at the top of a file of the reader's, and the class."""
    for name, module in list(sys.modules.items()):
        file = vars(module).get("__file__") if type(module) is ModuleType else None
        if name.startswith(KIT):
            continue
        if type(file) is not str or not names.is_own(file):
            continue
        for each in list(vars(module).values()):
            if derives(type(each), type) and class_dict(each).get("__module__") == name:
                yield class_name(each), each


def _open_files(process: psutil.Process) -> int:
    """Return how many files, pipes and sockets are open, without those that time the threads."""
    if sys.platform == "win32":
        return int(process.num_handles())
    if sys.platform != "linux":
        return int(process.num_fds())
    return sum(not _times_a_thread(number) for number in os.listdir(OPEN_FILES))


def _times_a_thread(number: str) -> bool:
    # Else a loop that starts a thread at each step would be told to leave a file open as well.
    try:
        return os.readlink(f"{OPEN_FILES}/{number}").endswith(f"/{DELAY_FILE}")
    except OSError:  # closed meanwhile: the one that lists
        return True


def _file_bytes(folder: Path | str) -> Iterator[int]:
    """Yield the size of each file in a folder and below; what vanishes meanwhile is left out."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        yield from _file_bytes(entry.path)
                    else:
                        yield entry.stat(follow_symlinks=False).st_size
                except OSError:
                    continue
    except OSError:
        return
