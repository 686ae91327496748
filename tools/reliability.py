"""Tries what is promised, again and again, and writes docs/reliability.md: `make torture`.

    python -m tools.reliability            tries all (an hour or two)
    python -m tools.reliability WORD...    tries the promises in which a word stands; others stay

Each promise and its tests stand in tests/torture/promises.toml. The page is written after each, so
that who stops it keeps what was tried.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from tools.machine import machine
from tools.markdown import machine_table, table, write_below_mark

ROOT = Path(__file__).parent.parent
PROMISES = ROOT / "tests" / "torture" / "promises.toml"
PAGE = ROOT / "docs" / "reliability.md"
KEPT = ROOT / "docs" / "measured" / "reliability.json"
MOST_NAMED = 3


@dataclass(frozen=True)
class Promise:
    """A promise and how it is tried.

    Args:
        says: The promise.
        tests: What breaks the world around it.
        only: A word in the names of those among them that are meant; empty for all.
        rounds: How many times as long a torture test is.
        times: How often the tests are run.
    """

    says: str
    tests: tuple[str, ...]
    only: str = ""
    rounds: int = 1
    times: int = 1


@dataclass(frozen=True)
class Outcome:
    """What came of trying it.

    Args:
        date: The day.
        passed: How many tests passed, all repetitions counted.
        skipped: How many could not be tried here.
        failed: The names of those that failed.
        tried: What was really done, as the tests noted it.
        seconds: How long it took.
    """

    date: str
    passed: int
    skipped: int
    failed: tuple[str, ...]
    tried: tuple[str, ...]
    seconds: float


def promises() -> Iterator[Promise]:
    """Yield what is promised."""
    for each in tomllib.loads(PROMISES.read_text(encoding="utf-8"))["promise"]:
        yield Promise(**{**each, "tests": tuple(each["tests"])})


def keep(promise: Promise) -> Outcome:
    """Try a promise and return what came of it."""
    passed, skipped, failed, tried = 0, 0, [], []
    began = time.monotonic()
    for _ in range(promise.times):
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            command = [sys.executable, "-m", "pytest", "-q", *promise.tests, "-m", "not full",
                       "-k", promise.only, "--torture", str(promise.rounds),
                       f"--junitxml={file.name}", "-o", "junit_family=xunit1"]  # fmt: skip
            subprocess.run(command, cwd=ROOT, check=False)
            # pytest wrote it.
            report = ElementTree.parse(file.name)  # noqa: S314
            cases = list(report.getroot().iter("testcase"))
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(str(case.get("name")))
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
            notes = case.iterfind("properties/property[@name='tried']")
            tried += [str(note.get("value")) for note in notes]
    today = datetime.now(UTC).date().isoformat()
    took = time.monotonic() - began
    return Outcome(today, passed, skipped, tuple(failed), tuple(tried), took)


def rows(told: dict[str, Outcome]) -> Iterator[tuple[str, ...]]:
    """Yield the table's rows."""
    yield "what is promised", "how often it was tried", "what came of it", "on"
    for promise in promises():
        outcome = told.get(promise.says)
        if outcome is None:
            yield promise.says, "not yet", "", ""
            continue
        count = outcome.passed + len(outcome.failed)
        often = f"{count:,} test{'s'[: count != 1]}"
        if outcome.tried:
            often += f": {'; '.join(_added(outcome.tried))}"
        yield promise.says, often, _came(outcome), outcome.date


def _added(tried: Sequence[str]) -> list[str]:
    """Return what was noted, the same things added up."""
    counts: Counter[str] = Counter()
    for note in tried:
        number, _, what = note.partition(" ")
        counts[what] += int(number.replace(",", ""))
    return [f"{count:,} {what}" for what, count in counts.items()]


def _came(outcome: Outcome) -> str:
    left_out = f"; {outcome.skipped} could not be tried" if outcome.skipped else ""
    if not outcome.failed:
        return f"held{left_out}"
    named = ", ".join(f"`{name}`" for name, _ in Counter(outcome.failed).most_common(MOST_NAMED))
    return f"**{len(outcome.failed)} failed**: {named}{left_out}"


def write(told: dict[str, Outcome]) -> None:
    """Write the page, and what it is made of."""
    kept = {"machine": machine(), "told": {says: asdict(each) for says, each in told.items()}}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    minutes = sum(each.seconds for each in told.values()) / 60
    took = f"All of it took {minutes:.0f} minutes."
    write_below_mark(PAGE, "\n\n".join([table(rows(told)), took, machine_table(kept["machine"])]))


def read() -> dict[str, Outcome]:
    """Return what came of the promises that there still are."""
    if not KEPT.exists():
        return {}
    told = json.loads(KEPT.read_text(encoding="utf-8"))["told"]
    says = {promise.says for promise in promises()}
    return {
        name: Outcome(**{**each, "failed": tuple(each["failed"]), "tried": tuple(each["tried"])})
        for name, each in told.items()
        if name in says
    }


def main(words: Sequence[str]) -> int:
    """Try what was asked for; return 1 where a promise did not hold."""
    broken = 0
    for promise in promises():
        if words and not any(re.search(re.escape(word), promise.says, re.I) for word in words):
            continue
        outcome = keep(promise)
        broken += bool(outcome.failed)
        write({**read(), promise.says: outcome})  # another may have been tried beside it
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
