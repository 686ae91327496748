"""Locating: which line of the reader's own does what a finding says.

The line that takes most time in the patched functions of the finding's places, as seen in some
steps; else the one in which its events happened; else the one whose time grew most.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from labkit.diagnosis.evidence import CALLS, INSTANCES, KEPT
from labkit.diagnosis.findings.memory import KERNEL_CACHE
from labkit.diagnosis.locating.source_search import (
    line_that_adds_to,
    line_that_instantiates,
    line_that_makes,
    with_code,
)
from labkit.diagnosis.rules import RULES
from labkit.record import Finding, Run, proof
from labkit.record.source_line import LINE, SourceLine

PLACE_AND_LINE = re.compile(r"(?P<place>\w+)/(?P<file>.*):(?P<line>\d+)")
CALLED = re.compile(rf"{CALLS}(?P<file>[^ :]+):(?P<line>\d+) ")
GREW_AT = re.compile(r"(?P<file>[^ /:]+):(?P<line>\d+) ")
EVENTS = {
    "retracing": ("trace",), "checkpoint_io": ("checkpoint", "summary"), "garbage": ("gc",),
}  # fmt: skip
# A collection comes in whatever line makes the object too much, but where one is asked for.
ASKED_FOR = {"garbage": "collect"}
# Where what rises is made.
MADE_AT: Mapping[str, tuple[str, ...]] = {
    "open_files": ("summary_write_seconds", "checkpoint_write_seconds"),
    "threads": ("summary_write_seconds", "input_building_seconds"),
    "figures": ("drawing_seconds",),
    "graph_ops": ("graph_building_seconds",),
    "folder_files": ("checkpoint_write_seconds",),
    "live_variables": ("making_variables_seconds",),
    KERNEL_CACHE: ("making_variables_seconds",),
}
# Where a fault is made; what it makes longer, such as a run of the session, is elsewhere.
MAKES: Mapping[str, tuple[str, ...]] = {"graph_growth": ("graph_building_seconds",)}
# What TensorFlow's own threads run, while the step waits at that place and calls nothing.
BEHIND = {"data_waiting_seconds": "pipeline_python"}
# For each place the seconds of each line.
Places = dict[str, dict[tuple[str, int], float]]
# Of these no place tells: it is the reader's own code that takes longer.
OWN_WORK = ("history", "work_growth", "kept_objects")


def located(
    findings: Iterable[Finding], run: Run, slower: Iterable[tuple[str, float]]
) -> tuple[Finding, ...]:
    """Return the findings, each with its line where one is known; of a loaded run without its code.

    Args:
        findings: What was found.
        run: What was recorded, with its sampled steps.
        slower: Lines of code that take longer at the end than at the start, most first.
    """
    calls = _calls(run)
    if run.loaded:
        return tuple(replace(each, line=each.line or _called_at(each, calls)) for each in findings)
    return tuple(replace(each, line=_line(each, run, calls, tuple(slower))) for each in findings)


def _called_at(finding: Finding, calls: Places) -> SourceLine | None:
    """Return where a finding's place was called most, with no look into the file."""
    for place in _places(finding):
        if place in calls:
            return SourceLine(*max(calls[place], key=calls[place].__getitem__), "")
    return None


def _line(
    finding: Finding,
    run: Run,
    calls: Places,
    slower: tuple[tuple[str, float], ...],
) -> SourceLine | None:
    called = _called(run)
    files = _with_those_beside(_files(calls), called)
    if finding.line is not None:
        return with_code(finding.line.file, finding.line.line)
    if isinstance(finding.proof, proof.HandlersGrew):
        return line_that_makes("log_handlers", files, called)
    if isinstance(finding.proof, proof.KeptForEver):
        if finding.cause == "open_tape" and (line := line_that_makes("open_tapes", files, called)):
            return line
        for name, _ in finding.proof.rising:
            kept = name.removeprefix(KEPT)
            if kept != name and (line := line_that_adds_to(kept, files, called)):
                return line
            if name.startswith(INSTANCES) and (line := line_that_instantiates(name, files)):
                return line
    for place in _places(finding):
        place = place if place in calls else BEHIND.get(place, place)
        if place in calls:
            return with_code(*max(calls[place], key=calls[place].__getitem__))
    happened = Counter(
        (str(event.detail["file"]), int(event.detail["line"] or 0))
        for event in run.events
        if event.kind in EVENTS.get(finding.cause, ()) and "file" in event.detail
    )
    for at, _ in happened.most_common(1):
        found = with_code(*at)
        if ASKED_FOR.get(finding.cause, "") in found.code:
            return found
    if isinstance(finding.proof, proof.KeptForEver):
        made = (line_that_makes(name, files, called) for name, _ in finding.proof.rising)
        return next(filter(None, made), None)
    if finding.kind == "growth" and finding.cause in OWN_WORK:
        return _grown(slower, files)
    return None


def readers_files(run: Run) -> frozenset[str]:
    """Return the reader's files from which patched functions were called; none of a loaded run."""
    if run.loaded:
        return frozenset()
    return _with_those_beside(_files(_calls(run)), _called(run))


def _with_those_beside(files: frozenset[str], called: frozenset[tuple[str, int]]) -> frozenset[str]:
    """Return the files, and those in their folders that a step calls: not all call TensorFlow."""
    known = {os.path.basename(file) for file in files}
    folders = {os.path.dirname(file) for file in files}
    beside = (
        os.path.join(folder, name) for name, _ in called if name not in known for folder in folders
    )
    return files | frozenset(filter(os.path.isfile, beside))


def _files(calls: Places) -> frozenset[str]:
    return frozenset(file for counted in calls.values() for file, _ in counted)


def _places(finding: Finding) -> Iterator[str]:
    """Yield the places of a finding: where the fault is made, then those that its proof names."""
    yield from MAKES.get(finding.cause, ())
    match finding.proof:
        case proof.KeptForEver(rising=rising):
            for name, _ in rising:
                yield from MADE_AT.get(name, ())
        case proof.PlacesGrew(places=places):
            yield from (name for name, _ in places)
        case proof.EveryStep(place=largest):
            yield largest
        case proof.FunctionsGrew():
            yield "function_run_seconds"
    for rule in RULES:
        if rule.cause == finding.cause:
            yield from rule.places


def _calls(run: Run) -> Places:
    found: Places = {}
    for name, pairs in run.evidence.items():
        if name.startswith(LINE) and (read := PLACE_AND_LINE.fullmatch(name[len(LINE) :])):
            line = read["file"], int(read["line"])
            found.setdefault(read["place"], {})[line] = sum(seconds for _, seconds in pairs)
    return found


def _called(run: Run) -> frozenset[tuple[str, int]]:
    """Return the files, without their folders, and first lines of the functions called most."""
    found = (CALLED.match(name) for name in run.evidence if name.startswith(CALLS))
    return frozenset((each["file"], int(each["line"])) for each in found if each)


def _grown(slower: tuple[tuple[str, float], ...], files: frozenset[str]) -> SourceLine | None:
    for name, _ in slower:
        if read := GREW_AT.match(name):
            whole = (file for file in files if file.endswith(f"/{read['file']}"))
            return with_code(next(whole, read["file"]), int(read["line"]))
    return None
