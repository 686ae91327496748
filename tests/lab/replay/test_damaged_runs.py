"""A damaged run file is refused in one sentence, or every use of it works.

Tier: make test.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from labkit.causes import SLUGS, load
from labkit.course.classroom.classroom import classroom
from labkit.diagnosis import judgement
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.replayed import Replayed
from labkit.record import (
    Column,
    Event,
    LabkitError,
    Run,
    RunFileError,
    State,
    Steps,
    load_run,
    run_to_lines,
    save_run,
)
from labkit.record.memory_map import KIND, MemoryMap
from labkit.show.report.report import report_html
from tests.measure.owned_clock import OwnedClock

EXAMPLES = 400
MOST_LETTERS = 600


def whole() -> Run:
    """Return a run that has everything a file can hold, of steps that get longer."""
    seconds = [0.02 + 0.001 * place for place in range(40)]
    columns = {
        "start_seconds": [sum(seconds[:place]) for place in range(40)],
        "seconds": seconds,
        "graph_ops": [18.0 + 5 * place for place in range(40)],
        "graph_building_seconds": [each / 2 for each in seconds],
        "canary_seconds": [1e-4] * 40,
    }
    kinds = ("clock", "clock", "counter", "place", "machine")
    described = tuple(
        Column(name, name.replace("_", " "), "ops" if name == "graph_ops" else "s", kind)  # type: ignore[arg-type]
        for name, kind in zip(columns, kinds, strict=True)
    )
    pool = MemoryMap.of_blocks([[(1024, True), (2048, False)]])
    return Run(
        cause="graph_growth", title="Graph growth", state=State("stopped", "Stopped.", "Trace"),
        columns=described, steps=Steps(columns), log="printed\n",
        others=(Steps({name: values[:3] for name, values in columns.items()}),),
        toggles={"grow": True, "chain": False, "build_once": False},
        settings={"steps": 40, "seed": 0}, evidence={"live_tensors": ((0, 3.0), (39, 4.0))},
        environment={"cores": 2, "device": "cpu", "gpu": None, "tensorflow": "2.21.0",
                     "processor": "a small one", "started": "2026-11-22T10:00:00+00:00"},
        events=(Event(3, "gc", "a collection", {"seconds": 0.1}),
                Event(20, "toggle", "grow off", {"name": "grow", "value": False}),
                Event(30, KIND, "the pool", pool.detail())),
    )  # fmt: skip


WHOLE = [json.loads(line) for line in run_to_lines(whole())]
VALUES = (
    None, True, False, 0, -1, 1, 7, 0.5, 10**30, 1e300, -1e300, 5e-324, float("nan"), float("inf"),
    "", "odd", "a\ud800b", "a\x00\x1b\nb", "$_{ $", "x" * 2_000, "sideways", "place", "clock",
    [], [1], [[]], {}, {"a": 1}, {"a": {"a": []}},
)  # fmt: skip
Draw = strategies.DrawFn


def places(value: Any) -> list[Any]:
    """Return where something stands in a value, by the keys that lead there."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    found = []
    for key in keys:
        found.append((key,))
        if isinstance(value[key], dict | list):
            found += [(key, *more) for more in places(value[key])]
    return found


def drawn(draw: Draw, told: list[Any]) -> list[Any]:
    return draw(strategies.sampled_from(told))  # type: ignore[no-any-return]


def change_value(draw: Draw, told: list[Any]) -> None:
    line = drawn(draw, [each for each in told if isinstance(each, dict | list) and each])
    *path, last = drawn(draw, places(line))
    for key in path:
        line = line[key]
    if draw(strategies.integers(0, 5)):
        line[last] = drawn(draw, list(VALUES))
    else:
        del line[last]


def lose_line(draw: Draw, told: list[Any]) -> None:
    del told[draw(strategies.integers(0, len(told) - 1))]


def repeat_line(draw: Draw, told: list[Any]) -> None:
    told.insert(draw(strategies.integers(0, len(told))), copy.deepcopy(drawn(draw, told)))


def swap_lines(draw: Draw, told: list[Any]) -> None:
    first, second = (draw(strategies.integers(0, len(told) - 1)) for _ in range(2))
    told[first], told[second] = told[second], told[first]


def cut_line(draw: Draw, told: list[Any]) -> None:
    place = draw(strategies.integers(0, len(told) - 1))
    told[place] = json.dumps(told[place])[: draw(strategies.integers(0, 80))]


def cut_file(draw: Draw, told: list[Any]) -> None:
    del told[draw(strategies.integers(1, len(told))) :]


DAMAGES: tuple[Callable[[Draw, list[Any]], None], ...] = (
    change_value, change_value, change_value, change_value, lose_line, repeat_line, swap_lines,
    cut_line, cut_file,
)  # fmt: skip


@strategies.composite
def damaged(draw: Draw) -> str:
    """Return a strategy for the text of a run file in which one thing or two are wrong."""
    told = copy.deepcopy(WHOLE)
    for _ in range(draw(strategies.integers(1, 2))):
        if told:
            draw(strategies.sampled_from(DAMAGES))(draw, told)
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in told)


def use(run: Run) -> None:
    """Report a run, and play it again."""
    report_html([judgement(run)]).encode()
    if run.cause not in SLUGS or not len(run.steps):
        with pytest.raises(LabkitError):
            RecordedRuns([run])
        return
    player = LabPlayer(load(run.cause), recorded=RecordedRuns([run]))
    player.start({toggle.name: toggle.default for toggle in player.toggles})
    player.banner.encode()
    clock = OwnedClock()
    played = Replayed("one", run, clock=clock)
    for _ in range(3):
        clock.pass_ms(500)
        assert played.snapshot().steps.names == run.steps.names
        assert played.toggles and played.state and len(played.events) <= len(run.events)
        assert all(len(played.read(each.name, 0, 100)) <= 100 for each in run.columns)


def test_a_damaged_file_is_refused_in_one_sentence_or_can_be_used(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    save_run(whole(), folder / "whole.jsonl")
    read: list[Path] = []

    @settings(
        max_examples=EXAMPLES, suppress_health_check=list(HealthCheck),
        database=None,
    )  # fmt: skip
    @given(damaged())
    def check(text: str) -> None:
        file = folder / f"run-{len(read)}.jsonl"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            run = load_run(file)
        except RunFileError as error:
            sentence = str(error)
            assert sentence.startswith(file.name) and sentence.endswith(".")
            assert "\n" not in sentence and len(sentence) < MOST_LETTERS
            sentence.encode()
            file.unlink()
            return
        use(run)
        assert load_run(save_run(run, tmp_path / "again.jsonl")) == run
        read.append(file)

    check()
    shown = classroom(folder, cause="graph_growth")
    assert len(read) > EXAMPLES // 20, "so little is read that nothing was tried"
    assert len(shown.members) > len(read) // 2 and shown.picture.png
    assert all("has no step" in each for each in shown.passed_over)
    shown._repr_mimebundle_()["text/html"].encode()
