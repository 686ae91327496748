"""A file that is larger than any run is refused before it is in memory.

Tier: make test.
"""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from labkit.record import (
    Event,
    LabkitError,
    Run,
    RunFileError,
    load_run,
    run_to_lines,
    save_run,
)
from labkit.record import file as run_file
from labkit.record.format import limits, reader, rows, writer
from tests.record.example import full_run, steps, without_checksum

MEGABYTES = 10_000_000


def refused(path: Path) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(RunFileError) as caught:
        load_run(path)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    return str(caught.value)


def packed(path: Path, *pieces: bytes) -> Path:
    """Write a file of some pieces, each compressed by itself, as gzip allows."""
    path.write_bytes(b"".join(gzip.compress(piece) for piece in pieces))
    return path


def with_fact(path: Path, field: str, value: object) -> Path:
    """Write a run of which one fact is this."""
    first, facts, *rest = without_checksum(run_to_lines(full_run()))
    path.write_text("\n".join([first, json.dumps({**json.loads(facts), field: value}), *rest]))
    return path


def unpacked_bytes_of(act: Callable[[], object]) -> int:
    """Return how many bytes something took at most."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_unpacks_to_gigabytes_is_read_no_further_than_a_line(tmp_path: Path) -> None:
    """Recorded: a file of 3 MB took 3 GB before anything of it was looked at."""
    member = gzip.compress(b" " * MEGABYTES)
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(member * 300)
    assert bomb.stat().st_size < 4_000_000
    taken = unpacked_bytes_of(lambda: refused(bomb))
    assert taken < 5 * limits.MOST_LINE_BYTES
    assert "line 1, has more than 20,000,000 bytes, the most that a line" in refused(bomb)


def test_a_long_line_further_down_is_told_with_its_number(tmp_path: Path) -> None:
    first = next(run_to_lines(full_run())).encode()
    bomb = packed(tmp_path / "a.jsonl.gz", first + b"\n", b" " * 3 * MEGABYTES)
    assert refused(bomb).startswith("a.jsonl.gz, line 2, has more than 20,000,000 bytes")


def test_more_than_all_steps_of_the_largest_run_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl")
    monkeypatch.setattr(rows, "MOST_NUMBERS", 11)  # of four steps of three numbers
    assert "line 8, is damaged: the run has more than 11 numbers, the most" in refused(path)
    monkeypatch.setattr(rows, "MOST_NUMBERS", 12)
    assert load_run(path) == full_run()


def test_more_bytes_than_any_run_needs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl.gz")
    size = len(gzip.decompress(path.read_bytes()))
    monkeypatch.setattr(run_file, "MOST_BYTES", size - 1)
    assert f"run.jsonl.gz unpacks to more than {size - 1:,} bytes" in refused(path)
    monkeypatch.setattr(run_file, "MOST_BYTES", size)
    assert load_run(path) == full_run()


def test_more_events_than_any_run_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl")
    monkeypatch.setattr(reader, "MOST_EVENTS", 1)
    assert "line 4, is damaged: a run has 1 events at most" in refused(path)
    monkeypatch.setattr(reader, "MOST_EVENTS", 2)
    monkeypatch.setattr(reader, "MOST_WORDS_BYTES", 900)
    assert "is damaged: all but its steps has more than 900 letters" in refused(path)


@pytest.mark.parametrize(
    ("field", "letters"), [("title", 5_000_000), ("title", 1_001), ("cause", 1_001)]
)
def test_a_title_that_is_too_long_is_refused_with_its_limit(
    field: str, letters: int, tmp_path: Path
) -> None:
    path = with_fact(tmp_path / "run.jsonl", field, "x" * letters)
    assert f"its {field} has {letters:,} letters where 1,000 are the most" in refused(path)


def test_of_an_error_that_an_earlier_labkit_saved_whole_the_middle_is_left_out(
    tmp_path: Path,
) -> None:
    error = {"name": "failed", "reason": "", "traceback": "first " + "x" * 5_000_000 + " last"}
    path = with_fact(tmp_path / "run.jsonl", "state", error)
    said = load_run(path).state.traceback
    assert len(said) == 200_000 and said.startswith("first ") and said.endswith(" last")


def test_the_longest_text_is_no_damage(tmp_path: Path) -> None:
    run = replace(full_run(), title="x" * 1_000, log="x" * 200_000)
    assert load_run(save_run(run, tmp_path / "run.jsonl")) == run


def test_a_run_too_large_to_be_read_again_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_NUMBERS", 11)
    with pytest.raises(LabkitError, match="it has 12 numbers in its steps where 11 are the most"):
        save_run(full_run(), tmp_path / "run.jsonl")
    assert not list(tmp_path.iterdir())


def letters(run: Run) -> list[int]:
    """Return how long each line of a run's file is, with its end."""
    return [len(line) + 1 for line in run_to_lines(run)]


@pytest.mark.parametrize("short_by", [0, 1])
def test_saving_and_loading_draw_the_line_at_the_same_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_by: int
) -> None:
    """Recorded: events of more letters than are read were saved, and the file was then refused."""
    text = "x" * 3_000
    run = replace(full_run(), events=(Event(0, "gc", "gc", {"said": text, "more": text}),))
    told = letters(run)
    path = save_run(run, tmp_path / "run.jsonl")
    places = {
        "MOST_LINE_BYTES": (writer, run_file, max(told)),
        "MOST_WORDS_BYTES": (writer, reader, sum(told[:3]) + told[-1]),
    }
    for name, (saving, loading, most) in places.items():
        with monkeypatch.context() as patched:
            patched.setattr(saving, name, most - short_by)
            patched.setattr(loading, name, most - short_by)
            if not short_by:
                assert load_run(save_run(run, path)) == run
                continue
            with pytest.raises(LabkitError, match=r"cannot be saved: .* letters"):
                save_run(run, tmp_path / "none.jsonl")
            refused(path)
    assert [each.name for each in tmp_path.iterdir()] == ["run.jsonl"]


def test_the_largest_run_of_the_bench_is_within_the_limits() -> None:
    """A million steps of a diagnosis, and numbers with all their digits."""
    assert limits.MOST_NUMBERS >= 1_000_000 * 65
    wide = steps([1 / 3], [-2.2250738585072014e-308])
    lines = run_to_lines(replace(full_run(), steps=wide, events=(), evidence={}))
    longest = max(max(map(len, line.strip("[]").split(", "))) for line in lines if line[0] == "[")
    assert longest + len(", ") <= limits.LONGEST_NUMBER
