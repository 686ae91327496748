"""Files, lines and bytes that were damaged are refused in one sentence or read as they were saved.

Tier: make test, in turn, short. ``make torture`` tries a hundred thousand.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from hypothesis import seed as begin_at

from labkit.bench.protocol import Lines, encode
from labkit.record import RunFileError, load_run, run_from_lines, save_run
from tests.record.damage import WHOLE, damaged, whole
from tests.torture.conftest import Tried

pytestmark = pytest.mark.in_turn

TEXT = "\n".join(json.dumps(line) for line in WHOLE)
SAVED = run_from_lines(TEXT.splitlines())
MOST_LETTERS = 600
MESSAGES = [
    {"say": "event", "step": step, "kind": "gc", "text": "caf\u00e9", "detail": {"ms": 0.5}}
    for step in range(8)
]


def one_sentence(error: RunFileError) -> bool:
    said = str(error)
    said.encode()
    return said.endswith(".") and "\n" not in said and len(said) < MOST_LETTERS


def test_a_run_file_of_which_values_and_lines_are_changed_is_refused_or_unchanged(
    rounds: int, seed: int, tried: Tried
) -> None:
    times = 250 * rounds

    @settings(max_examples=times, suppress_health_check=list(HealthCheck), database=None)
    @begin_at(seed)
    @given(damaged(signed=True))
    def check(text: str) -> None:
        try:
            run = run_from_lines(text.splitlines())
        except RunFileError as error:
            assert one_sentence(error)
        else:
            assert run == SAVED or not re.search(r'"checksum": \d', text)

    check()
    tried(times, "files")


def test_a_run_file_of_which_bytes_are_changed_is_refused_or_unchanged(
    tmp_path: Path, rounds: int, dice: random.Random, tried: Tried
) -> None:
    refused, times = 0, 500 * rounds
    for end in (".jsonl", ".jsonl.gz"):
        path = save_run(whole(), tmp_path / f"run{end}")
        good = path.read_bytes()
        for _ in range(times):
            path.write_bytes(hurt(dice, good))
            try:
                run = load_run(path)
            except RunFileError as error:
                refused += one_sentence(error)
            else:
                # A byte that says nothing, or the name of the checksum itself.
                assert run == SAVED or end == ".jsonl"
    assert refused > times
    tried(2 * times, "files")


def hurt(dice: random.Random, good: bytes) -> bytes:
    """Return bytes of which some were changed, lost, doubled or exchanged."""
    bad = bytearray(good)
    for _ in range(dice.choice([1, 1, 2, 9])):
        at = dice.randrange(max(1, len(bad)))
        end = min(len(bad), at + dice.choice([1, 2, 30, 400]))
        what = dice.choice(["flip", "random", "lose", "double", "cut", "zero"])
        if what == "flip":
            bad[at : at + 1] = bytes(each ^ 1 << dice.randrange(8) for each in bad[at : at + 1])
        elif what == "random":
            bad[at:end] = dice.randbytes(end - at)
        elif what == "lose":
            del bad[at:end]
        elif what == "double":
            bad[at:at] = bad[at:end]
        elif what == "cut":
            del bad[max(at, 1) :]
        else:
            bad[at:end] = bytes(end - at)
    return bytes(bad) or b"\0"


def test_what_a_loop_writes_between_messages_takes_none_of_them_along(
    rounds: int, seed: int, tried: Tried
) -> None:
    times = 200 * rounds
    noise = strategies.binary(max_size=200).map(lambda data: data.replace(b"\n", b"") + b"\n")

    @settings(max_examples=times, suppress_health_check=list(HealthCheck), database=None)
    @begin_at(seed)
    @given(strategies.lists(noise, max_size=9), strategies.lists(strategies.integers(1, 300)))
    def check(between: list[bytes], cuts: list[int]) -> None:
        said = [encode(message) for message in MESSAGES]
        for place, bad in enumerate(between):
            said.insert(min(2 * place, len(said)), bad)
        stream, heard, lines = b"".join(said), [], Lines()
        for cut in (*cuts, len(stream)):
            heard += list(lines.take(stream[:cut]))
            stream = stream[cut:]
        assert heard == MESSAGES

    check()
    tried(times, "streams")
