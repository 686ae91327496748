"""What proves a finding, as a sentence: a template for each kind of proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from labkit.record import Column, proof
from labkit.record.quantity import change, duration, quantity, size
from labkit.show.titles import KEPT, counter_title


def proof_words(value: proof.Proof, columns: Iterable[Column]) -> str:
    """Return the measured facts in one or two sentences.

    Args:
        value: What proves a finding.
        columns: Of the run; they have the titles of places and counters.
    """
    titles = {column.name: column.title for column in columns}
    match value:
        case proof.PlacesGrew():
            return _places_grew(value, titles)
        case proof.StablePrice():
            return (
                f"Each unit of “{_readable(value.counter, titles)}” makes a step "
                f"{duration(value.seconds)} longer, early ({duration(value.early_seconds)}) and "
                f"late ({duration(value.late_seconds)}) alike; {value.units:,.0f} were added, "
                f"which is {_percent(value.share)} of the growth."
            )
        case proof.PagesAwaited():
            return (
                f"A step waits for {value.last_pages:,.1f} pages of memory to come from a disk; at "
                f"the start it was {value.first_pages:,.1f}. Each takes "
                f"{duration(value.page_seconds)}, which is {_percent(value.share)} of the growth: "
                "what the step reads no longer fits into memory."
            )
        case proof.SlowerOps():
            return (
                f"{_percent(value.share)} of the growth is running the same ops, {_given(value)}, "
                "while what is kept grows: finding a free block of memory takes longer."
            )
        case proof.HandlersGrew():
            return (
                f"{_own_work(value)}, while log handlers grow {_ends(value.grown)}: each message "
                f"passes all of them.{_line(value)}"
            )
        case proof.KeptGrew():
            return (
                f"{_own_work(value)}, while {value.grown.name.removeprefix(KEPT)} grows by "
                f"{quantity(value.grown.per_step, '')} per step, {_ends(value.grown)}."
                f"{_line(value)}"
            )
        case proof.WorkGrew():
            return (
                f"{_own_work(value)}, and the work grows: {_readable(value.grown.name, titles)} "
                f"{_ends(value.grown)}.{_line(value)}"
            )
        case proof.FunctionsGrew():
            return _functions_grew(value)
        case proof.BetweenGrew():
            return _between_grew(value, titles)
        case proof.CallsDeeper():
            return (
                f"After {value.steps:,} steps the line stood {value.depth:,} times in the calls "
                "that Python was in: each step had put one call more around it."
            )
        case proof.SpikesHeld():
            return _spikes_held(value)
        case proof.EveryStep():
            return (
                f"Of {duration(value.step_seconds)} that a step takes, "
                f"{duration(value.spent_seconds)} are spent on it at every step, most in "
                f"{titles.get(value.place, value.place)}"
                f"{'' if value.grows else '; it does not grow'}."
            )
        case proof.KeptForEver():
            return _kept_for_ever(value)
        case proof.OutOfMemory():
            return value.reason
        case _:
            assert_never(value)


def _places_grew(value: proof.PlacesGrew, titles: Mapping[str, str]) -> str:
    parts = [f"{titles.get(name, name)} {_percent(share)}" for name, share in value.places]
    if value.half_seconds is not None:
        seconds, half = duration(value.first_seconds), duration(value.half_seconds)
        parts[0] += f" ({seconds} ± {half}, 95 % CI)"
    said = f"A step takes {duration(value.growth_seconds)} longer: {', '.join(parts)}."
    if value.level_seconds is not None:
        said += f" At the start it cost {duration(value.level_seconds)} per step already."
    if value.counter:
        counter = titles.get(value.counter, value.counter).capitalize()
        said += f" {counter}: {change(value.per_step)} per step."
    return said


def _between_grew(value: proof.BetweenGrew, titles: Mapping[str, str]) -> str:
    first, last = value.first_seconds, value.last_seconds
    said = (
        f"It was done {value.times:,} times, and took {duration(first)} at first and "
        f"{duration(last)} at the end ({last / first:.1f}x, 95 % CI {1 + value.low:.1f}-"
        f"{1 + value.high:.1f})."
    )
    if value.places:
        parts = (f"{titles.get(name, name)} {_percent(share)}" for name, share in value.places)
        said += f" Of what it takes longer: {', '.join(parts)}."
    return said


def _functions_grew(value: proof.FunctionsGrew) -> str:
    last = duration(value.first_seconds + value.more_seconds)
    said = (
        f"{_percent(value.share)} of the growth is running compiled functions, "
        f"{duration(value.first_seconds)} per step at first and {last} at the end. None is traced "
        "anew, and they are handed as many elements as at the start: what they do within grows."
    )
    if value.numbers is not None:
        said += f" The whole numbers that they are handed grow {_ends(value.numbers)}."
    return said


def _given(value: proof.SlowerOps) -> str:
    if value.more_elements is None:
        return "on as many elements as at the start"
    more = f"{_percent(value.more_elements)} more elements"
    return f"which are given {more} and take {value.times:.1f} times as long"


def _spikes_held(value: proof.SpikesHeld) -> str:
    every = f", one every {value.period:.0f} steps" if value.period else ""
    where = "is spent there"
    if value.event_step is not None:
        event = f"step {value.event_step:,}: {value.event_text}"
        where = f"is in steps with a recorded event, e.g. {event}"
    return (
        f"{value.count} spikes{every} take {_percent(value.time_share)} of the time, and "
        f"{_percent(value.held_share)} of what they take {where}."
    )


def _kept_for_ever(value: proof.KeptForEver) -> str:
    told = ", ".join(f"{counter_title(name)} {_more(name, rise)}" for name, rise in value.rising)
    said = f"Each step leaves something behind: {told} per step, to the end of the run."
    grown = value.bytes_per_step
    if grown and size(grown) not in told:
        said += f" Memory in use: {'+' * (grown > 0)}{size(grown)} per step."
    return said


def _more(counter: str, rise: float) -> str:
    return f"+{size(rise)}" if counter.endswith("_bytes") else change(rise)


def _own_work(value: proof.OwnWork) -> str:
    return f"{_percent(value.share)} of the growth is the step's own work"


def _ends(grown: proof.Grown) -> str:
    return f"from {grown.first:,.0f} to {grown.last:,.0f}"


def _line(value: proof.OwnWork) -> str:
    if not value.line:
        return ""
    more = duration(value.line_seconds)
    return f" Most of it at {value.line}: {more} per step more than at the start."


def _readable(name: str, titles: Mapping[str, str]) -> str:
    return titles.get(name, name.replace("_", " "))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
