"""The head of a diagnosis, as a piece of a page: title, the sentences that matter most, figures."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.record import Diagnosis, quantity
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.markup import Markup, definitions, element, joined
from labkit.show.report import diagnosis_words
from labkit.show.report.cause_words import cause_words
from labkit.show.report.loop_words import loop_line
from labkit.show.verdict import glance as at_a_glance
from labkit.show.verdict.machine import machine


def headline(diagnosis: Diagnosis, title: str, level: int) -> Markup:
    """Return what ran and where, the verdicts on time and memory, and whether that is healthy.

    Args:
        diagnosis: What was made of it; of a run without a step nothing is told.
        title: What the run is called.
        level: Of the heading, 1 to 6.
    """
    run, loop = diagnosis.judged, diagnosis.loop
    toggles, ended = words.toggle_values(run.toggles), how_it_ended(diagnosis)
    parts = [
        # No <header>: within a notebook's page that would be a second banner to a screen reader.
        element(
            "div",
            element(f"h{level}", title, class_="lk-title"),
            element("p", place(diagnosis), class_="lk-place"),
            class_="lk-head",
        ),
        element("p", toggles, class_="lk-place") if toggles else Markup(),
        element("p", loop_line(loop, diagnosis.entries), class_="lk-place") if loop else Markup(),
        element("p", ended, class_="lk-error" if run.state.ended else "lk-place")
        if ended else Markup(),
    ]  # fmt: skip
    if len(run.steps):
        told = [
            glance(diagnosis),
            *words.judgement(diagnosis),
            diagnosis_words.late(diagnosis.late_steps),
            diagnosis_words.doubt(diagnosis.between) if diagnosis.between else "",
            diagnosis_words.memory(diagnosis.memory) if diagnosis.examined else "",
            diagnosis_words.IDLE if diagnosis.idle else "",
        ]
        sentences = (element("p", sentence) for sentence in told if sentence)
        parts.append(element("div", *sentences, class_=f"lk-verdict lk-{_mood(diagnosis)}"))
        if disturbed := machine([diagnosis]):
            parts.append(element("p", disturbed, class_="lk-machine"))
    if diagnosis_words.healthy(diagnosis):
        parts.append(element("p", diagnosis_words.HEALTHY, class_="lk-healthy"))
    return joined(parts)


def glance(diagnosis: Diagnosis) -> str:
    """Return the verdict in eight words at most; empty where there was too little to judge."""
    if all(verdict.label == "too_short" for verdict in diagnosis.verdicts):
        return ""
    said = at_a_glance.headline(diagnosis)
    return said[:1].upper() + said[1:]


def how_it_ended(diagnosis: Diagnosis) -> str:
    """Return how a run ended that did not end by itself, or goes on; else nothing."""
    run = diagnosis.run
    return "" if run.state.completed else words.state(run.state, len(run.steps))


def place(diagnosis: Diagnosis) -> str:
    """Return ``1,203 steps - CPU - TensorFlow 2.21.0 - 2 cores``, as far as it is known."""
    facts = diagnosis.run.environment
    said = [quantity.steps(len(diagnosis.run.steps))]
    if diagnosis.looked_at:
        said[0] += f", {len(diagnosis.judged.steps):,} of them judged"
    if card := facts.get("gpu"):
        said.append(str(card))
    elif device := facts.get("device"):
        said.append(str(device).upper())
    if version := facts.get("tensorflow"):
        said.append(f"TensorFlow {version}")
    if cores := facts.get("cores"):
        said.append(f"{cores} core{'s' * (cores != 1)}")
    return " - ".join(one_line(part) for part in said)


def figures(diagnosis: Diagnosis) -> Markup:
    """Return the few figures to take in at a glance; empty where no causes were looked for."""
    if not diagnosis.examined or not len(diagnosis.judged.steps):
        return Markup()
    tiles = (
        (name, joined([element("b", value), element("span", small)]))
        for name, value, small in _figures(diagnosis)
    )
    return definitions(tiles, class_="lk-figures")


def _figures(diagnosis: Diagnosis) -> Iterator[tuple[str, str, str]]:
    """Yield what a figure is of, the figure, and what is to be said of it."""
    verdict, memory = diagnosis.verdict, diagnosis.memory
    if verdict.slower and verdict.growth is not None:
        yield "growth of step time", f"{_factor(1 + verdict.growth)}x", _interval(diagnosis)
    elif verdict.level_seconds:
        label = "flat after warm-up" if verdict.label == "warmup" else verdict.label
        yield "step time", quantity.duration(verdict.level_seconds), label
    if not memory.known:
        why = diagnosis_words.UNCLEAR[memory.unclear] if memory.unclear else "too few samples"
        yield "memory", "unknown", why
    elif memory.label == "flat":
        yield "memory", "flat", "nothing is kept"
    elif memory.bytes_per_step >= 1:
        yield "memory", quantity.size(memory.bytes_per_step), "more at every step"
    else:
        yield "memory", "leaking", "too little to measure"
    if diagnosis.ledger.rows:
        share = max(0, min(100, round(100 * diagnosis.ledger.explained)))
        yield "explained", f"{share} %", "of the growth, by timed operations"
    if diagnosis.findings:
        first = diagnosis.findings[0]
        said = diagnosis_words.share(first) or diagnosis_words.KINDS[first.kind]
        yield "cause", cause_words(first.cause).title, said


def _mood(diagnosis: Diagnosis) -> str:
    """Return what colours the headline: nothing to do, something to do, or no answer."""
    level = at_a_glance.tone(diagnosis.verdict) == "even" and not diagnosis.examined
    if level or diagnosis_words.healthy(diagnosis):
        return "fine"
    act = diagnosis.verdict.slower or diagnosis.findings or diagnosis.memory.label == "leaking"
    return "alarming" if act else "open"


def _interval(diagnosis: Diagnosis) -> str:
    low, high = diagnosis.verdict.low, diagnosis.verdict.high
    if low is None or high is None:
        return ""
    return f"95 % CI {_factor(max(0.0, 1 + low))}-{_factor(1 + high)}"


def _factor(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 2 else f"{value:.2f}"
