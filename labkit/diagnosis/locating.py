"""Locating: which line of the reader's own does what a finding says.

The line that calls the patched functions of the finding's places most often, as counted in some
steps; else the one in which its events happened; else the one whose time grew most.
"""

from __future__ import annotations

import linecache
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from labkit.diagnosis.evidence import KEPT
from labkit.diagnosis.rules import RULES
from labkit.record import Finding, Run, proof
from labkit.record.source_line import LINE, SourceLine

PLACE_AND_LINE = re.compile(r"(?P<place>\w+)/(?P<file>.*):(?P<line>\d+)")
GREW_AT = re.compile(r"(?P<file>[^ /:]+):(?P<line>\d+) ")
# The last name of a path, which may be a key.
LAST_NAME = re.compile(r"""(?P<key>\[['"])?(?P<name>\w+)(?:['"]\])?$""")
# What makes more of what has a name.
ADDS = (
    r"\s*(?:\.(?:append|appendleft|extend|insert|add|update|setdefault|put|push)\s*\(|\[[^\]]*\]\s*=[^=]"
    r"|\+=|=[^=].*(?:\bappend|concat|stack)\w*\(.*(?<!\w){name}(?!\w)|=\s*{name}\s*\+)"
)
EVENTS = {"retracing": ("trace",), "checkpoint_io": ("checkpoint", "summary")}
# Of these no place tells: it is the reader's own code that takes longer.
OWN_WORK = ("history", "work_growth", "kept_objects")


def located(
    findings: Iterable[Finding], run: Run, slower: Iterable[tuple[str, float]]
) -> tuple[Finding, ...]:
    """Return the findings, each with its line where one is known.

    Args:
        findings: What was found.
        run: What was recorded, with its sampled steps.
        slower: Lines of code that take longer at the end than at the start, most first.
    """
    calls = _calls(run)
    return tuple(replace(each, line=_line(each, run, calls, tuple(slower))) for each in findings)


def _line(
    finding: Finding,
    run: Run,
    calls: dict[str, Counter[tuple[str, int]]],
    slower: tuple[tuple[str, float], ...],
) -> SourceLine | None:
    files = {file for counted in calls.values() for file, _ in counted}
    if isinstance(finding.proof, proof.KeptForEver):
        for name, _ in finding.proof.rising:
            if name.startswith(KEPT) and (line := _growing(name.removeprefix(KEPT), files)):
                return line
    for place in _places(finding):
        if place in calls:
            return _with_code(*calls[place].most_common(1)[0][0])
    happened = Counter(
        (str(event.detail["file"]), int(event.detail["line"] or 0))
        for event in run.events
        if event.kind in EVENTS.get(finding.cause, ()) and "file" in event.detail
    )
    if happened:
        return _with_code(*happened.most_common(1)[0][0])
    if finding.kind == "growth" and finding.cause in OWN_WORK:
        return _grown(slower, files)
    return None


def _places(finding: Finding) -> Iterator[str]:
    """Yield the places of a finding, those first that its proof names."""
    match finding.proof:
        case proof.PlacesGrew(places=places):
            yield from (name for name, _ in places)
        case proof.EveryStep(place=largest):
            yield largest
    for rule in RULES:
        if rule.cause == finding.cause:
            yield from rule.places


def _calls(run: Run) -> dict[str, Counter[tuple[str, int]]]:
    found: dict[str, Counter[tuple[str, int]]] = {}
    for name, pairs in run.evidence.items():
        if name.startswith(LINE) and (read := PLACE_AND_LINE.fullmatch(name[len(LINE) :])):
            line = read["file"], int(read["line"])
            found.setdefault(read["place"], Counter())[line] += round(sum(v for _, v in pairs))
    return found


def _growing(path: str, files: Iterable[str]) -> SourceLine | None:
    """Return the first line that adds to what is kept under a name, as the reader would write it.

    Args:
        path: As in ``history``, ``self.memory`` or ``state['rows']``.
        files: The reader's.
    """
    last = LAST_NAME.search(path)
    if last is None:
        return None
    name = re.escape(last["name"])
    owner = rf"\[['\"]{name}['\"]\]" if last["key"] else rf"(?<!\w){name}(?!\w)"
    adds = re.compile(owner + ADDS.format(name=name))
    for file in sorted(files):
        for number, code in enumerate(linecache.getlines(file), start=1):
            if adds.search(code) and not code.lstrip().startswith(("#", "def ")):
                return SourceLine(file, number, code.strip())
    return None


def _grown(slower: tuple[tuple[str, float], ...], files: set[str]) -> SourceLine | None:
    for name, _ in slower:
        if read := GREW_AT.match(name):
            whole = (file for file in files if file.endswith(f"/{read['file']}"))
            return _with_code(next(whole, read["file"]), int(read["line"]))
    return None


def _with_code(file: str, line: int) -> SourceLine:
    return SourceLine(file, line, linecache.getline(file, line).strip())
