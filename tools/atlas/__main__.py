"""Makes the atlas: runs a real loop for each label of a verdict, draws it, and writes the page.

Usage: python -m tools.atlas       Needs a quiet machine; about half a minute there.

Writes docs/atlas.md and docs/atlas/LABEL.png, all of them or none. Before each run it waits for a
calm moment, half a minute at most. Where six runs in a row are judged otherwise than wanted,
or were disturbed by other programs or by the machine, it ends with status 1 and writes nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from string import Template

from labkit.bench.bench import Bench
from labkit.lab.settings import run_limits
from labkit.record import LabkitError, Run
from labkit.show import words
from labkit.show.verdict.verdict_words import loop_words, verdict_words
from tools.atlas.chart import draw
from tools.atlas.recording import EXAMPLES, Example, Recording, record, wait_for_calm
from tools.machine import machine

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = Path(__file__).with_name("page.md")
# As seen from the folder docs.
LOOPS = "../tools/atlas/loops"
SECONDS = 60.0
# What else `machine` knows has no part in these runs.
FACTS = ("date", "processor", "cores", "load before", "system", "Python", "TensorFlow", "labkit")


def main() -> int:
    """Record all examples, then write; return the exit status."""
    facts = {name: value for name, value in machine().items() if name in FACTS}
    try:
        recordings = record_all()
    except LabkitError as error:
        print(f"{error}\nNothing was written.", file=sys.stderr)
        return 1
    write(recordings, facts, DOCS)
    return 0


def record_all() -> list[Recording]:
    """Run every example on one bench.

    Raises:
        LabkitError: If a run fails, or is never judged as it should be.
    """
    recordings = []
    with closing(Bench("auto")) as bench:

        def play(example: Example) -> Run:
            wait_for_calm()
            session = bench.start(
                example.path, toggles=example.toggles, steps=example.steps,
                limits=run_limits(SECONDS),
            )  # fmt: skip
            session.wait()
            return session.snapshot()

        for example in EXAMPLES:
            began = time.monotonic()
            recordings.append(record(example, play))
            said = verdict_words(recordings[-1].verdict)
            print(f"{time.monotonic() - began:4.1f} s  {said}", flush=True)
    return recordings


def write(recordings: list[Recording], facts: dict[str, str], docs: Path) -> None:
    """Write the page into a folder, and the pictures into ``atlas`` in it."""
    pictures = {
        each.example.label: draw(each.run.steps.seconds, each.verdict, title=each.run.title)
        for each in recordings
    }
    text = page(recordings, facts)
    folder = docs / "atlas"
    folder.mkdir(parents=True, exist_ok=True)
    for label, picture in pictures.items():
        (folder / f"{label}.png").write_bytes(picture)
    (docs / "atlas.md").write_text(text, encoding="utf-8")
    total = sum(map(len, pictures.values()))
    print(f"wrote atlas.md and {len(pictures)} pictures, {total / 1e3:.0f} kB")


def page(recordings: Sequence[Recording], machine: Mapping[str, str]) -> str:
    """Return the page in Markdown, from a recording for each label."""
    values = {"loops": LOOPS, "machine": "\n".join(f"- {n}: {v}" for n, v in machine.items())}
    for recording in recordings:
        label, verdict = recording.example.label, recording.verdict
        values[f"{label}_sentence"] = loop_words(verdict)
        values[f"{label}_picture"] = f"![{alt(recording)}](atlas/{label}.png)"
        smallest = verdict.smallest_growth
        values[f"{label}_smallest"] = "none" if smallest is None else f"{100 * smallest:.0f} %"
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(values)


def alt(recording: Recording) -> str:
    """Return the picture in words: what ran, how many steps, and the verdict's sentence."""
    text = words.run_alt_text(recording.run, recording.judgement)
    # A bracket would end the alt text of a picture in Markdown.
    return text.replace("[", "(").replace("]", ")")


if __name__ == "__main__":
    sys.exit(main())
