"""What is said of a run or a file, as the JSON that scripts depend on."""

from __future__ import annotations

import math
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import BufferedReader
from pathlib import Path

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.seconds_file import MOST_BYTES, no_series, read_seconds
from labkit.record import (
    Column,
    Diagnosis,
    Finding,
    LabkitError,
    Ledger,
    Run,
    RunFileError,
    ToggleValue,
    Verdict,
)
from labkit.record.file import read_run, unpacked
from labkit.record.plain_text import one_line
from labkit.show.report.fixes import fix_code
from labkit.show.report.loop_words import traced_words
from labkit.show.report.proof_words import proof_words
from labkit.show.titles import counter_title, titled
from labkit.show.verdict.verdict_words import machine_words, verdict_words
from labkit.stats import judge

MORE = (
    "steps", "warmup_steps", "first_seconds", "last_seconds", "onset_step", "spike_period",
    "spike_share", "smallest_growth", "machine_growth", "contended_share",
)  # fmt: skip


def run_json(diagnosis: Diagnosis) -> dict[str, object]:
    """Return the object that ``labkit run --json`` prints."""
    run = diagnosis.run
    return {
        "cause": run.cause,
        "toggles": _words(run.cause, run.toggles),
        "state": run.state.name,
        "reason": run.state.reason,
        "traceback": run.state.traceback,
        "steps": len(run.steps),
        "seconds": list(run.steps.seconds),
        "verdict": verdict_json(diagnosis.verdict),
        "evidence": _evidence(run),
        "ledger": ledger_json(diagnosis.ledger, run.columns),
        "settings": dict(run.settings),
        "environment": dict(run.environment),
    }


def diagnosis_json(diagnosis: Diagnosis, others: Sequence[Diagnosis] = ()) -> dict[str, object]:
    """Return the object that ``labkit diagnose --json`` prints.

    Args:
        diagnosis: Of a loop; of the one that matters first, in a script.
        others: Those of a script's other loops, the same objects under ``loops``.
    """
    run, columns, loop = diagnosis.run, diagnosis.judged.columns, diagnosis.loop
    memory = {**asdict(diagnosis.memory), "grows": [*map(counter_title, diagnosis.memory.grows)]}
    memory["rises"] = [{**each, "name": counter_title(each["name"])} for each in memory["rises"]]
    return {
        "file": run.title,
        "state": run.state.name,
        "reason": run.state.reason,
        "steps": len(run.steps),
        "idle": diagnosis.idle,
        "verdict": verdict_json(diagnosis.verdict),
        "memory": memory,
        "ledger": ledger_json(diagnosis.ledger, columns),
        "findings": [
            {
                "cause": finding.cause,
                "kind": finding.kind,
                "share": finding.share,
                "proof": _proof(finding, columns),
                "fix": fix_code(finding),
                "line": None if finding.line is None else asdict(finding.line),
            }
            for finding in diagnosis.findings
        ],
        "environment": dict(run.environment),
        "late_steps": diagnosis.late_steps,
        "step": None if loop is None else {
            "kind": loop.kind, "file": loop.file, "line": loop.line, "code": loop.code,
            "count": len(run.steps),
        },
        "loops": [diagnosis_json(each) for each in others],
    }  # fmt: skip


def _proof(finding: Finding, columns: Iterable[Column]) -> str:
    told = proof_words(finding.proof, columns)
    return told if finding.traced is None else f"{traced_words(finding.traced)} {told}"


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """Return the five stable fields scripts depend on, then the rest under ``more``."""
    return {
        "label": verdict.label,
        "growth": verdict.growth,
        "low": verdict.low,
        "high": verdict.high,
        "detail": verdict_words(verdict),
        "more": {
            **{name: getattr(verdict, name) for name in MORE},
            "machine_detail": machine_words(verdict),
        },
    }


def ledger_json(ledger: Ledger, columns: Iterable[Column]) -> list[dict[str, object]]:
    """Return the rows, each place by its title."""
    return [asdict(row) for row in titled(ledger, columns).rows]


def file_json(path: Path) -> dict[str, object]:
    """Judge a file: a saved run, a JSON list of seconds, or one number a line; also compressed.

    Returns:
        ``file, label, growth, low, high, detail``; for a file that is no series the label is None
        and ``error`` says why in one sentence.
    """
    name = one_line(path.name)
    try:
        return {"file": str(path), **verdict_json(_file_verdict(path, name))}
    except LabkitError as error:
        sentence = str(error)
    except Exception as error:
        # Whatever stands in this file, the others are to be judged all the same.
        sentence = (
            f"{name} cannot be judged ({type(error).__name__}: {error}); "
            "use another copy of the file."
        )
    empty = {"growth": None, "low": None, "high": None, "detail": ""}
    return {"file": str(path), "label": None, **empty, "error": sentence}


def _file_verdict(path: Path, name: str) -> Verdict:
    try:
        if path.is_char_device():
            raise OSError("it is a device")  # which may never end
        # Read once, for it may be a pipe, and no further than needed: 3 MB may unpack to 3 GB.
        with unpacked(path) as file:
            if file.peek(1).removeprefix(BOM_UTF8).lstrip()[:1] == b"{":
                run = read_run(file, name)
                if not run.steps:
                    raise RunFileError(
                        f"{name} holds no step times; see with labkit report how its run ended, "
                        "and run the loop again."
                    )
                verdict = judgement(run).verdict
            else:
                verdict = judge(read_seconds(_text(file, name), name))
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise RunFileError(
            f"{name} cannot be read ({reason}); give a file that is there, whole, and yours "
            "to read."
        ) from error
    figures = (verdict.growth, verdict.low, verdict.high)
    if not all(math.isfinite(figure) for figure in figures if figure is not None):
        # Seconds of 1e-300 beside 1e300; not a number is not JSON either.
        raise RunFileError(
            f"The times in {name} are too far apart to be judged; give seconds, one per step."
        )
    return verdict


def _text(file: BufferedReader, name: str) -> str:
    raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise no_series(name, f"it has more than {MOST_BYTES:,} bytes")
    try:
        text = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise no_series(name, f"byte {error.start} is not UTF-8 text") from error
    if not text:
        raise no_series(name, "it is empty")
    return text


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
