"""What recording a step costs, beside tqdm on the same empty loop.

After progressbar2's benchmark: (loop with recording - bare loop) / steps, best of several rounds.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from labkit.bench.step_file.writer import StepFileWriter
from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import Probe
from labkit.measure.clock.recorder import Recorder, recorded_columns
from labkit.measure.clock.timers import Timers
from labkit.measure.machine.processor import ProcessorProbe
from labkit.measure.memory.collector import CollectorProbe
from labkit.measure.memory.resident import MemoryProbe
from labkit.measure.patches.counting_probe import ProbeContext
from tools.bench.figure import Figure

STEPS = 100_000
ROUNDS = 7


def body() -> None:
    """Do nothing: what remains is the recording."""


def measure() -> list[Figure]:
    """Return the microseconds per step of each way to record."""
    empty = _best(_empty_loop)
    group = "recording a step"
    timers = Timers(time.perf_counter)
    context = ProbeContext(ModuleType("no_tensorflow"), timers, Events(), "cpu")
    collector = CollectorProbe(context)
    memory: list[Probe] = [MemoryProbe(), collector, timers]
    full: list[Probe] = [*memory, ProcessorProbe()]
    figures = [
        Figure(group, "bare clock", _best(_recorder([])) - empty, "us", 0.3),
        Figure(group, "with memory and gc", _best(_recorder(memory)) - empty, "us", 3.0),
        Figure(group, "with processor time as well", _best(_recorder(full)) - empty, "us", 6.0),
        Figure(group, "tqdm (rival)", _best(_tqdm_loop) - empty, "us"),
    ]
    collector.close()
    return figures


def _best(loop: Callable[[], float]) -> float:
    return min(loop() for _ in range(ROUNDS)) / STEPS * 1e6


def _empty_loop() -> float:
    began = time.perf_counter()
    for _ in range(STEPS):
        body()
    return time.perf_counter() - began


def _recorder(probes: Sequence[Probe]) -> Callable[[], float]:
    def loop() -> float:
        with tempfile.TemporaryDirectory() as folder:
            columns = len(recorded_columns(probes))
            store = StepFileWriter(str(Path(folder) / "steps"), columns, str(Path(folder) / "more"))
            recorder = Recorder(time.perf_counter, store, probes)
            step = recorder.step
            began = time.perf_counter()
            for _ in range(STEPS):
                step(body)
            return time.perf_counter() - began

    return loop


def _tqdm_loop() -> float:
    from tqdm import tqdm

    began = time.perf_counter()
    for _ in tqdm(range(STEPS), file=io.StringIO()):
        body()
    return time.perf_counter() - began
