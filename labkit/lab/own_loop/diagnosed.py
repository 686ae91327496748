"""A diagnosis as a notebook's cell ends with it: it shows itself, and can be saved."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from labkit.lab.json_output import diagnosis_json
from labkit.record import Diagnosis, Run
from labkit.show.page import Shown
from labkit.show.report.report import save_report, view_html
from labkit.show.report.terminal import diagnosis_lines


@dataclass(frozen=True)
class Diagnosed(Shown):
    """A diagnosis on show.

    Args:
        diagnosis: The run, its verdict and memory verdict, the ledger and the findings.
        others: Of a script: those of its other loops, the one first that matters more.
        minor_reason: Whether what the run's state gives as a reason is to be said, and no more: a
            gate passes all the same.
    """

    diagnosis: Diagnosis
    others: tuple[Diagnosis, ...] = ()
    minor_reason: bool = False

    @property
    def every(self) -> tuple[Diagnosis, ...]:
        """The diagnosis of each loop, the one first that matters most."""
        return (self.diagnosis, *self.others)

    @property
    def longest(self) -> Diagnosis:
        """That of the loop that took most time."""
        return max(self.every, key=lambda each: sum(each.judged.steps.seconds))

    @property
    def run(self) -> Run:
        """The run, its closely looked at steps included."""
        return self.diagnosis.run

    @property
    def judged(self) -> Run:
        """The run without its closely looked at steps: what the diagnosis speaks of."""
        return self.diagnosis.judged

    def as_json(self) -> dict[str, object]:
        """Return the diagnosis as plain dictionaries and lists, for ``--json``."""
        return diagnosis_json(self.diagnosis, self.others)

    def lines(self) -> list[str]:
        """Return the diagnosis for a terminal, a line each."""
        told = [diagnosis_lines(each) for each in self.every]
        return [line for lines in told for line in (*lines, "")][:-1]

    def html(self) -> str:
        """Return the diagnosis as a piece of a page."""
        return "".join(view_html(each) for each in self.every)

    def save(self, path: str | os.PathLike[str], *, replace: bool = True) -> Path:
        """Write the diagnosis as one HTML file, to read or to attach to a ticket.

        Args:
            path: Where; it is written whole or not at all.
            replace: Whether a file of that name is replaced; else the next free name is taken.

        Returns:
            The file that was written.

        Raises:
            LabkitError: If the file cannot be written there.
        """
        return save_report([*self.every], path, replace=replace)
