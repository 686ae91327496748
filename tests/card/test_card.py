"""The stand-in card computes, waits, refuses and breaks as the other tests need it; first tier."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.card import build
from tests.card.forking import Checks

pytestmark = pytest.mark.in_turn

VALUES = (
    "arithmetic:unary", "arithmetic:tests_of_numbers", "arithmetic:binary", "arithmetic:logical",
    "arithmetic:gradients", "arithmetic:casts", "arithmetic:halves",
    "arrays:reductions", "arrays:other_reductions", "arrays:matrices", "arrays:layouts",
    "arrays:slices", "arrays:slice_gradients", "arrays:selections",
    "network:layers", "network:losses", "network:variables", "network:rows_of_variables",
    "random_numbers:of_a_seed", "random_numbers:of_a_state",
)  # fmt: skip


@pytest.mark.parametrize("check", VALUES)
def test_values_are_numpys(card: Checks, check: str) -> None:
    assert card.fault(check) == ""


@pytest.mark.parametrize("check", ["network:a_variable_in_a_queue", "behaviour:without_delay"])
def test_what_is_queued_keeps_its_order(card: Checks, check: str) -> None:
    assert card.fault(check) == ""
    assert card.fault(check, kernel_us=1000) == ""


def test_a_loop_of_a_graph_has_its_numbers(card: Checks) -> None:
    assert card.fault("network:loops", kernel_us=1000) == ""


def test_a_keras_model_learns_as_on_the_processor(card: Checks) -> None:
    assert card.fault("network:training") == ""


@pytest.mark.parametrize("check", ["synchronized", "copied", "in_a_function"])
def test_who_does_not_wait_for_the_card_does_not_see_its_time(card: Checks, check: str) -> None:
    assert card.fault(f"behaviour:{check}", kernel_us=20_000) == ""


def test_it_has_a_name_and_may_grow(card: Checks) -> None:
    assert card.fault("behaviour:details") == ""


def test_memory_in_use_rises_and_falls(card: Checks) -> None:
    assert card.fault("behaviour:memory") == ""


def test_a_card_may_be_small(card: Checks) -> None:
    ended = card.run("behaviour:no_card_left_behind", memory_mb=320)
    size = re.search(r"device:GPU:0 with (\d+) MB memory", ended.output)
    assert ended.status == 0 and size is not None, ended
    assert 0 < int(size[1]) < 320, "TensorFlow leaves some of it alone"


def test_memory_that_is_refused_runs_out(card: Checks) -> None:
    assert card.fault("behaviour:memory_runs_out", refused_beyond_bytes=64 << 20) == ""


def test_there_can_be_two_cards(card: Checks) -> None:
    assert card.fault("behaviour:two_cards", cards=2) == ""


def test_a_lost_card_is_an_error(card: Checks) -> None:
    assert card.fault("behaviour:lost", lost_after=20) == ""


def test_a_broken_card_ends_the_process(card: Checks) -> None:
    ended = card.run("behaviour:many_kernels", aborts_after=20)
    assert ended.status == -6, ended


def test_a_card_can_stand_still(card: Checks) -> None:
    ended = card.run("behaviour:many_kernels", seconds=3, hangs_after=20)
    assert ended.status is None and "all queued" in ended.output, ended


def test_the_first_op_can_hang(card: Checks) -> None:
    ended = card.run("behaviour:many_kernels", seconds=3, first_op_hangs=True)
    assert ended.status is None and "all queued" not in ended.output, ended


@pytest.mark.parametrize(
    ("unusable", "words"),
    [("no_device", "CUDA_ERROR_NO_DEVICE"), ("old_driver", "CUDA driver version is insufficient")],
)
def test_a_card_can_be_unusable(card: Checks, unusable: str, words: str) -> None:
    ended = card.run("behaviour:unusable", unusable=unusable)
    assert words in ended.output, ended


def test_forks_of_one_process_have_cards_of_their_own(card: Checks) -> None:
    assert card.fault("behaviour:no_card_left_behind") == ""
    assert card.fault("behaviour:no_card_left_behind") == ""


def test_every_option_can_be_asked_for() -> None:
    said = (build.SOURCES / "options.h").read_text()
    asked = build.card_environment(
        cards=1, memory_mb=1, kernel_us=1, refused_beyond_bytes=1, lost_after=1, aborts_after=1,
        hangs_after=1, first_op_hangs=True, unusable="no_device",
    )  # fmt: skip
    assert set(re.findall(r'"(STAND_IN_CARD_\w+)"', said)) == asked.keys() - {
        "TF_PLUGGABLE_DEVICE_LIBRARY_PATH"
    }


def test_without_a_compiler_it_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(build.CannotBuild, match="apt-get install g"):
        build.library(tmp_path / "cache")
