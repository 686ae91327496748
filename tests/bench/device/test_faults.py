"""What a learner is told of a card that failed its check. Tier: make test."""

from __future__ import annotations

import pytest

from labkit.bench.device.faults import FAULTS, HERE, NO_GPU, reason
from labkit.record import State

# Said by TensorFlow, in reports to its project (numbers of its issues) or by CUDA itself.
SAID = {
    # 41401
    "cudaGetDevice() failed. Status: CUDA driver version is insufficient for CUDA runtime "
    "version": "driver is too old",
    # 36853
    "Ignoring visible gpu device (device: 0, name: GTX TITAN X, compute capability: 5.2) with Cuda "
    "compute capability 5.2. The minimum required Cuda capability is 6.0.": "card is too old",
    "'cuLaunchKernel' failed with 'CUDA_ERROR_NO_BINARY_FOR_GPU'": "card is too old",
    # 48558
    "CUDA runtime implicit initialization on GPU:0 failed. Status: all CUDA-capable devices are "
    "busy or unavailable": "held by another program",
    # 40920
    "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected": (
        "driver finds no card"
    ),
    "Cannot dlopen some GPU libraries.": "misses CUDA's libraries",
    NO_GPU: "TensorFlow finds no card",
}
FULL = "failed call to cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY: out of memory"  # 30594


def told(
    words: str, *, printed: str = "", holders: tuple[str, ...] = (), ours: bool = False
) -> str:
    state = State("failed", f"The loop raised InternalError: {words}")
    return reason(state, printed, 15.0, holders, ours)


@pytest.mark.parametrize(("said", "means"), SAID.items())
def test_what_tensorflow_says_becomes_one_sentence(said: str, means: str) -> None:
    for found in (told(said), told("", printed=said)):
        assert means in found and found.endswith(HERE)


def test_memory_that_others_hold_names_them() -> None:
    assert "taken by python3 (process 412)" in told(FULL, holders=("python3 (process 412)",))
    assert "taken by another program" in told(FULL)


def test_memory_that_this_kernel_holds_is_said_to_be_its_own() -> None:
    assert "by this notebook's own kernel" in told(FULL, holders=("x (process 1)",), ours=True)


@pytest.mark.parametrize("name", ["silent", "time_limit"])
def test_a_card_that_does_not_answer_is_told_with_the_time_it_had(name: str) -> None:
    state = State(name, "No step came within 15 s of the start.")  # type: ignore[arg-type]
    assert "did not answer within 15 s" in reason(state, "", 15.0, (), False)


def test_an_error_that_nobody_knows_is_quoted_and_cut() -> None:
    found = told("a new one " * 100)
    assert "a new one" in found and len(found) < 400


def test_a_kernel_with_tensorflow_is_no_reason_where_memory_is_not_short() -> None:
    assert "kernel" not in told("no kernel image is available", ours=True).replace(
        "kernel image", ""
    )


def test_every_fault_is_tried() -> None:
    found = {fault.sentence for fault in FAULTS for said in SAID if fault.sentence in told(said)}
    assert found == {fault.sentence for fault in FAULTS}
