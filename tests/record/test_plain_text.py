"""What comes out of a run is made plain text before anybody sees it. Tier: make test."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies

from labkit.record import ChoiceError, LabkitError, Run, RunFileError, State
from labkit.record.plain_text import one_line, plain_text, shortened, visible
from tests.record.example import COLUMNS, steps

OBEYED = {
    "colour": ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
    "link": ("\x1b]8;;http://x\x07y", r"\x1b]8;;http://x\x07y"),
    "clipboard": ("\x1b]52;c;eA==\x07", r"\x1b]52;c;eA==\x07"),
    "overwriting": ("good\rbad\x08", r"good\rbad\x08"),
    "one byte for two": ("\x9b31m", r"\x9b31m"),
    "turned round": ("a\u202etxt.exe", r"a\u202etxt.exe"),
    "isolated": ("\u2066a\u2069", r"\u2066a\u2069"),
    "another end of a line": ("a\u2028b\x0cc\x85d", r"a\u2028b\x0cc\x85d"),
    "half a character": ("a\ud800b", r"a\ud800b"),
    "no character": ("a\ufffeb\x00\x7f", r"a\ufffeb\x00\x7f"),
}
obeyed = pytest.mark.parametrize(("text", "shown"), OBEYED.values(), ids=OBEYED.keys())


@obeyed
def test_what_a_terminal_obeys_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert plain_text(text) == visible(text) == one_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a title",
        "café, 平ら 😀 مسطح",
        "Traceback:\n\tline 1\n\nline 2",
        r"C:\new\x1b",
        "e\u0301",
    ],
)
def test_what_is_written_to_be_read_stays(text: str) -> None:
    assert plain_text(text) == text


def test_the_end_of_a_line_on_windows_is_one() -> None:
    assert plain_text("a\r\nb") == "a\nb"


@given(strategies.text())
def test_plain_text_can_be_written_anywhere_and_is_not_changed_again(text: str) -> None:
    told = plain_text(text)
    kinds = {unicodedata.category(letter) for letter in told if letter not in "\n\t"}
    assert not kinds & {"Cc", "Cs"}
    assert told.encode().decode() == plain_text(told) == told


def test_a_title_of_several_lines_cannot_forge_one() -> None:
    assert one_line("a\nverdict:\tflat") == r"a\nverdict:\tflat"


def test_of_what_is_too_long_the_middle_is_left_out() -> None:
    told = one_line("a" * 5_000_000 + "end", 30)
    assert len(told) == 30 and told.startswith("aaa") and " ... " in told and told.endswith("end")
    assert len(one_line("\x1b" * 5_000_000)) == 400
    assert shortened("a" * 400) == one_line("a" * 400) == "a" * 400


def test_long_text_of_short_lines_stays_whole() -> None:
    text = "a line\n" * 2_000
    assert plain_text(text) == text
    assert len(plain_text(text + "x" * 5_000_000)) < 20_000


@pytest.mark.parametrize("kind", [LabkitError, RunFileError])
def test_a_sentence_that_quotes_what_a_terminal_obeys_shows_it(kind: type[LabkitError]) -> None:
    assert str(kind("\x1b[2J is no run;\n\tgive one.")) == "\\x1b[2J is no run;\n\tgive one."


def test_a_choice_is_quoted_as_it_was_given_and_in_short() -> None:
    error = ChoiceError("cause", "\x1b[2J", ["one", "tw\u202eo"])
    assert str(error) == r"There is no cause '\x1b[2J'; choose one of: one, tw\u202eo."
    assert error.value == "\x1b[2J" and error.choices == ("one", "tw\u202eo")
    assert len(str(ChoiceError("cause", "x" * 5_000_000, ["one"]))) < 500
    assert "did you mean 'one'" in str(ChoiceError("cause", "onne", ["one"]))


def test_a_run_that_a_cell_ends_with_is_one_line() -> None:
    run = Run("a\x1b[2J\n" * 1_000, "title", State("done"), COLUMNS, steps([0.1]))
    assert "\x1b" not in repr(run) and "\n" not in repr(run) and len(repr(run)) < 500
