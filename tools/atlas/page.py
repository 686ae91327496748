"""The page: the template beside this file, filled with what was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from labkit.show import words
from labkit.show.verdict_words import loop_words
from tools.atlas.recording import Recording

TEMPLATE = Path(__file__).with_name("page.md")
# As seen from the folder docs.
LOOPS = "../tools/atlas/loops"


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
