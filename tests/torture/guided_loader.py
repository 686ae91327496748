"""A fuzzer that is led by coverage, over the loader of saved runs: atheris, libFuzzer for Python.

    python -m tests.torture.guided_loader CORPUS -runs=20000 -seed=1

It changes the files of the corpus, in bytes or in values and lines, keeps what reaches a branch of
the loader that nothing before it has, and ends with a status other than 0 at the first file that is
neither refused in one sentence nor, once it is saved again, read as it was.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from typing import Any

import atheris

with atheris.instrument_imports(include=["labkit.record"]):
    from labkit.record import RunFileError, run_from_lines, run_to_lines

from tests.record.damage import VALUES, places

MOST_LETTERS = 600


def read(data: bytes) -> None:
    """Read some bytes as a run."""
    try:
        run = run_from_lines(data.decode("utf-8", "replace").splitlines())
    except RunFileError as error:
        said = str(error)
        said.encode()
        assert said.endswith(".") and "\n" not in said and len(said) < MOST_LETTERS, said
        return
    lines = [*run_to_lines(run)]
    assert [*run_to_lines(run_from_lines(lines))] == lines


def changed(data: bytes, most_bytes: int, seed: int) -> bytes:
    """Return a file with something changed: libFuzzer knows of bytes only, and most are no JSON."""
    dice = random.Random(seed)
    try:
        told = [json.loads(line) for line in data.decode().splitlines()]
    except ValueError:
        told = []
    if not told or dice.random() < 0.3:
        return bytes(atheris.Mutate(data, most_bytes))
    for _ in range(dice.choice([1, 1, 2, 4])):
        change(dice, told)
    return "\n".join(map(json.dumps, told)).encode()[:most_bytes]


def change(dice: random.Random, told: list[Any]) -> None:
    """Change a value, or lose, double or exchange lines."""
    what, at = dice.random(), dice.randrange(len(told))
    if what < 0.1 and len(told) > 1:
        del told[at]
    elif what < 0.2:
        told.insert(at, copy.deepcopy(dice.choice(told)))
    elif what < 0.25:
        other = dice.randrange(len(told))
        told[at], told[other] = told[other], told[at]
    elif isinstance(told[at], dict | list) and told[at]:
        line = told[at]
        *path, last = dice.choice(places(line))
        for key in path:
            line = line[key]
        line[last] = copy.deepcopy(dice.choice([*VALUES, *(line[key] for (key,) in flat(line))]))


def flat(line: Any) -> list[Any]:
    """Return the keys or places of a value: what stands beside another may pass for it."""
    return [each for each in places(line) if len(each) == 1]


if __name__ == "__main__":
    atheris.Setup(sys.argv, read, custom_mutator=changed)
    atheris.Fuzz()
