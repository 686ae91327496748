"""How many faults put into labkit its tests find: a sample of the mutants that Cosmic Ray makes.

    python -m tools.mutants FOLDER [--count 400] [--seed 21] [--part 0 --parts 2] [--rooms stats]

FOLDER is a clone of labkit of any age, with an environment in its .venv; nobody else may use it
meanwhile. Needs ``pip install cosmic-ray`` in the Python that runs this. It takes hours, so several
clones may each take a part of the same sample. With ``--rooms`` only files of these folders are
changed: those whose tests need neither TensorFlow nor a browser take seconds a mutant.

A mutant is one small change: a number, a comparison, an operator, a condition. First the tests of
its file's own name are run, then those of its room for a limited time. It is found if one fails.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cosmic_ray.commands import init
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec

# Loops as learners and posts write them: no test is to hold them to anything.
OUTSIDE = ("exercises", "loops", "examples", "recordings")
# Nearly all of these are in annotations, which nobody evaluates.
IN_ANNOTATIONS = "BitOr"
# A file's own tests take less; a change that makes them wait for ever is found.
FILE_SECONDS = 240.0
# Of a room's tests whatever fits into this.
ROOM_SECONDS = 150.0


def sample(folder: Path, count: int, seed: int, rooms: Sequence[str]) -> list[MutationSpec]:
    """Return some of all mutants of a clone or of some of its rooms, the same for a seed."""
    package = folder / "labkit"
    files = [
        file.relative_to(folder)
        for room in ([package / name for name in rooms] or [package])
        for file in sorted(room.rglob("*.py"))
        if not {*OUTSIDE} & {*file.parts}
    ]
    with contextlib.chdir(folder), use_db(":memory:", WorkDB.Mode.create) as every:
        init(files, every, {})
        found = [each.mutations[0] for each in every.work_items]
    found = [each for each in found if IN_ANNOTATIONS not in each.operator_name]
    found.sort(key=lambda each: (str(each.module_path), each.operator_name, each.occurrence))
    print(f"{len(found):,} mutants in {len(files)} files", flush=True)
    return random.Random(seed).sample(found, min(count, len(found)))


def tests_of(folder: Path, module: Path) -> Iterator[tuple[Sequence[str], float, bool]]:
    """Yield what is run for a change in a file, for how long, and whether a hang is a find."""
    tests = folder / "tests"
    own = sorted(map(str, tests.rglob(f"test_{module.stem.strip('_')}.py")))
    if own:
        yield own, FILE_SECONDS, True
    rooms = [tests.joinpath(*module.parts[1:depth]) for depth in range(len(module.parts), 1, -1)]
    room = next((each for each in rooms if each.is_dir() and each != tests), None)
    if room is not None:
        yield [str(room)], ROOM_SECONDS, False


def is_found(folder: Path, module: Path) -> bool:
    """Run the tests for a file as it is now; return whether one fails."""
    python = folder / ".venv" / "bin" / "python"
    for files, seconds, hang_counts in tests_of(folder, module):
        command = [python, "-m", "pytest", "-x", "-q", "-m", "not full and not browser", *files]
        with subprocess.Popen(
            command, cwd=folder, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        ) as process:  # fmt: skip
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                status = int(hang_counts)
        if status not in (0, 5):  # 5: there was no test
            return True
    return False


def tried(folder: Path, mutant: MutationSpec) -> dict[str, Any]:
    """Put a mutant into its file, see whether it is found, and put the file back."""
    operator = get_operator(mutant.operator_name)(**mutant.operator_args)
    with use_mutation(folder / mutant.module_path, operator, mutant.occurrence):
        found = is_found(folder, mutant.module_path)
    return {
        "file": str(mutant.module_path), "line": mutant.start_pos[0],
        "operator": mutant.operator_name, "found": found,
    }  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for name, default in (("count", 400), ("seed", 21), ("part", 0), ("parts", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--rooms", nargs="+", default=())
    asked = parser.parse_args(arguments)
    folder = asked.folder.resolve()
    mutants = sample(folder, asked.count, asked.seed, asked.rooms)[asked.part :: asked.parts]
    kept = folder / "bench-out" / f"mutants-{asked.part}.jsonl"
    kept.parent.mkdir(exist_ok=True)
    found = 0
    with open(kept, "w", encoding="utf-8") as file:
        for number, mutant in enumerate(mutants, start=1):
            told = tried(folder, mutant)
            found += told["found"]
            print(json.dumps(told), file=file, flush=True)
            print(f"{found} of {number} found; {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
