"""A class: the run files of many machines in one chart, so that their differences can be seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from labkit.course.classroom.guesses import Curve, guessed_curves, how_right, is_diary, not_read
from labkit.diagnosis import judgement
from labkit.record import ChoiceError, LabkitError, Run, Steps, Verdict, quantity
from labkit.record.file import load_found, run_files
from labkit.record.plain_text import one_line
from labkit.record.saving.default_folder import default_folder
from labkit.show.charts.figure import run_labels
from labkit.show.markup import element, table
from labkit.show.page import Shown, view
from labkit.show.thinning import own_seconds_of
from labkit.show.verdict.verdict_words import verdict_words

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

COLUMNS = ("file", "machine", "loop", "at first", "at the end", "verdict")


@dataclass(frozen=True)
class Member:
    """One run of the class.

    Args:
        name: What it is called, e.g. its file.
        run: What was recorded, its own step times only.
        verdict: What it says.
        group: Which loop it ran: the toggles in which the class's runs differ.
    """

    name: str
    run: Run
    verdict: Verdict
    group: str


@dataclass(frozen=True)
class Classroom(Shown):
    """The runs of a class; a notebook shows chart, sentences and table by itself.

    Args:
        members: A run each.
        passed_over: Of each file that was no use, its name and why.
        guesses: The curve that each learner drew before, as multiples of its beginning.
    """

    members: tuple[Member, ...]
    passed_over: tuple[str, ...] = ()
    guesses: tuple[Curve, ...] = ()

    @cached_property
    def picture(self) -> Picture:
        """All curves, and each machine as a point."""
        from labkit.course.classroom.chart import class_chart
        from labkit.lab.compare import run_colours
        from labkit.show.charts.picture import COLOURS

        slower = sum(member.verdict.slower for member in self.members)
        title = f"{self.members[0].run.title}: {slower} of {_runs(len(self.members))} got slower"
        first = {member.group: member.run for member in reversed(self.members)}
        groups = dict.fromkeys(member.group for member in self.members)
        few = len(groups) <= len(COLOURS)
        colours = run_colours([first[group] for group in groups]) if few else COLOURS
        told = " ".join(self.sentences())
        return class_chart(self.members, title, told, colours, self.guesses)

    def sentences(self) -> list[str]:
        """Return what became of each loop, a sentence each."""
        groups = dict.fromkeys(member.group for member in self.members)
        said = [self._sentence(group) for group in groups]
        growths = [each.verdict.growth for each in self.members if each.group == next(iter(groups))]
        known = [growth for growth in growths if growth is not None]
        if self.guesses and known:
            said.append(how_right(self.guesses, 1 + median(known)))
        return said

    def _sentence(self, group: str) -> str:
        told = [member.verdict for member in self.members if member.group == group]
        slower = sum(verdict.slower for verdict in told)
        loop = f" with {group}" if group else ""
        said = f"{_runs(len(told))}{loop}: {slower} got slower"
        factors = sorted(1 + each.growth for each in told if each.growth is not None)
        if factors:
            low, middle, high = (
                f"{value:.2g}x" for value in (factors[0], median(factors), factors[-1])
            )
            apart = "" if low == high else f", the others {low} to {high}"
            said += f"; at the end the median one takes {middle} as long as at first{apart}"
        levels = sorted(each.first_seconds for each in told if each.first_seconds)
        if len(levels) > 1:
            slowest, quickest = quantity.duration(levels[-1]), quantity.duration(levels[0])
            said += f"; the first steps take {quickest} to {slowest}"
        return f"{said}."

    def lines(self) -> list[str]:
        """Return the sentences, and what was skipped."""
        return [*self.sentences(), *(f"skipped: {each}" for each in self.passed_over)]

    def html(self) -> str:
        """Return chart, sentences and table as a piece of a page."""
        rows = [_row(member) for member in self.members]
        parts = [element("p", line) for line in self.lines()]
        listed = view(*parts, table("Each run", COLUMNS, rows, prose=True))
        return self.picture.as_html() + listed


def classroom(*sources: str | os.PathLike[str], cause: str | None = None) -> Classroom:
    """Draw the saved runs of a class as one chart, over the curves that were guessed.

    The guesses are those in ``labkit-predictions*.jsonl`` that lie there as well. A file that
    cannot be used, for whatever reason, is left out, and the sentences say why.

    Args:
        sources: Files that labkit saved, or folders of them; the current folder without any.
        cause: Only runs of this cause; needed where there are several.

    Raises:
        ChoiceError: If there is no run of the cause.
        LabkitError: If there is no run at all, or there are several causes and none was chosen.
    """
    sources = sources or (default_folder(),)
    found, passed_over = _read(sources)
    causes = sorted({run.cause for run, _ in found.values()})
    if not causes:
        why = f" ({'; '.join(passed_over[:3])})" if passed_over else ""
        raise LabkitError(
            f"There is no saved run with a step in {', '.join(map(str, sources))}"
            f"{why}; give the folder into which the class put its files."
        )
    if cause is None and len(causes) > 1:
        raise LabkitError(
            f"There are runs of {len(causes)} causes; choose one, as in  cause={causes[0]!r}, of: "
            f"{', '.join(causes)}."
        )
    if cause is not None and cause not in causes:
        raise ChoiceError("cause of this class", cause, causes)
    chosen = cause or causes[0]
    of_cause = {name: each for name, each in found.items() if each[0].cause == chosen}
    judged = _judged(of_cause, passed_over)
    if not judged:
        raise LabkitError(f"No run of {chosen} can be judged ({'; '.join(passed_over[:3])}).")
    guesses = guessed_curves(sources, chosen)
    passed_over += not_read(sources)
    return Classroom(tuple(_members(judged)), tuple(passed_over), guesses)


def _read(
    sources: Sequence[str | os.PathLike[str]],
) -> tuple[dict[str, tuple[Run, Verdict | Exception]], list[str]]:
    """Return the runs by name, each with its verdict or why it has none.

    A file that is not a run costs the others nothing.
    """
    found: dict[str, tuple[Run, Verdict | Exception]] = {}
    passed_over = []
    for source in sources:
        for file in run_files(source):
            if is_diary(file):
                continue
            try:
                read = _drawn(load_found(file, source))
            except Exception as error:
                passed_over.append(_why(one_line(file.name), error))
                continue
            if not len(read[0].steps):
                passed_over.append(f"{one_line(file.name)} has no step.")
                continue
            name = one_line(file.name.partition(".jsonl")[0])
            found[name if name not in found else one_line(str(file))] = read
    return found, passed_over


def _drawn(run: Run) -> tuple[Run, Verdict | Exception]:
    """Return a run with its own times only, and its verdict or why it has none.

    All that was recorded may take 0.8 GB, and a class has a hundred runs.
    """
    begun, own = run.steps.column("start_seconds"), own_seconds_of(run)
    steps = Steps({"start_seconds": begun, "seconds": own.tolist()})
    drawn = replace(run, columns=(), steps=steps, events=(), evidence={})
    try:
        return drawn, judgement(run).verdict
    except Exception as error:
        return drawn, error


def _judged(
    found: dict[str, tuple[Run, Verdict | Exception]], passed_over: list[str]
) -> dict[str, tuple[Run, Verdict]]:
    judged = {}
    for name, (run, verdict) in found.items():
        if isinstance(verdict, Verdict):
            judged[name] = run, verdict
        else:
            passed_over.append(_why(name, verdict))
    return judged


def _why(name: str, error: Exception) -> str:
    """Return why a file was left out, in one line that names it."""
    said = one_line(str(error))
    if isinstance(error, LabkitError):
        return said if name in said else f"{name}: {said}"
    return f"{name} cannot be used ({type(error).__name__}: {said}); use another copy of the file."


def _members(judged: dict[str, tuple[Run, Verdict]]) -> list[Member]:
    labels = _groups([run for run, _ in judged.values()])
    return [
        Member(name, run, verdict, group)
        for (name, (run, verdict)), group in zip(judged.items(), labels, strict=True)
    ]


def _groups(runs: Sequence[Run]) -> Sequence[str]:
    """Return of each run the toggles in which the class's loops differ; empty where in none."""
    different = {name for run in runs for name in run.toggles
                 if run.toggles[name] != runs[0].toggles.get(name)}  # fmt: skip
    return run_labels(runs) if different else [""] * len(runs)


def _row(member: Member) -> tuple[str, ...]:
    facts, verdict = member.run.environment, member.verdict
    machine = [facts.get("gpu") or facts.get("processor"), f"{facts.get('cores', '?')} cores"]
    levels = (verdict.first_seconds, verdict.last_seconds)
    return (
        member.name,
        ", ".join(str(part) for part in machine if part),
        member.group or member.run.title,
        *(quantity.duration(level) if level else "" for level in levels),
        verdict_words(verdict),
    )


def _runs(count: int) -> str:
    return f"{count} run{'s' * (count != 1)}"
