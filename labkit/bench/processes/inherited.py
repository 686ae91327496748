"""What a process takes over from the one that starts it: a launcher has what held when it began.

A cell may change it between two runs, and each run is to have what holds when it is started.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from labkit.bench.processes.search_path import child_environment

# Variables that the system and Python read when a process begins, TensorFlow and what it needs
# while they are imported: set in a process that has them behind it, they would do nothing.
READ_ONCE = re.compile(
    r"(TF|TPU|XLA|CUDA|CUDNN|NVIDIA|NCCL|HIP|ROC|KERAS|ABSL|GRPC|GCS|PROTOCOL_BUFFERS|LLVM|WRAPT"
    r"|OMP|GOMP|KMP|MKL|DNNL|ONEDNN|OPENBLAS|GOTO|BLIS|NPY|NUMPY|SCIPY|HDF5|MPL|MATPLOTLIB|PSUTIL"
    r"|PYTHON|LD_|GLIBC|MALLOC|OPENSSL|LANG|LC_|TZ|XDG|HOME$)"
)


@dataclass(frozen=True)
class Inherited:
    """What a process that is started now takes over, beside its folder and its umask.

    Args:
        variables: Its environment.
        cores: Which processors it may use; empty where the system does not tell.
    """

    variables: Mapping[str, str]
    cores: frozenset[int]

    @classmethod
    def by_a_child(cls) -> Inherited:
        """Return what a process of ours would take over that is started here and now."""
        cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
        return cls(child_environment({}), frozenset(cores))

    def changes_to(self, other: Inherited) -> dict[str, str | None] | None:
        """Return the variables that a process has to set to be as if it had taken over the other.

        Args:
            other: What it would have taken over.

        Returns:
            Their values; None for one to remove. None instead where that would come too late.
        """
        mine, its = self.variables, other.variables
        changes = {
            name: its.get(name)
            for name in mine.keys() | its.keys()
            if mine.get(name) != its.get(name)
        }
        # Libraries count the processors while they are imported.
        late = self.cores != other.cores or any(map(READ_ONCE.match, changes))
        return None if late else changes
