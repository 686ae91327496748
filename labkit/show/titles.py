"""What a reader calls counters and places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from labkit.record import Column, Ledger

KEPT, INSTANCES = "kept/", "instances/"
COUNTER_TITLES: Mapping[str, str] = {
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
    "folder_files": "files in the checkpoint folder",
    "heap_bytes": "memory on the heap",
    "mapped_bytes": "memory mapped beside the heap",
    "no_file_bytes": "resident memory of no file",
    "live_tensor_bytes": "memory of tensors alive",
    "python_blocks": "blocks of Python's memory",
    "file_bytes": "size of files",
    "kernel_cache_bytes": "TensorFlow's cache of kernels",
    "collectable_bytes": "garbage that nobody collects",
}


def counter_title(name: str) -> str:
    """Return what a reader calls a counter; what the loop keeps has the reader's own name."""
    if name.startswith(INSTANCES):
        return f"{name.removeprefix(INSTANCES)} objects alive"
    return COUNTER_TITLES.get(name, name.removeprefix(KEPT))


def titled(value: Ledger, columns: Iterable[Column]) -> Ledger:
    """Return the ledger with each place called by its title; a line of code has its own."""
    titles = {column.name: column.title for column in columns}
    rows = (replace(row, place=titles.get(row.place, row.place)) for row in value.rows)
    return replace(value, rows=tuple(rows))
