"""Run files in which something is wrong: lines and values changed, lost, doubled, cut."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies

from labkit.record import Column, Event, Run, State, Steps, run_to_lines
from labkit.record.memory_map import KIND, MemoryMap


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
        line[last] = copy.deepcopy(drawn(draw, list(VALUES)))  # two of one list would hold itself
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
def damaged(draw: Draw, *, signed: bool = False) -> str:
    """Return a strategy for the text of a run file in which one thing or two are wrong.

    Args:
        signed: Whether it has the checksum of what was saved; who means harm leaves that out.
    """
    told = copy.deepcopy(WHOLE)
    if not signed:
        del told[-1]["checksum"]
    for _ in range(draw(strategies.integers(1, 2))):
        if told:
            draw(strategies.sampled_from(DAMAGES))(draw, told)
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in told)
