"""The workers of a run: what each is told, and how all of them are started or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from labkit.bench.folders import RunFolders
from labkit.bench.isolation.cluster import cluster_variables
from labkit.bench.processes.start import Starter
from labkit.bench.protocol import Job
from labkit.bench.session.worker_handle import WorkerHandle
from labkit.cause import SCRATCH, Cause
from labkit.record import LabkitError, ToggleValue

When = Literal["import", "first_op"]


def start_workers(
    job: Job, folders: RunFolders, starter: Starter, read: Mapping[When, Mapping[str, str]]
) -> list[WorkerHandle]:
    """Start all workers of a run, or none: what was made for them is undone.

    Args:
        job: What all of them have to do, and the variables that all of them have to set.
        folders: Where they write.
        starter: How they start.
        read: The variables of the launch toggles, by when TensorFlow reads them.
    """
    links: list[WorkerHandle] = []
    with contextlib.ExitStack() as undo:
        for number, cluster in enumerate(cluster_variables(job.workers)):
            own = folders.of_worker(job, number)
            at_first_op = _placed(read["first_op"], own.scratch_path)
            environment = {**job.environment, **at_first_op, **cluster}
            own = replace(
                own, seed=job.seed + number, umask=current_umask(), environment=environment
            )
            try:
                link = WorkerHandle(own, starter, _placed(read["import"], own.scratch_path))
            except OSError as error:
                raise LabkitError(
                    f"The run's process cannot be started ({error.strerror}); "
                    "stop other runs or restart the kernel, then try again."
                ) from error
            except ValueError as error:
                raise LabkitError(
                    f"The run's process cannot be started ({error}); "
                    "give its variables names and values that an environment can hold."
                ) from error
            links.append(link)
            undo.callback(link.close)
        undo.pop_all()
    return links


def current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def current_umask() -> int | None:
    """Return this process's umask; None where it cannot be read without being changed."""
    with contextlib.suppress(OSError, ValueError):
        status = Path("/proc/self/status").read_text("utf-8", "replace")
        return int(status.partition("\nUmask:")[2].split("\n", 1)[0], 8)
    return None


def _placed(environment: Mapping[str, str], scratch: str) -> dict[str, str]:
    return {name: value.replace(SCRATCH, scratch) for name, value in environment.items()}


def launch_environment(
    cause: Cause, values: Mapping[str, ToggleValue]
) -> dict[When, dict[str, str]]:
    """Return the variables of the chosen launch toggles, by when TensorFlow reads them."""
    read: dict[When, dict[str, str]] = {"import": {}, "first_op": {}}
    for toggle in cause.toggles:
        if toggle.kind == "launch":
            word = toggle.word(values[toggle.name])
            read[toggle.read].update(toggle.environment.get(word, {}))
    return read
