"""What a lab's controls do: the `Player` that the panel and its fallback are handed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.bench.limits import Limits
from labkit.bench.session import Session
from labkit.cause import Cause, Toggle
from labkit.diagnosis import judgement
from labkit.record import Judgement, LabkitError, save_run
from labkit.show.source import Source

GHOSTS = 3


class LabPlayer:
    """Plays one cause on a bench.

    Args:
        bench: Starts the runs.
        source: The cause's slug, or the path of a file with a cause.
        cause: The same, loaded.
        toggles: What differs from the defaults at first.
        sizes: What differs from the default sizes.
        steps: How many steps a run has at most.
        seed: Of the loop's random numbers.
        device: ``"cpu"`` or ``"gpu"``.
        limits: When a run is ended.
        exposed: Whether several workers may run where others could reach them.
    """

    def __init__(
        self,
        bench: Bench,
        source: str,
        cause: Cause,
        *,
        toggles: Mapping[str, object],
        sizes: Mapping[str, object],
        steps: int,
        seed: int,
        device: str,
        limits: Limits,
        exposed: bool = False,
    ) -> None:
        self.cause = cause
        self._bench = bench
        self._source = source
        self._sizes = sizes
        self._steps = steps
        self._seed = seed
        self._device = device
        self._limits = limits
        self._exposed = exposed
        values = cause.toggle_values(toggles)
        self.toggles: tuple[Toggle, ...] = tuple(
            _with_default(toggle, toggle.word(values[toggle.name])) for toggle in cause.toggles
        )
        self._runs: list[Session] = self._adopted()

    @property
    def title(self) -> str:
        return self.cause.title

    @property
    def lanes(self) -> tuple[str, ...]:
        return self.cause.lanes

    @property
    def place(self) -> str:
        current = self.current
        if current is None or "tensorflow" not in current.environment:
            return ""
        facts = current.environment
        device = facts["gpu"] or str(facts["device"]).upper()
        cores = facts["cores"]
        small = " - small sizes" if facts.get("fitted_to") else ""
        return (
            f"{device} - TensorFlow {facts['tensorflow']} - {cores} core{'s' * (cores != 1)}{small}"
        )

    @property
    def banner(self) -> str:
        return ""

    @property
    def current(self) -> Session | None:
        return self._runs[-1] if self._runs else None

    @property
    def earlier(self) -> tuple[Session, ...]:
        return tuple(self._runs[-2 : -2 - GHOSTS : -1])

    @property
    def runs(self) -> tuple[Session, ...]:
        """All runs of this lab, oldest first."""
        return tuple(self._runs)

    def start(self, toggles: Mapping[str, object]) -> Session:
        """End the run in progress, if any, and start a fresh one.

        Raises:
            LabkitError: If a toggle or value is unknown, or the run cannot be started.
        """
        self.cause.toggle_values(toggles)  # refused before the run in progress is given up
        self.stop()
        chosen = {toggle.name: toggle.default for toggle in self.toggles}
        session = self._bench.start(
            self._source,
            toggles={**chosen, **toggles},
            sizes=self._sizes,
            steps=self._steps,
            seed=self._seed,
            device=self._device,
            limits=self._limits,
            exposed=self._exposed,
        )
        self._runs.append(session)
        return session

    def set(self, name: str, value: object) -> None:
        """Flip a live toggle of the run in progress.

        Raises:
            LabkitError: If there is no run in progress, or no such toggle or value.
        """
        if self.current is None:
            raise LabkitError(f"No run is in progress, so {name} cannot be switched; press Run.")
        self.current.set(name, value)

    def stop(self) -> None:
        """Stop the run in progress, if any; returns at once."""
        if self.current is not None:
            self.current.stop()

    def judge(self, source: Source) -> Judgement:
        return judgement(source.snapshot())

    def save(self, source: Source) -> str:
        """Save a run in the current folder, under a name not yet taken, and return its path."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        target = Path(f"{source.name}-{stamp}.jsonl").absolute()
        return str(save_run(source.snapshot(), target, replace=False))

    def _adopted(self) -> list[Session]:
        """Runs of this cause that an earlier lab started and that still go on: a cell run twice."""
        return [
            session
            for session in self._bench.sessions
            if session.cause.slug == self.cause.slug and not session.state.ended
        ][-1:]


def _with_default(toggle: Toggle, default: str) -> Toggle:
    from dataclasses import replace

    return replace(toggle, default=default)
