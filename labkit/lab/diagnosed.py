"""A run and its diagnosis, as a notebook, a terminal and a script want it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from labkit.causes import SLUGS, load
from labkit.diagnosis import unsampled
from labkit.diagnosis.evidence import evidence
from labkit.diagnosis.keeping import TITLES
from labkit.record import Diagnosis, LabkitError, Run
from labkit.record.whole_file import write_whole
from labkit.show.background import Background
from labkit.show.diagnosis import diagnosis_lines
from labkit.show.report import report_html, view_html
from labkit.show.shown import Shown

# No lab is about the machine, but the first one shows how a curve tells of it.
NEAREST_LABS = {"machine": "healthy"}
ALONE = (
    "A cell runs alone, in a fresh process: import in it what it uses, and make in it what it needs"
)


@dataclass(frozen=True)
class Diagnosed(Shown):
    """What was run, and what was made of it.

    Args:
        run: The run, its closely looked at steps included.
        diagnosis: Verdict, memory verdict, ledger and findings.
        late_steps: How many steps came after those of `run`, which got slower too late to be sure.
    """

    run: Run
    diagnosis: Diagnosis
    late_steps: int = 0

    @cached_property
    def judged(self) -> Run:
        """The run without its closely looked at steps: what the diagnosis speaks of."""
        return unsampled(self.run)

    @cached_property
    def background(self) -> Background:
        """What is shown beside the diagnosis: the labs that teach, the lines that got slower."""
        return Background(
            labs=labs(),
            titles=TITLES,
            slower_lines=evidence(self.run).functions if self.diagnosis.verdict.slower else (),
            looked_at=len(self.run.steps) - len(self.judged.steps),
            late_steps=self.late_steps,
        )

    def lines(self) -> list[str]:
        """Return the diagnosis for a terminal, a line each."""
        return diagnosis_lines(self.judged, self.diagnosis, self.background)

    def html(self) -> str:
        """Return the diagnosis as a piece of a page."""
        return view_html(self.judged, self.diagnosis, self.background)

    def as_json(self) -> dict[str, object]:
        """Return the diagnosis as plain dictionaries and lists, for ``--json``."""
        return {
            "file": self.run.title,
            "state": self.run.state.name,
            "reason": self.run.state.reason,
            "steps": len(self.run.steps),
            **self.diagnosis.as_json(),
            "environment": dict(self.run.environment),
            "late_steps": self.late_steps,
        }

    def retold(self, names: Mapping[str, str]) -> Diagnosed:
        """Return the same of a loop that stood in a notebook's cell.

        Args:
            names: What to call the cell in place of the file that it was written to, by the file's
                path and name; the longer ones first.
        """
        state = self.run.state
        reason, raised = state.reason, state.traceback
        for name, cell in names.items():
            reason, raised = reason.replace(name, cell), raised.replace(name, cell)
        if reason.startswith("The loop raised NameError"):
            reason = f"{reason.rstrip('.')}. {ALONE}."
        run = replace(self.run, state=replace(state, reason=reason, traceback=raised))
        return replace(self, run=run)

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
        target = Path(path)
        if target.is_dir():
            raise LabkitError(
                f"{str(target)!r} is a folder; give the name of a file, e.g. "
                f"{str(target / 'report.html')!r}."
            )
        text = report_html(self.judged, self.diagnosis, self.background)
        return write_whole(target, text.encode(), "The report", replace=replace)


def labs() -> dict[str, str]:
    """Return the notebook that teaches a cause, by the cause's slug."""
    found = {slug: load(slug).notebook for slug in SLUGS}
    return found | {cause: found[slug] for cause, slug in NEAREST_LABS.items()}
