"""Do all labs fit a small machine? Runs the notebooks on one core and watches their memory.

    python -m tools.small_machine                 runs all notebooks (half an hour)
    python -m tools.small_machine NOTEBOOK...     runs these; of the others the last figures stand

Writes docs/small_machine.md and, once all were run, the largest figure into README.md. The limits
are those of Binder. The memory is that of all processes that Binder would have in the container:
Jupyter's server, the kernel, the launcher and the workers. A page that several of them share is
counted once.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from tools.machine import machine
from tools.markdown import machine_table, table, write_below_mark
from tools.memory import MemoryWatch, memory_group
from tools.notebook_form import chosen, read

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "small_machine.md"
README = ROOT / "README.md"
KEPT = ROOT / "bench-out" / "small_machine.json"
LIMIT_BYTES = 2_000_000_000
CELL_SECONDS = 300
LARGEST = re.compile(r"the largest lab takes [\d.]+ GB")
TITLES = (
    "notebook", "most memory of all processes", "largest single process", "all cells run",
    "cells that raised", "processes ended by the limit",
)  # fmt: skip


@dataclass(frozen=True)
class Peak:
    """What a notebook took.

    Args:
        total_bytes: The most of all processes together.
        process_bytes: The most of one process, shared pages included.
        seconds: How long its cells ran.
        raised: How many of its cells raised an error.
        killed: How many processes the system ended because they took more than the limit; None
            where it does not hold anybody to it.
    """

    total_bytes: int
    process_bytes: int
    seconds: float
    raised: int
    killed: int | None = None


@contextlib.contextmanager
def jupyter_server(folder: str) -> Iterator[int]:
    """Run JupyterLab's server, as Binder does, and give its process id."""
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               "--ServerApp.port=0", f"--ServerApp.root_dir={folder}"]  # fmt: skip
    own = dict.fromkeys(("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"), folder)
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
        env={**os.environ, **own},
    )  # fmt: skip
    try:
        yield server.pid
    finally:
        server.terminate()
        server.wait(30)


def measured(path: Path, watching_core: int | None) -> Peak:
    """Run all cells of a notebook and return what it took, seen from a core of its own."""
    from nbclient import NotebookClient
    from nbformat import NotebookNode

    with tempfile.TemporaryDirectory(prefix="labkit-small-") as folder:
        notebook = cast(NotebookNode, read(path))
        client = NotebookClient(
            notebook, timeout=CELL_SECONDS, interrupt_on_timeout=True, allow_errors=True,
            kernel_name="python3", resources={"metadata": {"path": folder}},
        )  # fmt: skip
        limits = {"MEM_LIMIT": str(LIMIT_BYTES), "CPU_LIMIT": "1.0"}
        began = time.perf_counter()
        with (
            memory_group(LIMIT_BYTES) as group,
            jupyter_server(folder) as server,
            client.setup_kernel(env={**os.environ, **limits}),
        ):
            kernel: Any = client.km.provisioner if client.km is not None else None
            group.add(server)
            group.add(int(kernel.pid))
            watch = MemoryWatch([server, int(kernel.pid)], watching_core)
            try:
                for number, cell in enumerate(notebook["cells"]):
                    client.execute_cell(cell, number)
            finally:
                watch.close()
        seconds = time.perf_counter() - began
    raised = _raised(notebook)
    for error in raised:
        print(f"{path.name}: {error}", flush=True)
    killed = group.kills if group.limited else None
    return Peak(watch.total_bytes, watch.process_bytes, seconds, len(raised), killed)


def _raised(notebook: Mapping[str, Any]) -> list[str]:
    """Return what cells raised, those that are meant to left out."""
    return [
        f"{output['ename']}: {output['evalue']}, in the cell that ends in\n{cell['source'][-200:]}"
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
        and "raises-exception" not in cell["metadata"].get("tags", [])
        for output in cell["outputs"]
        if output["output_type"] == "error"
    ]


def page(names: Sequence[str], peaks: Mapping[str, Peak], measured_on: Mapping[str, str]) -> str:
    """Return what is written into the page: what each notebook took, and where.

    Args:
        names: Of all notebooks' files.
        peaks: By the notebook's file name; of one that was not run there is none.
        measured_on: What the machine was.
    """
    rows = [TITLES, *(_cells(name, peaks.get(name)) for name in names)]
    return f"{table(rows, right=range(1, len(TITLES)))}\n\n{machine_table(measured_on)}"


def _cells(name: str, peak: Peak | None) -> tuple[str, ...]:
    link = f"[{name.removesuffix('.ipynb')}](../notebooks/{name})"
    if peak is None:
        return (link, "not run", "", "", "", "")
    sizes = (_gigabytes(peak.total_bytes), _gigabytes(peak.process_bytes))
    killed = "not limited" if peak.killed is None else str(peak.killed)
    return (link, *sizes, f"{peak.seconds:.0f} s", str(peak.raised), killed)


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.2f} GB"


def in_readme(text: str, peaks: Iterable[Peak]) -> str:
    """Return the README with the figure of the lab that took most."""
    largest = max(peak.total_bytes for peak in peaks)
    return LARGEST.sub(f"the largest lab takes {_gigabytes(largest)}", text)


def main(wanted: Sequence[str]) -> int:
    """Run the notebooks that are wanted, write the page; 1 if one is too large or raised."""
    paths, every = chosen(wanted), [path.name for path in chosen(())]
    told, cores = machine() | {"cores": "1, held to it"}, sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})  # of this thread, and of all processes it starts
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    peaks = {name: Peak(**peak) for name, peak in kept.items()}
    for path in paths:
        peaks[path.name] = peak = measured(path, cores[-1])
        print(f"{path.name}: {_gigabytes(peak.total_bytes)}, {peak.seconds:.0f} s", flush=True)
        # After each, so that who ends it early has what was measured until then.
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({each: asdict(of) for each, of in peaks.items()}, indent=1))
        write_below_mark(PAGE, page(every, peaks, told))
    if set(every) <= set(peaks):
        readme = in_readme(README.read_text(encoding="utf-8"), peaks.values())
        README.write_text(readme, encoding="utf-8")
    bad = [name for name, peak in peaks.items() if peak.total_bytes > LIMIT_BYTES or peak.killed]
    for name in bad:
        print(f"{name} takes more than {_gigabytes(LIMIT_BYTES)}")
    raised = [name for name, peak in peaks.items() if peak.raised]
    for name in raised:
        print(f"{name} raised on one core")
    return int(bool(bad or raised))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
