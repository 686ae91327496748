"""Accounts: what is said of a run or a file, as the JSON that scripts depend on."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Judgement, LabkitError, Run, RunFileError, ToggleValue, load_run
from labkit.stats import judge


@dataclass(frozen=True)
class Account:
    """A run and what can be said of it."""

    run: Run
    judgement: Judgement

    def as_json(self) -> dict[str, object]:
        """Return the object that ``labkit run --json`` prints."""
        run = self.run
        return {
            "cause": run.cause,
            "toggles": _words(run.cause, run.toggles),
            "state": run.state.name,
            "reason": run.state.reason,
            "traceback": run.state.traceback,
            "steps": len(run.steps),
            "seconds": list(run.steps.seconds),
            "verdict": self.judgement.main.as_json(),
            "evidence": _evidence(run),
            "ledger": self.judgement.ledger.as_json(),
            "settings": dict(run.settings),
            "environment": dict(run.environment),
        }


def run_account(run: Run) -> Account:
    """Judge a run."""
    return Account(run, judgement(run))


def file_account(path: Path) -> dict[str, object]:
    """Judge a file: a saved run, or a JSON list of seconds.

    Returns:
        ``file, label, growth, low, high, detail``; for a file that is no series the label is None
        and ``error`` says why in one sentence.
    """
    try:
        verdict = judgement(load_run(path)).main if _is_run(path) else judge(_seconds(path))
    except LabkitError as error:
        empty = {"growth": None, "low": None, "high": None, "detail": ""}
        return {"file": str(path), "label": None, **empty, "error": str(error)}
    return {"file": str(path), **verdict.as_json()}


def _is_run(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(64)
    except OSError as error:
        raise RunFileError(
            f"{path.name} cannot be read ({error.strerror}); give the path of a file that exists."
        ) from error
    return start[:2] == b"\x1f\x8b" or start.lstrip().startswith(b"{")


def _seconds(path: Path) -> list[float]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise RunFileError(
            f"{path.name} is neither a saved run nor a JSON list of seconds ({error})."
        ) from error
    if not isinstance(values, list):
        raise RunFileError(
            f"{path.name} holds a JSON {type(values).__name__}; give a list of seconds, one a step."
        )
    return values


def _words(slug: str, toggles: Mapping[str, ToggleValue]) -> dict[str, str]:
    if slug not in SLUGS:
        return {name: str(value) for name, value in toggles.items()}
    cause = load(slug)
    return {name: cause.toggle(name).word(value) for name, value in toggles.items()}


def _evidence(run: Run) -> dict[str, dict[str, float | None]]:
    """Return first, last and mean rise a step of every counter that was measured."""
    evidence: dict[str, dict[str, float | None]] = {}
    for column in run.columns:
        values = [v for v in run.steps.column(column.name) if not math.isnan(v)]
        if column.kind not in ("counter", "machine") or not values:
            continue
        rise = (values[-1] - values[0]) / (len(values) - 1) if len(values) > 1 else None
        evidence[column.name] = {"first": values[0], "last": values[-1], "per_step": rise}
    return evidence
