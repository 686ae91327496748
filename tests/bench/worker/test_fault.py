"""What a learner is told of an error. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.bench.worker.fault import fault
from labkit.cause import Explanation
from labkit.record import LabkitError


class ResourceExhaustedError(Exception):
    """Named like TensorFlow's."""


def test_the_first_line_of_an_error_is_told() -> None:
    assert fault(ValueError("too large\nmore")).reason == "The loop raised ValueError: too large"


def test_of_an_error_within_a_tf_function_the_last_line_is_told() -> None:
    told = 'in user code:\n\n    File "loop.py", line 3, in step\n\n    ValueError: no such name\n'
    assert fault(ValueError(told)).reason == "The loop raised ValueError: no such name"


@pytest.mark.parametrize("told", ["AttributeError", "AttributeError:", "AttributeError: "])
def test_an_error_that_says_only_its_name_is_named_once(told: str) -> None:
    within = f'in user code:\n\n    File "loop.py", line 3, in step\n\n    {told}\n'
    for error in (AttributeError(told), AttributeError(within)):
        assert fault(error).reason == "The loop raised AttributeError"


def test_an_error_that_speaks_of_another_one_keeps_its_words() -> None:
    assert fault(ValueError("KeyError: 'a'")).reason == "The loop raised ValueError: KeyError: 'a'"


def test_an_error_that_carries_its_data_along_is_cut() -> None:
    state = fault(ValueError("wrong: " + "9" * 5_000_000))
    assert (
        state.reason.startswith("The loop raised ValueError: wrong: 99") and "..." in state.reason
    )
    assert len(state.reason) < 1_000 and "..." in state.reason and len(state.traceback) < 50_000


def test_an_error_whose_own_text_fails_is_named() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert (fault(Odd()).reason, fault(Odd()).error) == ("The loop raised Odd", "Odd")


def test_an_error_without_words_has_its_name() -> None:
    ended = fault(KeyboardInterrupt())
    assert (ended.reason, ended.error) == (
        "The loop raised KeyboardInterrupt", "KeyboardInterrupt",
    )  # fmt: skip


def test_a_full_disk_is_told_from_a_full_memory_though_tensorflow_names_them_alike() -> None:
    disk = fault(ResourceExhaustedError("x; No space left on device")).reason
    memory = fault(ResourceExhaustedError("OOM when allocating")).reason
    assert "The disk is full" in disk and "disk" not in memory


def test_what_the_cause_says_comes_before_what_is_said_of_any_loop() -> None:
    own = Explanation("MemoryError", "", "That was the lesson.")
    assert fault(MemoryError("full"), [own]).reason.endswith("full. That was the lesson.")


@pytest.mark.parametrize("error", [ModuleNotFoundError("x", name="tensorflow"), LabkitError("No.")])
def test_what_is_no_fault_of_the_loop_has_neither_class_nor_traceback(error: Exception) -> None:
    assert (fault(error).error, fault(error).traceback) == ("", "")
