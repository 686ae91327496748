"""The file of a saved run: what is saved comes back whole, and a bad file is told from a good one.

Tier: make test, in turn.
"""

from __future__ import annotations

import codecs
import gzip
import json
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from labkit.record import (
    LabkitError,
    Run,
    RunFileError,
    load_run,
    run_file_name,
    run_from_lines,
    run_to_lines,
    save_run,
)
from labkit.record.file import load_found, run_files
from tests.record.example import full_run, runs, steps

pytestmark = pytest.mark.in_turn


def saved_lines() -> list[str]:
    return list(run_to_lines(full_run()))


def assert_refused(lines: list[str], words: str) -> None:
    with pytest.raises(RunFileError) as caught:
        run_from_lines(lines, "kept.jsonl")
    sentence = str(caught.value)
    assert sentence.startswith("kept.jsonl")
    assert words in sentence
    assert "\n" not in sentence


def test_a_saved_run_comes_back_equal(tmp_path: Path) -> None:
    """With two workers, gaps, events, evidence, a traceback and odd characters."""
    assert load_run(save_run(full_run(), tmp_path / "run.jsonl")) == full_run()


@given(runs())
def test_any_run_comes_back_equal(run: Run) -> None:
    assert run_from_lines(run_to_lines(run)) == run


@given(runs())
def test_a_line_of_a_file_is_one_line_and_strict_json(run: Run) -> None:
    """A text with a line end of its own must not tear the file; ``NaN`` is no JSON elsewhere."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    text = "\n".join(run_to_lines(run))
    for line in text.splitlines():
        json.loads(line, parse_constant=refuse)


def test_a_run_is_compressed_where_its_name_says_so(tmp_path: Path) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl.gz")
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    assert load_run(path) == full_run()


def test_a_large_run_is_compressed_where_nobody_has_asked_for_a_name(tmp_path: Path) -> None:
    large = replace(full_run(), steps=steps([0.1] * 20_000))
    assert run_file_name("run", large) == "run.jsonl.gz"
    assert run_file_name("run", full_run()) == "run.jsonl"
    path = save_run(large, tmp_path / "run.jsonl")
    assert path.name == "run.jsonl", "another file may have the other name"
    assert load_run(path) == large


def test_a_small_run_stays_readable_text(tmp_path: Path) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl")
    assert path.name == "run.jsonl"
    assert path.read_text().startswith('{"labkit": "run"')


def test_a_run_in_progress_comes_back_as_one(tmp_path: Path) -> None:
    run = replace(full_run(), steps=steps([]), events=(), evidence={}, others=())
    assert load_run(save_run(run, tmp_path / "run.jsonl")) == run


def test_a_second_worker_without_a_step_comes_back(tmp_path: Path) -> None:
    run = replace(full_run(), others=(steps([]), steps([0.5]), steps([])))
    assert load_run(save_run(run, tmp_path / "run.jsonl")) == run


def test_a_file_in_place_of_the_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(LabkitError, match="could not be saved"):
        save_run(full_run(), tmp_path / "file" / "run.jsonl")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match=r"^none\.jsonl cannot be read \(No such file"):
        load_run(tmp_path / "none.jsonl")


PACKED = gzip.compress(bytes(range(256)))
BYTES = [
    b"\x89PNG\r\n\x1a\n\xff",
    b"\x1f\x8bhalf",
    PACKED[:20],
    PACKED[:20] + b"\xff" * 9 + PACKED[29:],
]


@pytest.mark.parametrize("content", BYTES, ids=["picture", "gz", "gz cut off", "gz overwritten"])
def test_a_file_of_bytes_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(RunFileError, match=r"^a\.jsonl cannot be read"):
        load_run(tmp_path / "a.jsonl")


def _first(line: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line, *lines[1:]]


def _nth(place: int, old: str, new: str) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        assert old in lines[place]
        lines[place] = lines[place].replace(old, new)
        return lines

    return change


# The lines of the full run: 0 format, 1 facts, 2-3 events, 4-6 steps, 7 second worker, 8 end.
DAMAGE = {
    "another program's file": (_first('{"app": "x"}'), "line 1, does not say"),
    "a list of seconds": (_first("[0.1, 0.2]"), "line 1, does not say"),
    "a newer format": (_first('{"labkit": "run", "version": 99}'), "install a newer labkit"),
    "a version that is none": (_first('{"labkit": "run", "version": "1"}'), "line 1, is damaged"),
    "a version that is true": (_first('{"labkit": "run", "version": true}'), "line 1, is damaged"),
    "a torn line": (lambda lines: [*lines[:5], lines[5][:9]], "line 6, is damaged"),
    "a lost step": (lambda lines: lines[:5] + lines[6:], "line 8, is damaged"),
    "a step with too few numbers": (_nth(4, ", 18.0", ""), "line 5, is damaged"),
    "facts that are a list": (lambda lines: [lines[0], "[]", *lines[2:]], "line 2, is damaged"),
    "an event after the last step": (_nth(3, '"step": 2', '"step": 4'), "line 4, is damaged"),
    "a line of another kind": (_nth(2, '"event"', '"envelope"'), "line 3, is damaged"),
    "a number too large": (_nth(4, "18.0", "9" * 400), "line 5, is damaged"),
    "lines after the end": (lambda lines: [*lines, lines[4]], "line 10, is damaged"),
    "the end cut off": (lambda lines: lines[:-1], "ends at line 8, before its end line"),
    "all but the first line cut off": (lambda lines: lines[:1], "ends at line 1"),
    "nothing at all": (lambda lines: [], "before its end line"),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "words"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_refused_with_the_line(
    damage: Callable[[list[str]], list[str]], words: str
) -> None:
    assert_refused(damage(saved_lines()), words)


def test_an_event_outside_the_run_is_told_with_the_steps_there_are() -> None:
    """A flip at step -5 would cut the run into stretches that overlap."""
    lines = _nth(2, '"step": 1', '"step": -5')(saved_lines())
    assert_refused(lines, "its event is at step -5, but the run has 3 steps, counted from 0; use")


def test_a_line_end_at_the_end_is_no_damage(tmp_path: Path) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_run(path) == full_run()


def test_what_an_editor_adds_is_no_damage(tmp_path: Path) -> None:
    path = save_run(full_run(), tmp_path / "run.jsonl")
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes() + b"\n\n")
    assert load_run(path) == full_run()


# As the first labkit wrote it: its loop raised a name that is no UTF-8, and it printed in colour.
FIRST_FORMAT = r"""
{"labkit": "run", "version": 1}
{"cause": "own_loop", "title": "your loop", "state": {"name": "failed", "reason": "The loop raised FileNotFoundError: caf\udce9", "traceback": ""}, "toggles": {}, "settings": {}, "environment": {"python": "3.11.7", "cores": 2, "gpu": null}, "evidence": {}, "columns": [], "names": ["start_seconds", "seconds"], "log": "\u001b[31mred\u001b[0m"}
{"event": {"step": 1, "kind": "gc", "text": "garbage collection", "detail": {"seconds": 0.01}}}
[0, 0.0, 0.5]
[0, 0.5, 0.25]
{"end": [2]}
""".strip()  # noqa: E501


def test_a_file_of_the_first_format_is_read() -> None:
    run = run_from_lines(FIRST_FORMAT.splitlines())
    assert list(run.steps.seconds) == [0.5, 0.25] and run.log == "\x1b[31mred\x1b[0m"
    assert run.state.reason.endswith(r"caf\udce9") and run.environment["cores"] == 2
    assert run.state.error == ""


pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pipes
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """Recorded: a report of such a folder never came."""
    os.mkfifo(tmp_path / "a\x07.jsonl")
    save_run(full_run(), tmp_path / "b.jsonl")
    pipe, run = run_files(tmp_path)
    released = threading.Timer(5, pipe.write_text, ("no run",))  # so that a failure comes to an end
    released.daemon = True
    released.start()
    with pytest.raises(RunFileError, match=r"^a\\x07.jsonl is a pipe or a device; put a saved run"):
        load_found(pipe, tmp_path)
    released.cancel()
    assert load_found(run, tmp_path) == full_run()


@pipes
def test_a_pipe_that_was_named_is_read(tmp_path: Path) -> None:
    text = save_run(full_run(), tmp_path / "run.jsonl").read_text()
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert [load_found(file, str(pipe)) for file in run_files(str(pipe))] == [full_run()]
    writer.join()
