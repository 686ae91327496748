"""Runs and diagnoses made up for viewers: one that is ill in many ways, one that is healthy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from labkit.record import (
    UNEXPLAINED,
    Column,
    Diagnosis,
    Event,
    Finding,
    Ledger,
    LedgerRow,
    Memory,
    Run,
    State,
    Steps,
    Verdict,
)
from labkit.record.diagnosis import Climb
from labkit.record.proof import KeptForEver, PlacesGrew
from tests.made_diagnosis import made_diagnosis

COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
    Column("graph_ops", "ops in the graph", "ops", "counter"),
    Column("resident_bytes", "resident memory", "bytes", "counter"),
    Column("session_extension_seconds", "session extension", "s", "place"),
    Column("session_run_seconds", "session run", "s", "place"),
)
ENVIRONMENT = {
    "tensorflow": "2.21.0", "tensorflow_build": "cpu", "keras": "3.13.0", "python": "3.12.3",
    "system": "Linux x86_64", "processor": "A Processor", "cores": 2, "device": "cpu", "gpu": None,
    "driver": None, "not_measured": None,
}  # fmt: skip
GREW = Verdict(
    "slowdown", 1.7, 1.5, 1.9, steps=600, warmup_steps=20, first_seconds=0.005, last_seconds=0.0135,
)  # fmt: skip
FLAT = Verdict("flat", 0.0, -0.01, 0.01, steps=600, first_seconds=0.005, last_seconds=0.005)
LEDGER = Ledger(
    0.0085,
    (
        LedgerRow("session_extension_seconds", 0.006, 0.706, 0.0055, 0.0065),
        LedgerRow("session_run_seconds", 0.002, 0.235, 0.0018, 0.0022),
        LedgerRow("tracing", 0.00001, 0.001, -1e-5, 3e-5),
        LedgerRow("gradients", 0.00004, 0.005, 1e-5, 7e-5),
        LedgerRow(UNEXPLAINED, 0.00045, 0.053, 0.0001, 0.0008),
    ),
)
GRAPH = Finding(
    "graph_growth", "growth", 0.94,
    PlacesGrew(
        0.0085, (("session_extension_seconds", 0.706), ("session_run_seconds", 0.235)),
        0.006, 0.0005, "graph_ops", 2.5,
    ),
    "build_once",
)  # fmt: skip
KEPT = Finding(
    "kept_objects", "memory", 1.0, KeptForEver((("kept/losses", 1.0),), 0.0), "keep_numbers"
)
SLOWER_LINES = (("loop.py:12 step", 0.0071),)
LOOKED_AT = 14


def run(steps: int = 600, *, growth: float = 1.7, **changes: Any) -> Run:
    """Return a run that grows, in columns as a worker records them."""
    random = np.random.default_rng(5)
    share = np.linspace(0, 1, steps)
    seconds = 0.005 * (1 + growth * share) * random.lognormal(0, 0.03, steps)
    if steps:
        seconds[0] = 1.3
    columns = {
        "start_seconds": np.cumsum(seconds) - seconds,
        "seconds": seconds,
        "graph_ops": 18 + 2.5 * np.arange(steps) * (growth > 0),
        "resident_bytes": 3e8 + 1e5 * np.arange(steps) * (growth > 0),
        "session_extension_seconds": 0.006 * share * (growth > 0),
        "session_run_seconds": 0.002 + 0.002 * share * (growth > 0),
    }
    made = Run(
        cause="loop", title="loop.py", state=State("done"), columns=COLUMNS, steps=Steps(columns),
        settings={"steps": 100_000, "seed": 0}, environment=ENVIRONMENT,
        events=tuple(
            Event(at, "gc", f"garbage collection, generation 2: {at} ms", {"seconds": at / 1e3})
            for at in range(40, steps, 80) if growth > 0
        ),
        evidence={
            "kept/losses": tuple((at, float(at)) for at in range(3, steps, 20)),
            "heap_bytes": tuple((at, 1e7 + 2e4 * at) for at in range(3, steps, 20)),
            "stack/loop.py:12 step": ((3, 0.004), (max(4, steps - 2), 0.011)),
        },
    )  # fmt: skip
    return replace(made, **changes)


def ill(made: Run | None = None) -> Diagnosis:
    """Return a diagnosis that has everything."""
    grows = ("graph_ops", "kept/losses", "heap_bytes")
    rises = (Climb("graph_ops", 2.5, 18, 1_516), Climb("kept/losses", 1.0, 3, 583),
             Climb("heap_bytes", 2e4, 1.01e7, 2.17e7))  # fmt: skip
    memory = Memory("leaking", 2.1e4, grows, rises=rises)
    return _made(made, GREW, memory, LEDGER, (GRAPH, KEPT))


def healthy(made: Run | None = None) -> Diagnosis:
    """Return the diagnosis of a loop that has nothing."""
    return _made(made or run(growth=0.0), FLAT, Memory("flat", 0.0), Ledger())


def unexplained(made: Run | None = None) -> Diagnosis:
    """Return the diagnosis of a slowdown that no place holds."""
    rows = (LedgerRow("session_run_seconds", 0.001, 0.118), LedgerRow(UNEXPLAINED, 0.0075, 0.882))
    return _made(made, GREW, Memory("flat", 0.0), Ledger(0.0085, rows))


def _made(
    made: Run | None,
    verdict: Verdict,
    memory: Memory,
    ledger: Ledger,
    findings: tuple[Finding, ...] = (),
) -> Diagnosis:
    return made_diagnosis(
        verdict, memory, ledger, findings, made or run(),
        slower_lines=SLOWER_LINES if verdict.slower else (),
    )  # fmt: skip


def looked_at(said: Diagnosis) -> Diagnosis:
    """Return a diagnosis of a run with some steps more, which were looked at closely."""
    more = run(len(said.judged.steps) + LOOKED_AT)
    return replace(said, run=replace(said.run, steps=more.steps))
