"""Diagnoses loops of which the truth is known, and says of each what is wrong with what was said.

Usage: python -m tools.bench.diagnosis.diagnoses [FILE]...     Without a file, all of tests/loops.

Prints a line a loop, then the confusion matrix, and keeps every diagnosis in
bench-out/diagnoses.json. The exit status is 1 where anything said is wrong.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from labkit.lab.json_output import diagnosis_json
from labkit.record import Diagnosis
from tests.loops.expected import EVERY, Expectation
from tools.bench.diagnosis.confusion import matrix
from tools.bench.diagnosis.outcome import Outcome

Diagnose = Callable[[str], Diagnosis]
KEPT = Path(__file__).parents[3] / "bench-out" / "diagnoses.json"


def main(files: Sequence[str], diagnose: Diagnose | None = None) -> int:
    """Diagnose the files named, or all; return the exit status."""
    known = {each.path.resolve(): each for each in EVERY}
    wanted = [known.get(Path(file).resolve()) for file in files]
    for file, found in zip(files, wanted, strict=True):
        if found is None:
            print(f"Nothing is expected of {file!r}; add it to tests/loops/expected.py.")
            return 2
    outcomes = []
    for outcome in diagnosed([each for each in wanted if each] or EVERY, diagnose or ours()):
        print(outcome, flush=True)
        outcomes.append(outcome)
    keep(outcomes)
    wrong = sum(bool(outcome.misses()) for outcome in outcomes)
    if len(outcomes) > 1:
        print(f"\n{matrix(outcomes)}\n\n{wrong} of {len(outcomes)} loops with something wrong.")
    return 1 if wrong else 0


def ours() -> Diagnose:
    """Return the diagnosis that `labkit diagnose` makes."""
    # Named here and not above: what is said of a diagnosis can be tested without a bench.
    whole = import_module("labkit.lab.own_loop.diagnose").diagnose

    def diagnose(path: str) -> Diagnosis:
        found = whole(path)
        if not found.run.state.completed:
            raise RuntimeError(found.run.state.reason)
        said: Diagnosis = found.diagnosis
        return said

    return diagnose


def diagnosed(expected: Sequence[Expectation], diagnose: Diagnose) -> Iterator[Outcome]:
    """Diagnose loops one after the other; one that fails is an outcome like others."""
    for each in expected:
        began = time.monotonic()
        said, error = None, ""
        try:
            said = diagnose(str(each.path))
        except Exception as raised:  # the other loops are worth having all the same
            error = traceback.format_exception_only(raised)[-1].strip()
        yield Outcome(each, said, time.monotonic() - began, error)


def keep(outcomes: Sequence[Outcome], path: Path = KEPT) -> None:
    """Write what was said of every loop, to be looked into later."""
    path.parent.mkdir(exist_ok=True)
    told = [
        {
            "file": outcome.expected.file,
            "seconds": outcome.seconds,
            "misses": outcome.misses(),
            "said": outcome.diagnosis and diagnosis_json(outcome.diagnosis),
        }
        for outcome in outcomes
    ]
    path.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
