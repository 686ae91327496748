"""``labkit verdict``: many files in one call, and a bad one spoils nothing but itself.

Tier: make test.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from labkit.cli.program import carry_out
from labkit.record import Event, Run, State, Steps, load_run, save_run
from tests.cli.test_run import labkit

FLAT = [0.01 + 1e-5 * (n % 7) for n in range(200)]
RAMP = [0.01 + 1e-4 * n + 1e-5 * (n % 7) for n in range(200)]
FIELDS = ["file", "label", "growth", "low", "high", "detail"]


def saved(path: Path, seconds: list[float]) -> Path:
    starts = [float(place) for place in range(len(seconds))]
    steps = Steps({"start_seconds": starts, "seconds": seconds})
    return save_run(Run("mine", "My loop", State("done"), (), steps), path)


def verdicts(*files: Path, status: int = 0) -> list[dict[str, Any]]:
    done = labkit("verdict", *map(str, files), "--json", status=status)
    said = json.loads(done.stdout, parse_constant=pytest.fail)  # NaN is no JSON
    assert list(said) == ["verdicts"]
    assert [one["file"] for one in said["verdicts"]] == [str(file) for file in files]
    return list(said["verdicts"])


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_runs_and_lists_plain_and_compressed_are_judged_in_the_order_given(tmp_path: Path) -> None:
    ramp = json.dumps(RAMP)
    said = verdicts(
        saved(tmp_path / "run.jsonl", RAMP),
        saved(tmp_path / "flat.jsonl.gz", FLAT),
        written(tmp_path / "list.json", ramp),
        written(tmp_path / "list.json.gz", gzip.compress(ramp.encode())),
        written(tmp_path / "marked.json", b"\xef\xbb\xbf" + ramp.encode()),
        written(tmp_path / "no_ending", json.dumps(FLAT).replace(", ", ",\r\n")),
        written(tmp_path / "numbers.txt", "".join(f"{seconds}\n" for seconds in RAMP)),
        written(tmp_path / "column.csv", "\r\n".join(["seconds", *map(str, FLAT), ""])),
        written(tmp_path / "column.csv.gz", gzip.compress("\n".join(map(str, RAMP)).encode())),
    )
    assert [one["label"] for one in said] == [
        "slowdown", "flat", "slowdown", "slowdown", "slowdown", "flat", "slowdown", "flat",
        "slowdown",
    ]  # fmt: skip
    for one in said:
        assert list(one)[: len(FIELDS)] == FIELDS
        assert one["low"] <= one["growth"] <= one["high"]
        assert one["detail"] and "error" not in one


def test_a_list_is_judged_like_the_run_it_is_of(tmp_path: Path) -> None:
    run, plain, lines = verdicts(
        saved(tmp_path / "run.jsonl", RAMP),
        written(tmp_path / "list.json", json.dumps(RAMP)),
        written(tmp_path / "list.csv", "\n".join(["seconds", *map(str, RAMP)])),
    )
    assert {**run, "file": ""} == {**plain, "file": ""} == {**lines, "file": ""}


def test_whole_numbers_of_seconds_are_times(tmp_path: Path) -> None:
    (one,) = verdicts(written(tmp_path / "whole.json", json.dumps([1, 2] * 20)))
    assert one["label"] == "flat"


@pytest.mark.parametrize("steps", [1, 12, 29])
def test_too_few_steps_are_a_label_and_no_error(tmp_path: Path, steps: int) -> None:
    (one,) = verdicts(saved(tmp_path / "short.jsonl", [0.1] * steps))
    assert one["label"] == "too_short" and "error" not in one
    assert one["growth"] is one["low"] is one["high"] is None
    assert "run more steps" in one["detail"]


def test_a_run_without_a_step_is_an_error_like_an_empty_list(tmp_path: Path) -> None:
    """Recorded: status 0, and so a script took a loop that had failed at once for judged."""
    none, flat = verdicts(
        saved(tmp_path / "none.jsonl", []), saved(tmp_path / "flat.jsonl", FLAT), status=1
    )
    assert list(none) == [*FIELDS, "error"] and none["label"] is None
    assert_one_sentence(none["error"], "none.jsonl holds no step times", "run the loop again")
    assert flat["label"] == "flat"


NO_SERIES = "is neither a saved run nor a list of seconds"
NO_TIME = "but a step takes a finite time above zero; leave that step out or time it again."
NO_NUMBER = "is not a number of seconds; give the seconds of each step as numbers above zero."
BAD: dict[str, tuple[str | bytes, list[str]]] = {
    "text": ("not json", [NO_SERIES, "give a saved run, a JSON list", "one number a line"]),
    "empty": ("", [NO_SERIES, "it is empty"]),
    "blank": (" \n", [NO_SERIES, "it is empty"]),
    "compressed nothing": (gzip.compress(b""), [NO_SERIES, "it is empty"]),
    "garbage": (bytes(range(128, 256)), [NO_SERIES, "byte 0 is not UTF-8 text"]),
    "compressed garbage": (b"\x1f\x8b" + bytes(range(256)), ["cannot be read", "give a file"]),
    "torn compressed": (gzip.compress(json.dumps(FLAT).encode())[:40], ["cannot be read"]),
    "bottomless": ("[" * 200_000, [NO_SERIES]),
    "a number": ("3.5", [NO_SERIES, "it holds 3.5"]),
    "null": ("null", [NO_SERIES, "it holds null"]),
    "a string": ('"0.1 0.2"', [NO_SERIES, 'it holds "0.1 0.2"']),
    "some object": ('{"seconds": [0.1]}', ["line 1", "does not say that this is a labkit run"]),
    "torn list": ("[0.1, 0.2", [NO_SERIES, "begins like a JSON list"]),
    "two columns": ("step,seconds\n0,0.1\n", [NO_SERIES, "line 1 has 2 columns"]),
    "a word among numbers": ("0.1\nslow\n", [NO_SERIES, 'line 2, "slow", is not a number']),
    "milliseconds": ("step_ms\n11\n12\n", ["are in ms; give them in seconds"]),
    "a time of zero": ("0.1\n0\n", ["The time of step 1 is 0.0 s", NO_TIME]),
    "a time that is none": ("seconds\n0.1\nnan\n", ["The time of step 1 is nan s", NO_TIME]),
    "empty list": ("[]", ["There are no step times (0 steps)"]),
    "nan": ("[0.1, NaN]", ["The time of step 1 is nan s", NO_TIME]),
    "infinity": ("[0.1, Infinity]", ["The time of step 1 is inf s", NO_TIME]),
    "overflow": ("[0.1, 1e999]", ["The time of step 1 is inf s", NO_TIME]),
    "huge": ("[0.1, 1" + "0" * 400 + "]", ["The time of step 1 is inf s", NO_TIME]),
    "very huge": ("[0.1, 1" + "0" * 5000 + "]", ["The time of step 1 is inf s", NO_TIME]),
    "negative": ("[0.1, -0.1]", ["The time of step 1 is -0.1 s", NO_TIME]),
    "zero": ("[0, 0.1]", ["The time of step 0 is 0.0 s", NO_TIME]),
    "numbers as strings": ('["0.1", "0.2"]', ['The time of step 0, "0.1",', NO_NUMBER]),
    "one string": ('[0.1, "0.2"]', ['The time of step 1, "0.2",', NO_NUMBER]),
    "booleans": ("[true, false]", ["The time of step 0, true,", NO_NUMBER]),
    "one boolean": ("[0.1, true]", ["The time of step 1, true,", NO_NUMBER]),
    "one null": ("[0.1, null]", ["The time of step 1, null,", NO_NUMBER]),
    "nested": ("[[0.1, 0.2], [0.3, 0.4]]", ["The time of step 0, [0.1, 0.2],", NO_NUMBER]),
    "objects": ('[{"a": "b"}]', ['The time of step 0, {"a": "b"},', NO_NUMBER]),
    "long value": (json.dumps([[0.1] * 5000]), ["The time of step 0, [0.1,", "...", NO_NUMBER]),
}


def test_a_bad_file_is_one_sentence_and_the_others_are_judged(tmp_path: Path) -> None:
    """All in one call: the good one comes last."""
    files = [written(tmp_path / name, content) for name, (content, _) in BAD.items()]
    flat = saved(tmp_path / "flat.jsonl", FLAT)
    *bad, good = verdicts(*files, flat, status=1)
    assert good["label"] == "flat" and "error" not in good
    for name, one in zip(BAD, bad, strict=True):
        assert list(one) == [*FIELDS, "error"], name
        assert one["label"] is one["growth"] is one["low"] is one["high"] is None, name
        assert one["detail"] == "", name
        assert_one_sentence(one["error"], *BAD[name][1])


def assert_one_sentence(error: str, *words: str) -> None:
    assert "\n" not in error and error.endswith(".") and "; " in error, error
    assert len(error) < 250, error
    for word in words:
        assert word in error


def test_a_file_that_cannot_be_judged_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen: "v3.jsonl: v3.jsonl, line 1, does not say ..."."""
    for name, content in (("text.csv", "not json"), ("run.jsonl", "{}"), ("a.json", "[0.1, NaN]")):
        file = written(tmp_path / name, content)
        assert carry_out(["verdict", str(file)]) == 1
        said = capsys.readouterr().out
        assert said.startswith(str(file)) and said.count(name) == 1


def test_what_is_no_readable_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    locked = written(tmp_path / "locked.json", json.dumps(FLAT))
    locked.chmod(0)
    unreadable = [tmp_path, tmp_path / "missing.json", Path("/dev/zero")]
    reasons = ["Is a directory", "No such file or directory", "it is a device"]
    if not os.access(locked, os.R_OK):  # nothing is locked for root
        unreadable.append(locked)
        reasons.append("Permission denied")
    for one, reason in zip(verdicts(*unreadable, status=1), reasons, strict=True):
        assert_one_sentence(one["error"], f"cannot be read ({reason})", "give a file")


def test_a_recorded_time_that_is_none_is_named(tmp_path: Path) -> None:
    lines = saved(tmp_path / "run.jsonl", FLAT).read_text().splitlines()
    for seconds in ("null", "-1.0", "0"):
        lines[52] = f"[0, 50.0, {seconds}]"
        (one,) = verdicts(written(tmp_path / "run.jsonl", "\n".join(lines)), status=1)
        assert_one_sentence(one["error"], "run.jsonl, line 53, is damaged: its seconds is")


def test_what_unpacks_to_gigabytes_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    times = written(tmp_path / "times.gz", gzip.compress(b"0.1\n" * 2_500_000) * 300)
    bomb = written(tmp_path / "run.gz", gzip.compress(b"{" + b" " * 10_000_000) * 300)
    first, second = verdicts(times, bomb, status=1)
    assert_one_sentence(first["error"], "times.gz is neither", "more than 100,000,000 bytes")
    assert_one_sentence(second["error"], "run.gz, line 1, has more than 20,000,000 bytes")


def test_a_damaged_run_is_an_error_whatever_the_damage(tmp_path: Path) -> None:
    lines = saved(tmp_path / "whole.jsonl", FLAT).read_text().splitlines()
    facts = json.loads(lines[1])
    damaged = {
        "torn": lines[:20],
        "newer": ['{"labkit": "run", "version": 99}', *lines[1:]],
        "toggles": [lines[0], json.dumps({**facts, "toggles": 3}), *lines[2:]],
        "no facts": [lines[0], "3", *lines[2:]],
        "a word": [*lines[:5], '[0, "a", "b"]', *lines[6:]],
    }
    files = [written(tmp_path / name, "\n".join(text)) for name, text in damaged.items()]
    for one in verdicts(*files, status=1):
        assert one["label"] is None
        assert_one_sentence(one["error"])


def test_a_run_with_a_flip_gives_the_verdict_that_speaks_for_it(tmp_path: Path) -> None:
    """Judged as one loop it would be unsteady, or a speedup."""
    run = load_run(saved(tmp_path / "run.jsonl", RAMP + FLAT))
    flip = Event(len(RAMP), "toggle", "grow off", {"name": "grow", "value": False})
    flipped = replace(run, toggles={"grow": True}, events=(flip,))
    (one,) = verdicts(save_run(flipped, tmp_path / "flipped.jsonl"))
    assert one["label"] == "slowdown"
    assert one["growth"] == pytest.approx(2.0, rel=0.1)


def test_absurd_times_leave_the_answer_json(tmp_path: Path) -> None:
    absurd = written(tmp_path / "absurd.json", json.dumps([1e-300] * 40 + [1e300] * 40))
    done = labkit("verdict", str(absurd), "--json", status=1)
    (one,) = json.loads(done.stdout, parse_constant=pytest.fail)["verdicts"]
    assert_one_sentence(one["error"])


def test_in_words_each_file_is_a_line_and_nothing_goes_to_standard_error(tmp_path: Path) -> None:
    flat = saved(tmp_path / "flat.jsonl", FLAT)
    words = written(tmp_path / "words.json", '["a"]')
    done = labkit("verdict", str(words), str(flat), status=1)
    first, second = done.stdout.splitlines()
    assert first.startswith(f'{words}: The time of step 0, "a", is not a number')
    assert second.startswith(f"{flat}: flat: 10.0 ms per step")
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(json.dumps(FLAT),))
    writer.start()
    (one,) = verdicts(pipe)
    writer.join()
    assert one["label"] == "flat"


def test_tensorflow_is_not_needed(tmp_path: Path) -> None:
    """Judging is for a terminal anywhere; an import of TensorFlow alone would take seconds."""
    file = written(tmp_path / "list.json", json.dumps(FLAT))
    program = (
        "import sys; from labkit.cli.program import program; "
        f"program.main(['verdict', {str(file)!r}], standalone_mode=False); "
        "print('tensorflow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("False\n"), done.stderr
