"""What a learner is told of an error. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.bench.worker.fault import CARD_LOST, fault
from labkit.cause import Explanation
from labkit.record import LabkitError


class ResourceExhaustedError(Exception):
    """Named like TensorFlow's."""


WITHIN = 'in user code:\n\n    File "loop.py", line 3, in step\n\n    '
REASONS = {
    "the first line": (ValueError("too large\nmore"), "ValueError: too large"),
    "the last line of what a tf.function says": (
        ValueError(f"{WITHIN}ValueError: no such name\n"),
        "ValueError: no such name",
    ),
    "no more than its name": (AttributeError("AttributeError"), "AttributeError"),
    "its name and a colon": (AttributeError("AttributeError: "), "AttributeError"),
    "its name within a tf.function": (
        AttributeError(f"{WITHIN}AttributeError:\n"),
        "AttributeError",
    ),
    "another error's name": (ValueError("KeyError: 'a'"), "ValueError: KeyError: 'a'"),
    "no words": (KeyboardInterrupt(), "KeyboardInterrupt"),
}


@pytest.mark.parametrize("says", REASONS)
def test_of_an_error_its_name_is_told_once_and_what_it_says_in_one_line(says: str) -> None:
    error, reason = REASONS[says]
    state = fault(error)
    assert (state.reason, state.error) == (f"The loop raised {reason}", type(error).__name__)


def test_an_error_that_carries_its_data_along_is_cut() -> None:
    state = fault(ValueError("wrong: " + "9" * 5_000_000))
    assert state.reason.startswith("The loop raised ValueError: wrong: 99")
    assert len(state.reason) < 1_000 and "..." in state.reason and len(state.traceback) < 50_000


def test_an_error_whose_own_text_fails_is_named() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert (fault(Odd()).reason, fault(Odd()).error) == ("The loop raised Odd", "Odd")


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


def test_where_within_tensorflow_an_error_was_raised_is_left_to_the_traceback() -> None:
    class InternalError(Exception):
        pass

    said = (
        "{{function_node __wrapped__RealDiv_device_/job:localhost/replica:0/task:0/device:GPU:0}} "
        "CUDA_ERROR_DEVICE_UNAVAILABLE: the card is lost [Op:RealDiv] name:"
    )
    state = fault(InternalError(said))
    said_plainly = "CUDA_ERROR_DEVICE_UNAVAILABLE: the card is lost"
    assert state.reason == f"The loop raised InternalError: {said_plainly}. {CARD_LOST}"
    assert "__wrapped__RealDiv" in state.traceback
    assert fault(ValueError("[3, 4] {x}")).reason == "The loop raised ValueError: [3, 4] {x}"


def test_only_the_system_s_refusal_is_about_a_folder() -> None:
    assert "The folder may not" in fault(PermissionError(13, "Permission denied", "a.csv")).reason
    assert fault(PermissionError("sealed")).reason == "The loop raised PermissionError: sealed"
