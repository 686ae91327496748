"""The causes in a reader's words: what each is called, and what goes wrong.

A cause that a lab teaches is called here what its lab calls it, so that a reader finds it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labkit.causes import SLUGS, load

# Of causes that no lab has for its own: the lab that comes nearest, or none.
NEAREST_LABS = {"work_growth": "", "between_steps": ""}


@dataclass(frozen=True)
class CauseWords:
    """One cause in words.

    Args:
        title: Its name for a reader.
        meaning: What goes wrong, in one sentence; empty for a cause nobody has described yet.
    """

    title: str
    meaning: str = ""


CAUSE_WORDS: Mapping[str, CauseWords] = {
    "graph_growth": CauseWords(
        "Graph growth",
        "The loop adds ops to its graph, so every session run has a larger graph to prepare.",
    ),
    "session_churn": CauseWords(
        "Session churn", "The loop opens a session, or sets up variables, again and again."
    ),
    "retracing": CauseWords(
        "Retracing", "TensorFlow traces a function again and again instead of once."
    ),
    "open_tape": CauseWords(
        "The open tape", "A gradient tape keeps recording, and gradients go back through all of it."
    ),
    "fragmentation": CauseWords(
        "Fragmentation", "Free memory is split into blocks that are too small for what is needed."
    ),
    "garbage": CauseWords(
        "Garbage collection", "The step stops while Python looks through its objects for garbage."
    ),
    "checkpoint_io": CauseWords(
        "Checkpoint I/O",
        "Checkpoints, summaries or other files are written in the loop or pile up.",
    ),
    "input_pipeline": CauseWords("The input pipeline", "The step waits for its data."),
    "host_transfer": CauseWords(
        "Host transfer", "Numbers are copied out of TensorFlow, or into it, within the step."
    ),
    "history": CauseWords(
        "History", "The loop keeps earlier results, and each step works through all of them."
    ),
    "kept_objects": CauseWords(
        "Kept objects", "The loop keeps what it no longer needs, and memory fills up."
    ),
    "observer": CauseWords(
        "The observer",
        "Looking at the loop is expensive: it is printed, drawn, checked or profiled at each step.",
    ),
    "memory_limit": CauseWords(
        "The memory limit",
        "Memory is nearly full: the step waits until some is free, or for its data from a disk.",
    ),
    "between_steps": CauseWords(
        "Between the steps",
        "What is done between two epochs, such as a validation, takes longer each time.",
    ),
    "work_growth": CauseWords(
        "Growing work",
        "The step is given more to do: larger batches, longer sequences, more rounds or calls.",
    ),
}


def cause_words(slug: str) -> CauseWords:
    """Return a cause in words; of an unknown one at least its name, readable.

    Args:
        slug: As a finding names it.
    """
    return CAUSE_WORDS.get(slug) or CauseWords(slug.replace("_", " ").capitalize())


def lab_of(slug: str) -> str:
    """Return the notebook that teaches a cause; empty where none does."""
    nearest = NEAREST_LABS.get(slug, slug)
    return load(nearest).notebook if nearest in SLUGS else ""


def lanes_of(slug: str) -> tuple[str, ...]:
    """Return the evidence to show with a run of a cause, most telling first; of others none."""
    return load(slug).lanes if slug in SLUGS else ()
