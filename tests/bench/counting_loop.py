"""A loop with counters, functions and errors of its own, for the tests of the bench."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Explanation, Loop, Size, Toggle
from labkit.record import Column


def add_up(numbers: list[int]) -> int:
    """Return a sum; slow enough to be seen beside the rest of the step."""
    return sum(number for _ in range(600) for number in numbers)


def make_step(toggles: SimpleNamespace, *, width: int = 50, seed: int = 0) -> Loop:
    """Return a loop that keeps what it did and writes a file a step."""

    folder = Path(tempfile.mkdtemp())
    print(folder, flush=True)
    kept: list[int] = []
    write: Callable[[str], object] = (folder / "kept").write_text

    def step() -> int:
        if toggles.ending == "lesson" and len(kept) == 10:
            raise RuntimeError("the lesson ends here")
        if toggles.ending == "disk full" and len(kept) == 10:
            Path("/dev/full").write_text("x" * 100_000)
        if len(kept) == 5:
            gc.collect()
        kept.append(add_up(list(range(width))))
        write(str(folder))
        return kept[-1]

    return Loop(step, {"kept": lambda: len(kept), "files": lambda: len(list(folder.iterdir()))})


CAUSE = Cause(
    slug="counting_loop",
    title="A loop that counts",
    summary="Counts what it keeps.",
    make_step=make_step,
    toggles=(
        Toggle("ending", "how it ends", default="well", choices=("well", "lesson", "disk full")),
        Toggle(
            "pair", "two processes", kind="launch", workers={"on": 2},
            environment={"on": {"LABKIT_TEST_DUMP": "{scratch}/dump"}},
        ),
    ),
    sizes=(Size("width", 50, 1, 1_000, "numbers to add up", small=10),),
    expectation=Expectation(shape="flat", steps=30, growth=0.0),
    notebook="",
    counters=(Column("kept", "results kept", "results", "counter"),
              Column("files", "files written", "files", "counter")),
    functions={"add_up": "adding up"},
    explanations=(Explanation("RuntimeError", "lesson", "That is what was to be seen."),),
)  # fmt: skip
