"""The head of a diagnosis, as a piece of a page: title, the sentences that matter most, figures."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.record import Diagnosis, Run, quantity
from labkit.record.plain_text import one_line
from labkit.show import diagnosis_words, words
from labkit.show.background import Background
from labkit.show.cause_words import cause_words
from labkit.show.markup import Markup, definitions, element, joined


def headline(run: Run, diagnosis: Diagnosis, level: int, background: Background) -> Markup:
    """Return what ran and where, the verdicts on time and memory, and whether that is healthy.

    Args:
        run: What was diagnosed.
        diagnosis: What was made of it; of a run without a step nothing is told.
        level: Of the heading, 1 to 6.
        background: What the caller knows besides.
    """
    looked_at = background.looked_at
    ended = diagnosis_words.ended_badly(run, looked_at)
    fine = diagnosis_words.healthy(run, diagnosis, background)
    machine = diagnosis_words.machine_line(diagnosis, chart=True) if len(run.steps) else ""
    told = [
        words.verdict(diagnosis.verdict),
        diagnosis_words.late(background.late_steps),
        diagnosis_words.memory(diagnosis.memory),
    ]
    sentences = (element("p", sentence) for sentence in told if sentence)
    return joined([
        element(
            "div",
            element(f"h{level}", one_line(run.title), class_="lk-title"),
            element("p", place(run, looked_at), class_="lk-place"),
            class_="lk-head",
        ),
        element("p", ended, class_="lk-error") if ended else Markup(),
        element("div", *sentences, class_=f"lk-verdict lk-{_mood(diagnosis, fine=fine)}")
        if len(run.steps) else Markup(),
        element("p", machine, class_="lk-machine") if machine else Markup(),
        element("p", diagnosis_words.HEALTHY, class_="lk-healthy")
        if fine else Markup(),
    ])  # fmt: skip


def place(run: Run, looked_at: int = 0) -> str:
    """Return ``1,203 steps - CPU - TensorFlow 2.21.0 - 2 cores``, as far as it is known."""
    facts = run.environment
    done = quantity.steps(len(run.steps) + looked_at)
    said = [f"{done}, {len(run.steps):,} of them judged" if looked_at else done]
    if card := facts.get("gpu"):
        said.append(str(card))
    elif device := facts.get("device"):
        said.append(str(device).upper())
    if version := facts.get("tensorflow"):
        said.append(f"TensorFlow {version}")
    if cores := facts.get("cores"):
        said.append(f"{cores} core{'s' * (cores != 1)}")
    return " - ".join(one_line(part) for part in said)


def figures(run: Run, diagnosis: Diagnosis) -> Markup:
    """Return the few figures to take in at a glance; empty where nothing was judged."""
    if not len(run.steps):
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
        yield "growth of a step", f"x {_factor(1 + verdict.growth)}", _interval(diagnosis)
    elif verdict.first_seconds and verdict.last_seconds:
        label = "flat after warm-up" if verdict.label == "warmup" else verdict.label
        # The middle of the two, as the sentence has it.
        level = (verdict.first_seconds * verdict.last_seconds) ** 0.5
        yield "a step", quantity.duration(level), label
    if not memory.known:
        yield "memory", "not known", "counted too seldom"
    elif memory.label == "flat":
        yield "memory", "flat", "nothing is kept"
    elif memory.bytes_per_step >= 1:
        yield "memory", quantity.size(memory.bytes_per_step), "more at every step"
    else:
        yield "memory", "leaking", "too little to weigh"
    if diagnosis.ledger.rows:
        share = max(0, min(100, round(100 * diagnosis.ledger.explained)))
        yield "explained", f"{share} %", "of the growth, by measured places"
    if diagnosis.findings:
        first = diagnosis.findings[0]
        said = diagnosis_words.share(first) or diagnosis_words.KINDS[first.kind]
        yield "cause", cause_words(first.cause).title, said


def _mood(diagnosis: Diagnosis, *, fine: bool) -> str:
    """Return what colours the headline: nothing to do, something to do, or no answer."""
    if fine:
        return "fine"
    act = diagnosis.verdict.slower or diagnosis.findings or diagnosis.memory.label == "leaking"
    return "alarming" if act else "open"


def _interval(diagnosis: Diagnosis) -> str:
    low, high = diagnosis.verdict.low, diagnosis.verdict.high
    if low is None or high is None:
        return ""
    return f"95 % {_factor(max(0.0, 1 + low))}-{_factor(1 + high)}"


def _factor(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 2 else f"{value:.2f}"
