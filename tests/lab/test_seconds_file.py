"""A file of step times: JSON or one number a line, and what is neither is told where and why.

Tier: make test.
"""

from __future__ import annotations

import pytest

from labkit.lab.seconds_file import read_seconds
from labkit.record import RunFileError

TIMES = [0.011, 0.012, 0.5]
LINES = "0.011\n0.012\n5e-1"


def assert_refused(text: str, *words: str) -> None:
    with pytest.raises(RunFileError) as caught:
        read_seconds(text, "my.csv")
    sentence = str(caught.value)
    assert "\n" not in sentence and sentence.endswith(".") and len(sentence) < 250, sentence
    for word in words:
        assert word in sentence, sentence


@pytest.mark.parametrize(
    "text",
    [
        "[0.011, 0.012, 0.5]",
        LINES,
        LINES.replace("\n", "\r\n"),
        "0.011 \n\t0.012\n  0.5",
        '"0.011"\n"0.012"\n"0.5"',
        f"seconds\n{LINES}",
        f"# seconds\n{LINES}",
        f'"step time (s)"\n{LINES}',
        f"step_seconds_2\n{LINES}",
        ".011\n+0.012\n0.5",
    ],
)
def test_seconds_are_read_from_json_and_from_lines(text: str) -> None:
    assert read_seconds(text, "my.csv") == TIMES


def test_a_first_line_that_is_a_number_is_no_header() -> None:
    assert read_seconds("1\n2", "my.csv") == [1.0, 2.0]
    assert str(read_seconds("nan\n1", "my.csv")[0]) == "nan"  # whether that is a time, is judged


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not json", ['line 1, "not json", is not a number']),
        ("0.1\nabc\n0.2", ['line 2, "abc", is not a number']),
        ("seconds", ['line 1, "seconds", is not a number']),
        ("seconds\nmore words\n0.1", ['line 2, "more words", is not a number']),
        ("0.1\n\n0.2", ["line 2 is empty"]),
        ("step,seconds\n0,0.1", ['line 1 has 2 columns: "step,seconds"']),
        ("0,011\n0,012", ['line 1 has 2 columns: "0,011"']),
        ("0 0.1\n1 0.2", ['line 1, "0 0.1", is not a number']),
        ("0.1 s\n0.2 s", ['line 1, "0.1 s", is not a number']),
        ("0.1\n1_0", ['line 2, "1_0", is not a number']),
        ("0.1\n0x10", ['line 2, "0x10", is not a number']),
        ("0.1\n" + "x" * 500, ["line 2", "...", "is not a number"]),
        ("[0.1, 0.2", ["begins like a JSON list but is not one from line 1 on"]),
        ("[0.1,\n0.2,\noops]", ["begins like a JSON list but is not one from line 3 on"]),
        ("[" * 200_000, ["begins like a JSON list but is not one"]),
        ("3.5", ["it holds 3.5"]),
        ("\x00\x01", ['line 1, "\\u0000\\u0001", is not a number']),
    ],
)
def test_what_is_no_series_is_one_sentence_that_says_what_is(text: str, words: list[str]) -> None:
    assert_refused(text, *words, "give a saved run, a JSON list", "or one number a line.")


@pytest.mark.parametrize("text", ["[0.1, 0.2", "oops", "0.1\noops", "[" * 200_000])
def test_no_word_of_the_parser_reaches_the_reader(text: str) -> None:
    with pytest.raises(RunFileError) as caught:
        read_seconds(text, "my.csv")
    for word in ("Expecting", "delimiter", "column ", "(char", "recursion", "could not convert"):
        assert word not in str(caught.value)


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("ms", "ms"),
        ("step_ms", "ms"),
        ("time [us]", "us"),
        ("Milliseconds", "milliseconds"),
        ("time (µs)", "µs"),
        ("elapsedMs", "ms"),
        ("steps_per_second", "steps_per_second"),
        ("fps", "fps"),
        ("it/s", "it/s"),
    ],
)
def test_a_header_that_names_another_unit_is_refused(header: str, unit: str) -> None:
    """The label would be right, and the sentence wrong by a factor of a thousand."""
    assert_refused(f"{header}\n11\n12", f"so its times are in {unit}; give them in seconds.")


@pytest.mark.parametrize(
    "header",
    [
        "terms",
        "seconds",
        "s",
        "minimum",
        "bonus",
        "forms_s",
        "secondsPerStep",
        "time (s)",
        "seconds per step",
        "s/step",
        "stepSeconds",
    ],
)
def test_a_header_that_only_sounds_like_a_unit_is_left_alone(header: str) -> None:
    assert read_seconds(f"{header}\n{LINES}", "my.csv") == TIMES
