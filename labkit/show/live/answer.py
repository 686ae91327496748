"""What the live panel tells a view: everything on show, as a message that can be sent.

Each answer stands on its own, so a reload or a second view needs nothing it did not get. Knows the
player and nothing of widgets; what a command does is `controls`' business.

A ``data`` message: ``place``, ``banner``, toggle ``values``, whether a flip ``asks`` for a guess,
``runs`` (the one on show, then the ghosts: name, count, label, fits), and where there is a run its
``state``, ``words``, what happened ``inside`` a step where that is known, and ``part``: steps
``since`` to ``next`` of one run, whose numbers travel in the buffer as `labkit.show.live.parts`
lays them out, with that run's ``lanes`` and the ``marks`` from ``marks_since`` on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from labkit.record import Column, Event
from labkit.record.plain_text import one_line, visible
from labkit.show import words
from labkit.show.charts.fits import Fit
from labkit.show.inside.of_cause import inside_now
from labkit.show.live.controls import Controls
from labkit.show.live.guess import Guess, guess_line, guess_words
from labkit.show.live.judge import Judge, Words
from labkit.show.live.parts import OWN, WALL, counted, read_part
from labkit.show.live.source import Player, Source
from labkit.show.verdict import glance

GHOSTS = 3
MOST_MARKS = 200
MOST_VALUES = 2_000
MOST_MARK = 60  # letters of what stands at a mark
GC_COLUMN = "garbage_collection_seconds"


class Answers:
    """Makes answers.

    Args:
        player: Whose runs are shown.
        controls: How the toggles stand.
        judge: What is said of a run.
        guess: The curve that was guessed, if one is to be drawn.
    """

    def __init__(
        self, player: Player, controls: Controls, judge: Judge, guess: Guess | None = None
    ) -> None:
        self._player = player
        self._controls = controls
        self._judge = judge
        self._guess = guess

    def to(self, message: Mapping[str, Any]) -> tuple[dict[str, Any], list[memoryview]]:
        """Return all that changes, and the steps this view does not have yet.

        Args:
            message: What the view sent: where it stands.
        """
        current = self._player.current
        content: dict[str, Any] = {
            "place": self._player.place,
            "banner": self._player.banner,
            "values": dict(self._controls.values()),
            "asks": self._controls.pauses_at_flips,
            "runs": [],
        }
        if current is None:
            return content, []
        runs = [current, *self._player.earlier[:GHOSTS]]
        state = current.state
        said = self._judge.words(current)
        content |= {
            "runs": [{"name": visible(run.name), "count": run.count,
                      "label": self._label(run, current),
                      "fits": [asdict(fit) for fit in self._judge.fits_of(run.name)]}
                     for run in runs],
            "state": {
                "name": state.name,
                "ended": state.ended,
                "paused": current.paused and not state.ended,
                "words": words.state(state, current.count if state.ended else None),
                "traceback": words.traceback(state.traceback),
            },
            "words": {
                "verdict": said.verdict, "ledger": said.ledger, "machine": said.machine,
                "alt": self.alt(current, said), **_headline(current, said),
                "fits": [asdict(fit) for fit in (*said.fits, *self._guessed(current, said))],
                "bars": [asdict(bar) for bar in said.bars], "bars_of": said.bars_of,
            },
            "inside": self._inside(current),
        }  # fmt: skip
        wanted = next((run for run in runs if visible(run.name) == message.get("run")), current)
        known = visible(wanted.name) == message.get("run")
        part, values = self._part(
            wanted,
            ghost=wanted is not current,
            since=_whole(message.get("since")) if known else 0,
            marks=_whole(message.get("marks")) if known else 0,
            most=_whole(message.get("max")) or MOST_VALUES,
        )
        content["part"] = part
        return content, [values] if len(values) else []

    def _inside(self, run: Source) -> dict[str, Any] | None:
        inside = inside_now(self._player.mechanism, run)
        return asdict(inside) if inside else None

    def _guessed(self, run: Source, said: Words) -> tuple[Fit, ...]:
        steps = self._player.usual_steps
        return guess_line(self._guess, run, steps, said.fits) if run.columns else ()

    def _part(
        self, run: Source, *, ghost: bool, since: int, marks: int, most: int
    ) -> tuple[dict[str, Any], memoryview]:
        lanes = () if ghost else self.lanes(run)
        events = () if ghost else _happened(run)[marks : marks + MOST_MARKS]
        own = (OWN,) if counted(run) else ()
        series = (WALL, "start_seconds", *own, *(lane.name for lane in lanes))
        part = read_part(run, series if run.columns else (), since, most=min(most, MOST_VALUES))
        described = {
            "run": visible(run.name),
            "since": part.since,
            "next": part.next,
            "width": part.width,
            "series": part.series,
            "lanes": [asdict(lane) for lane in lanes],
            "marks_since": marks,
            "marks": [{"step": event.step, "kind": one_line(event.kind, MOST_MARK),
                       "text": one_line(event.text, MOST_MARK)}
                      for event in events],
        }  # fmt: skip
        return described, memoryview(part.values.tobytes())

    def lanes(self, run: Source) -> tuple[Column, ...]:
        """Return the evidence to show under a run's curve, as far as it was recorded."""
        recorded = {column.name: column for column in run.columns}
        return tuple(
            recorded[name].shown
            for name in dict.fromkeys((*self._player.lanes, GC_COLUMN))
            if name in recorded
        )

    def _label(self, run: Source, current: Source) -> str:
        if run is current:
            return ""
        now = current.toggles
        different = [name for name, value in run.toggles.items() if now.get(name) != value]
        if not different:
            return "same toggles" if now else ""
        return words.toggle_values(run.toggles, only=different)

    def alt(self, run: Source, said: Words) -> str:
        """Return a run's picture in words, from a few numbers, whatever its length."""
        evidence = list(guess_words(self._guess))
        count = run.count
        for lane in self.lanes(run) if count else ():
            first, last = run.read(lane.name, 0, 1), run.read(lane.name, count - 1, count)
            if lane.kind == "counter" and len(first) and len(last):
                evidence.append(words.evidence(lane, float(first[0]), float(last[0])))
        return words.alt_text(
            self._player.title,
            count,
            (*said.verdict, said.machine),
            ledger_line=said.ledger,
            evidence_lines=evidence,
        )


def _happened(run: Source) -> tuple[Event, ...]:
    """Return a run's events; the last of one that failed is that it did."""
    events = tuple(run.events)
    if run.state.name != "failed" or not run.count:
        return events
    return (*events, Event(run.count - 1, "failed", ""))


def _headline(run: Source, said: Words) -> dict[str, str]:
    """Return the verdict in a few words; of a run that failed, that it did."""
    state, count = run.state, run.count
    if not state.ended or state.completed or state.name == "stopped":
        return {"headline": said.headline, "tone": said.tone}
    return {"headline": glance.failure(state, count), "tone": "slower"}


def _whole(value: object) -> int:
    return max(0, int(value)) if isinstance(value, (int, float)) else 0
