"""Stand-ins for a lab: a run in plain arrays that grows when told, and players of such runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labkit.cause import Mechanism, Toggle
from labkit.record import (
    Column,
    Diagnosis,
    Event,
    LabkitError,
    Ledger,
    LedgerRow,
    Plain,
    Run,
    State,
    Steps,
    ToggleValue,
    Verdict,
)

COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
    Column("graph_ops", "ops in the graph", "ops", "counter"),
    Column("resident_bytes", "resident memory", "bytes", "counter"),
    Column("garbage_collection_seconds", "garbage collection", "s", "place"),
)
TOGGLES = (
    Toggle("grow", "grow the graph", default="on"),
    Toggle("build_once", "build once", role="fix"),
    Toggle("decoy", "print the loss", role="control"),
    Toggle("order", "order of ops", default="loose", choices=("loose", "chain", "tree")),
    Toggle("onednn", "oneDNN kernels", default="on", kind="launch"),
)
# A step goes through all ops there are, and begins with the oldest.
MECHANISM = Mechanism("graph_ops", "Ops join; all are read anew.", ("graph_ops",), done="read anew")
TOLD = "machine: other programs took 40 % of the time"  # what is said of a `BusyPlayer`'s runs


class StandInRun:
    """A `Source` whose steps are made by `advance`; the first step is TensorFlow's start-up."""

    def __init__(self, name: str, toggles: Mapping[str, ToggleValue], *, seed: int = 0) -> None:
        self.name = name
        self.state = State("running")
        self.paused = False
        self.columns = COLUMNS
        self.others: tuple[Steps, ...] = ()
        self.toggles = dict(toggles)
        self.launched = dict(toggles)
        self.events: tuple[Event, ...] = ()
        self.environment: dict[str, Plain] = {}
        self.values_read = 0
        self._data = {column.name: np.empty(0) for column in COLUMNS}
        self._random = np.random.default_rng(seed)
        self._ops = 18.0

    @property
    def count(self) -> int:
        return len(self._data["seconds"])

    def advance(self, steps: int) -> None:
        """Record more steps: the more ops, the slower, if they grow and are not built once."""
        grow = self.toggles["grow"] is True and not self.toggles["build_once"]
        ops = self._ops + (5 * np.arange(1, steps + 1) if grow else np.zeros(steps))
        self._ops = float(ops[-1])
        seconds = (0.007 + (ops * 9e-6 if grow else 0)) * self._random.lognormal(0, 0.05, steps)
        if self.count == 0:
            seconds[0] = 1.3
        pause = np.where((np.arange(steps) + self.count) % 40 == 39, 0.004, 0.0)
        self.append(seconds + pause, ops, pause)

    def append(
        self,
        seconds: NDArray[np.float64],
        ops: NDArray[np.float64] | None = None,
        pause: NDArray[np.float64] | None = None,
    ) -> None:
        before = (
            float(self._data["start_seconds"][-1] + self._data["seconds"][-1]) if self.count else 0
        )
        zeros = np.zeros(len(seconds))
        ops = zeros if ops is None else ops
        new = {
            "start_seconds": before + np.concatenate([[0.0], np.cumsum(seconds)[:-1]]),
            "seconds": seconds,
            "graph_ops": ops,
            "resident_bytes": 3.1e8 + 2.4e4 * ops,
            "garbage_collection_seconds": zeros if pause is None else pause,
        }
        self._data = {name: np.concatenate([self._data[name], new[name]]) for name in self._data}

    def happen(self, kind: str, text: str, **detail: bool | str) -> None:
        self.events += (Event(self.count, kind, text, detail),)

    @property
    def workers(self) -> int:
        return 1 + len(self.others)

    def read(self, column: str, start: int, end: int, worker: int = 0) -> NDArray[np.float64]:
        if worker:
            return np.asarray(self.others[worker - 1].column(column)[start:end])
        values = self._data[column][start:end]
        self.values_read += len(values)
        return values

    def snapshot(self) -> Run:
        return Run(
            cause="graph_growth", title="Graph growth", state=self.state, columns=COLUMNS,
            steps=Steps({name: values for name, values in self._data.items()}),
            toggles=self.launched, events=self.events,
        )  # fmt: skip

    def pause(self, on: bool) -> None:
        self.paused = on

    def stop(self) -> None:
        self.state = State("stopped")


class StandInPlayer:
    """A `Player` over stand-in runs, which notes what it was asked."""

    def __init__(self, title: str = "Graph growth", toggles: tuple[Toggle, ...] = TOGGLES) -> None:
        self.title = title
        self.place = "CPU - TensorFlow 2.21 - 2 cores"
        self.banner = ""
        self.toggles = toggles
        self.lanes = ("graph_ops", "resident_bytes", "not_recorded")
        self.usual_steps = 300
        self.mechanism: Mechanism | None = None
        self.runs: list[StandInRun] = []
        self.asked: list[str] = []
        self.judged = 0
        self.refusal = ""

    @property
    def current(self) -> StandInRun | None:
        return self.runs[-1] if self.runs else None

    @property
    def earlier(self) -> tuple[StandInRun, ...]:
        return tuple(reversed(self.runs[:-1]))

    def start(self, toggles: Mapping[str, object]) -> StandInRun:
        """Start a run; a toggle that is not named stands at its default."""
        self._maybe_refuse()
        self.asked.append("start")
        if self.current is not None and not self.current.state.ended:
            self.current.stop()
        values = {
            toggle.name: toggle.parse(toggles.get(toggle.name, toggle.default))
            for toggle in self.toggles
        }
        self.runs.append(StandInRun(f"run-{len(self.runs) + 1}", values, seed=len(self.runs)))
        return self.runs[-1]

    def set(self, name: str, value: object) -> None:
        self._maybe_refuse()
        self.asked.append(f"set {name} {value}")
        run = self.current
        assert run is not None
        toggle = next(toggle for toggle in self.toggles if toggle.name == name)
        parsed = toggle.parse(value)
        run.toggles[name] = parsed
        run.happen(
            "toggle", f"{name.replace('_', ' ')} {toggle.word(parsed)}", name=name, value=parsed
        )

    def stop(self) -> None:
        self.asked.append("stop")
        if self.current is not None:
            self.current.stop()

    def judge(self, source: StandInRun) -> Diagnosis:
        self.judged += 1
        run = source.snapshot()
        verdicts = tuple(self._verdict(source, each.start, each.end) for each in run.stretches())
        rows = (
            LedgerRow("session_extension", 0.006, 0.6),
            LedgerRow("session_run", 0.0036, 0.36),
            LedgerRow("unexplained", 0.0004, 0.04),
        )
        slower = any(verdict.slower for verdict in verdicts)
        return Diagnosis(run, run, verdicts, Ledger(0.01, rows) if slower else Ledger())

    def _verdict(self, source: StandInRun, start: int, end: int) -> Verdict:
        if end - start < 20:
            return Verdict("too_short", None, None, None, "few_steps", end - start)
        seconds = source._data["seconds"]
        first = float(np.median(seconds[start + 1 : start + 10]))
        last = float(np.median(seconds[end - 10 : end]))
        times, levels = last / first, {"first_seconds": first, "last_seconds": last}
        if times < 1.2:
            return Verdict("flat", 0.0, -0.1, 0.1, steps=end - start, **levels)
        return Verdict(
            "slowdown", times - 1, 0.95 * times - 1, 1.05 * times - 1, steps=end - start, **levels
        )

    def save(self, source: StandInRun) -> str:
        self._maybe_refuse()
        return f"/somewhere/{source.name}.jsonl"

    def _maybe_refuse(self) -> None:
        if self.refusal:
            raise LabkitError(self.refusal)


class BusyPlayer(StandInPlayer):
    """A player on a machine that others kept busy: each verdict says so, at length."""

    def judge(self, source: StandInRun) -> Diagnosis:
        said = super().judge(source)
        verdicts = tuple(
            replace(verdict, contended_share=0.4, steps=stretch.end - stretch.start)
            for stretch, verdict in zip(said.stretches, said.verdicts, strict=True)
        )
        return replace(said, verdicts=verdicts)


def finished(player: StandInPlayer, steps: int = 200, **chosen: str) -> StandInRun:
    """Return a run of a player that came to its end."""
    run = player.start(chosen)
    if steps:
        run.advance(steps)
    run.state = State("done")
    return run
