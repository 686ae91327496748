"""Errors a learner can act on: one sentence with the value, the rule and the next step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from labkit.record.plain_text import plain_text, shortened


class LabkitError(Exception):
    """Base of every error labkit raises on purpose; its text is one sentence for the learner.

    Args:
        sentence: What it quotes may be anything: it is made `plain_text`.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(plain_text(sentence))


class ChoiceError(LabkitError, ValueError):
    """A value that is not among the choices; the sentence lists them all.

    Args:
        what: The kind of thing chosen, for example ``"cause"``.
        value: What was given.
        choices: Everything that would have been accepted, in the order to show.
    """

    def __init__(self, what: str, value: object, choices: Iterable[object]) -> None:
        self.what = what
        self.value = value
        self.choices = tuple(str(choice) for choice in choices)
        given = shortened(str(value))
        close = difflib.get_close_matches(given, self.choices, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        listed = ", ".join(self.choices) or "none"
        super().__init__(f"There is no {what} {given!r}{hint}; choose one of: {listed}.")


class RunFileError(LabkitError, ValueError):
    """A run file that cannot be read; the sentence names the file, the line and what is wrong."""
