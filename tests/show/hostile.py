"""Runs whose words were made to break what shows them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from labkit.record import (
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
from labkit.record.proof import PlacesGrew
from tests.made_diagnosis import made_diagnosis

EVIL = (
    "\x1b]8;;http://x\x07\x1b[31m$x_{ $\r\x08\x00\x7f\x9b\u2028\u202e\u2066\ud800\ufffe"
    "</text></svg><script>alert(1)</script>\"'&amp;"
)
LONG = "\\frac{" * 10_000
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe]")


def run(said: str, cause: str = "my_loop", **toggles: str) -> Run:
    """Return a run all of whose words are these."""
    seconds = 0.005 + np.linspace(0, 0.01, 60)
    columns = (
        Column("start_seconds", "start", "s", "clock"),
        Column("seconds", "time", "s", "clock"),
        Column("graph_ops", said, said, "counter"),
        Column("session_run_seconds", said, "s", "place"),
    )
    return Run(
        cause=cause, title=said, state=State("failed", said, f"Traceback\n\t{said}"),
        columns=columns, settings={"seed": said, said: said},
        steps=Steps({
            "start_seconds": np.cumsum(seconds) - seconds, "seconds": seconds,
            "graph_ops": np.arange(60.0), "session_run_seconds": seconds / 2,
        }),
        toggles=toggles or {"grow": said, said: said},
        events=(Event(20, "toggle", said, {"name": "grow", "value": said}), Event(30, said, said),
                Event(40, said, said)),
        evidence={f"kept/{said}": tuple((step, float(step)) for step in range(0, 60, 5))},
        environment={"processor": said, "started": said, "cores": said, said: said}, log=said,
    )  # fmt: skip


def diagnosis(said: str, made: Run | None = None) -> Diagnosis:
    """Return a diagnosis that quotes these words, of a run that does unless another is given."""
    made = made or run(said)
    verdict = Verdict("slowdown", 1.0, 0.9, 1.1, None, 60, 0, None, 0.005, 0.01)
    rows = (LedgerRow(said, 0.004, 0.8), LedgerRow("unexplained", 0.001, 0.2))
    finding = Finding(
        "graph_growth",
        "growth",
        0.8,
        PlacesGrew(0.005, ((said, 0.8),), 0.004, None, said, 1.0),
        said,
    )
    memory = Memory("leaking", 100.0, (said, f"kept/{said}"))
    return made_diagnosis(verdict, memory, Ledger(0.005, rows), (finding,), made)


def assert_text(text: str) -> None:
    """Assert that a terminal only prints this."""
    assert not OBEYED.search(text)
    assert len(text) < 30_000


def assert_page(text: str) -> None:
    """Assert that this can be written to a file, and that its pictures are XML."""
    assert not OBEYED.search(text)
    assert "<script>alert" not in text and len(text.encode()) < 600_000
    for drawn in re.findall("<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(drawn)


def assert_svg(drawn: bytes) -> str:
    """Assert that a picture is XML, and return its words."""
    return "".join(ElementTree.fromstring(drawn).itertext())
