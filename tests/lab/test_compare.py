"""Comparing runs: the sentence, the same as data, and which steps stand for a run."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import labkit as lk
from labkit.causes import SLUGS
from labkit.lab.compare import run_colours
from labkit.lab.replay.recordings import shipped
from labkit.lab.run_ratios import seconds_to_compare
from labkit.record import Diagnosis, Event, LabkitError, Run, Steps, ToggleValue
from labkit.show.charts.picture import CAUSE_OFF, CAUSE_ON
from tests.made_run import made_run
from tests.stats import known


def run_of(seconds: known.Numbers, *events: Event, **toggles: ToggleValue) -> Run:
    return made_run(seconds, cause="graph_growth", toggles=toggles, events=events)


def flat(seed: int, factor: float = 1.0, **toggles: ToggleValue) -> Run:
    return run_of(factor * known.flat(known.white(150, seed)).seconds, **toggles)


def grown(seed: int, **toggles: ToggleValue) -> Run:
    return run_of(known.ramp(known.white(150, seed), 2.0).seconds, **toggles)


def flip(step: int) -> Event:
    return Event(step, "toggle", "grow off", {"name": "grow", "value": False})


def test_a_cause_against_its_fix_is_one_sentence_and_one_figure() -> None:
    comparison = lk.compare(grown(1, grow=True), flat(2, grow=False))
    (said,) = comparison.sentences()
    assert said.startswith("in all 'grow off' takes 0.5")
    assert " as long as 'grow on' (95 % CI 0." in said
    assert "; its last steps take 0.3" in said
    (value,) = comparison.ratios
    assert value is not None and value.different and value.basis == "last"
    assert value.low is not None and value.high is not None
    assert value.low < 1 / 3 < value.high


def test_a_loop_against_itself_shows_no_difference() -> None:
    comparison = lk.compare(flat(1), flat(2))
    (said,) = comparison.sentences()
    assert said.startswith("no difference found between typical steps of 'run 2' and 'run 1' (")
    (value,) = comparison.ratios
    assert value is not None and not value.different


def test_each_later_run_is_compared_with_the_first() -> None:
    comparison = lk.compare(flat(1), flat(2, 2.0), flat(3, 0.5))
    found = [value.ratio for value in comparison.ratios if value]
    assert found == pytest.approx([2.0, 0.5], rel=0.05)
    assert ["'run 2'" in said and "'run 1'" in said for said in comparison.sentences()] == [
        True, False,
    ]  # fmt: skip


def test_steps_that_were_left_out_end_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def disturbed(said: Diagnosis) -> Sequence[float]:
        return seconds_to_compare(said)[: 132 if said.run is second else None]

    first, second = grown(1), grown(2)
    monkeypatch.setattr("labkit.lab.run_ratios.seconds_to_compare", disturbed)
    assert "where the shorter run ends" not in str(lk.compare(first, second))


def test_a_run_that_is_shorter_is_compared_where_it_ends() -> None:
    shorter = run_of(known.ramp(known.white(100, 2), 2.0).seconds)
    assert "both at step 100, where the shorter run ends" in str(lk.compare(grown(1), shorter))


def test_the_sentence_is_shown_with_picture_and_table() -> None:
    shown = lk.compare(grown(1, grow=True), flat(2, grow=False))._repr_mimebundle_()
    assert shown["text/plain"].splitlines()[0].startswith("in all 'grow off' takes")
    page = shown["text/html"]
    assert 0 <= page.index("<img") < page.index("in all &#x27;grow") < page.index("<table>")


def busy(run: Run) -> Run:
    """Add what is recorded where one of two processors is used by others, and none is idle."""
    seconds = np.asarray(run.steps.seconds)
    start = np.cumsum(seconds) - seconds
    machine = {
        "cpu_seconds": seconds / 2, "canary_seconds": np.full(len(seconds), np.nan),
        "others_seconds": 1.5 * start, "idle_seconds": 0.0 * start,
    }  # fmt: skip
    columns = {"start_seconds": start, "seconds": seconds, **machine}
    return replace(run, steps=Steps(columns))


def test_a_busy_machine_is_told_of_once_for_all_runs() -> None:
    comparison = lk.compare(busy(flat(1, grow=True)), busy(flat(2, grow=False)))
    lines = comparison.lines()
    assert sum("programs" in line for line in lines) == 1
    assert lines[-1].startswith("machine: other programs took ")
    assert "of 'grow on' and " in lines[-1] and "of 'grow off'; the chart" in lines[-1]
    page = comparison._repr_mimebundle_()["text/html"]
    assert page.count("other programs") == 1 and page.endswith(f"<p>{html.escape(lines[-1])}</p>")


def on_card(run: Run, mhz: float, *, hot: float = 0.0, idle: float = 0.0) -> Run:
    """Add what a graphics card says of itself at every tenth step."""
    machine = busy(run).steps
    asked = np.arange(len(machine)) % 10 == 0
    card = {"card_clock_mhz": mhz, "card_hot": hot, "card_capped": 0.0, "card_idle": idle}
    columns = {name: np.asarray(machine.column(name)) for name in machine.names}
    columns |= {name: np.where(asked, number, np.nan) for name, number in card.items()}
    columns["others_seconds"] = 0.0 * columns["start_seconds"]
    return replace(run, steps=Steps(columns))


def test_a_run_that_takes_longer_on_a_hotter_card_is_not_said_to_differ() -> None:
    comparison = lk.compare(on_card(flat(1), 1590), on_card(flat(2, 1.5), 1005, hot=1))
    (value,) = comparison.ratios
    assert value is not None and not value.different
    assert "the machine was too busy to be sure, so run both again" in comparison.sentences()[0]
    assert comparison.lines()[-1] == (
        "the graphics card's clock was 1,590 MHz at the end of 'run 1' and 1,005 MHz at that of "
        "'run 2', because of heat (NVML)"
    )


@pytest.mark.parametrize(
    ("factor", "mhz", "hot", "idle"),
    [(1.5, 1005, 0, 1), (1.5, 1005, 0, 0), (1.5, 1005, 1, 1), (1.5, 1590, 1, 0), (2.2, 1005, 1, 0),
     (0.8, 1005, 1, 0)],
)  # fmt: skip
def test_what_the_clock_does_not_explain_is_a_difference(
    factor: float, mhz: float, hot: float, idle: float
) -> None:
    """It is low for want of work or for no reason, or too little, or the run is shorter."""
    comparison = lk.compare(
        on_card(flat(1), 1590), on_card(flat(2, factor), mhz, hot=hot, idle=idle)
    )
    (value,) = comparison.ratios
    assert value is not None and value.different


def test_of_a_machine_where_nobody_looked_nothing_is_told() -> None:
    comparison = lk.compare(flat(1), flat(2))
    assert not any(line.startswith("machine") for line in comparison.lines())
    assert comparison._repr_mimebundle_()["text/html"].endswith("</table></details>")


def test_one_run_alone_is_compared_with_nothing() -> None:
    comparison = lk.compare(flat(1))
    assert comparison.ratios == () and comparison.sentences() == []


def test_a_run_without_steps_has_no_ratio_and_hides_no_other() -> None:
    empty = run_of(np.array([]))
    none, some = lk.compare(flat(1), empty, flat(2)).ratios
    assert none is None and some is not None
    alone = lk.compare(empty, flat(1))
    assert alone.ratios == (None,) and alone.sentences() == []
    assert "run 2: flat" in alone._repr_mimebundle_()["text/plain"]


def test_a_short_run_gives_a_sentence_and_no_figure() -> None:
    short = run_of(np.full(12, 0.1))
    comparison = lk.compare(flat(1), short)
    (said,) = comparison.sentences()
    assert said.startswith("no ratio: 'run 2' is too short: 12 steps")
    (value,) = comparison.ratios
    assert value is not None and value.ratio is None and not value.different


def test_of_a_run_with_a_flip_the_stretch_that_its_verdict_is_about_is_compared() -> None:
    """Both stretches together would be one loop that never was."""
    seconds = np.concatenate(
        [known.ramp(known.white(150, 1), 2.0).seconds, known.flat(known.white(300, 2)).seconds]
    )
    flipped = run_of(seconds, flip(150), grow=True)
    comparison = lk.compare(flipped, flat(3, grow=False))
    first, _ = comparison.judgements
    assert list(seconds_to_compare(first)) == list(seconds[:150])
    (said,) = comparison.sentences()
    assert "as 'grow on, steps 0-149' (" in said
    (value,) = comparison.ratios
    assert value is not None and value.ratio == pytest.approx(1 / 3, rel=0.05)


def test_ratios_are_plain_numbers() -> None:
    (value,) = lk.compare(flat(1), flat(2, 1.5)).ratios
    assert value is not None and value.ratio is not None and value.seconds is not None
    assert math.isclose(value.ratio, value.seconds[1] / value.seconds[0])


def combed(seed: int, **toggles: ToggleValue) -> Run:
    return run_of(known.combed(known.white(150, seed), 10, 50.0).seconds, **toggles)


def test_pauses_that_the_usual_step_knows_nothing_of_come_first() -> None:
    comparison = lk.compare(flat(1, grow=False), combed(2, grow=True))
    assert comparison.headline == "grow on: 6.0x as long in all"
    (said,) = comparison.sentences()
    assert said.startswith("in all 'grow on' takes 6.0x as long as 'grow off' (95 % CI ")
    assert "; no difference found between typical steps (" in said
    assert said.endswith("; spikes are 85 % of the time of 'grow on', 0 % of 'grow off'")


def test_the_headline_tells_of_the_run_that_is_most_apart() -> None:
    assert lk.compare(flat(1), flat(2, 1.5), flat(3, 0.2)).headline == (
        "most apart, run 3: 5.0x as fast per step"
    )
    assert lk.compare(flat(1), flat(2), flat(3)).headline.endswith("no difference found")
    assert lk.compare(flat(1)).headline == "flat at 99.9 ms per step"
    assert lk.compare(run_of(np.array([])), flat(1)).headline == ""


def test_a_cause_has_one_colour_and_its_absence_another_in_whatever_order() -> None:
    on, off, other = flat(1, grow=True), flat(2, grow=False), flat(3, grow=False)
    assert run_colours([on, off]) == run_colours([off, on])[::-1] == [CAUSE_ON, CAUSE_OFF]
    assert run_colours([on]) == [CAUSE_ON] and run_colours([off]) == [CAUSE_OFF]
    assert len({*run_colours([on, off, other]), CAUSE_ON, CAUSE_OFF}) == 3


@pytest.mark.parametrize("slug", SLUGS)
def test_headline_sentence_label_and_plain_numbers_of_a_lab_agree(slug: str) -> None:
    """Of the recordings that come with labkit: each is compared with the cause at work."""
    first, *others = shipped(slug)
    for other in others:
        comparison = lk.compare(other, first)
        (value,) = comparison.ratios
        assert value is not None and value.ratio is not None and value.mean is not None
        before, after = map(seconds_to_compare, comparison.judgements)
        steps = min(len(before), len(after))
        in_all = np.mean(after[5:steps]) / np.mean(before[5:steps])
        (said,), headline = comparison.sentences(), comparison.headline
        if value.way == "alike":
            assert "no difference" in headline or "no reliable difference" in headline
            assert said.startswith(headline.partition(": ")[2])
            assert "no reliable" in headline or 0.6 < in_all < 1.6
            continue
        longer = value.way == "longer"
        assert f"x as {'long' if longer else 'fast'}" in headline
        assert "no difference" not in said.partition(";")[0]
        if "in all unclear" in headline or (value.basis == "last" and not value.mean.different):
            continue  # of the usual step or the end alone is something claimed
        assert (in_all > 1) == longer
        grew = [said.verdict.slower for said in comparison.judgements]
        assert value.basis == ("last" if any(grew) else value.basis)


def test_what_is_no_run_cannot_be_compared() -> None:
    with pytest.raises(LabkitError, match=r"\[0\.1, 0\.1\] is not a run; give what lk\.run"):
        lk.compare(flat(1), [0.1, 0.1])  # type: ignore[arg-type]


def test_printed_in_a_terminal_a_comparison_tells_its_sentences() -> None:
    comparison = lk.compare(flat(1), flat(2))
    assert str(comparison).splitlines() == comparison.lines()


def test_step_times_of_ones_own_can_be_judged() -> None:
    assert lk.verdict([0.01] * 50).label == "flat"
    with pytest.raises(LabkitError):
        lk.verdict([])
