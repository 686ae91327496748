"""Where a run computes that is left to choose, on a machine whose TensorFlow sees no card.

What a card that works makes of it is tested on the stand-in card. Tier: make test, in turn.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.device import choice, signs
from labkit.bench.device.answer import answer_of_card
from labkit.bench.device.choice import Device, DeviceChoice
from labkit.record import Run

pytestmark = [
    pytest.mark.skipif(signs.has_driver() or signs.has_plugin(), reason="a card is here"),
    pytest.mark.in_turn,
]


@pytest.fixture
def unchecked(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench that has not looked for a card yet, and forgets what it finds."""
    monkeypatch.setattr(bench, "devices", DeviceChoice(partial(answer_of_card, bench)))
    return bench


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver's file is there, and no card, as in a container that was given none."""
    file = tmp_path / "version"
    file.touch()
    monkeypatch.setattr(signs, "DRIVER_FILES", (file,))


def test_without_a_sign_of_a_card_nothing_is_started(unchecked: Bench) -> None:
    before = unchecked.sessions
    assert unchecked.devices.chosen() == Device("cpu")
    assert unchecked.sessions == before


@pytest.mark.usefixtures("driver")
def test_a_driver_without_a_card_is_told_once_and_costs_no_run(unchecked: Bench) -> None:
    before = unchecked.sessions
    first = unchecked.start("remedies", steps=3)
    second = unchecked.start("remedies", steps=3)
    assert first.wait(30) and second.wait(30)
    assert first.environment["device"] == second.environment["device"] == "cpu"
    found = unchecked.devices.chosen()
    assert found.name == "cpu" and "TensorFlow finds no card" in found.reason
    assert first.environment["no_gpu"] == found.reason
    # The check is none of the learner's runs.
    assert [each for each in unchecked.sessions if each not in before] == [first, second]


@pytest.mark.usefixtures("driver")
def test_what_was_found_is_kept_until_it_is_forgotten(unchecked: Bench) -> None:
    checks = []

    def check() -> Run:
        checks.append(1)
        return answer_of_card(unchecked)

    devices = DeviceChoice(check)
    assert devices.chosen() == devices.chosen() and len(checks) == 1
    devices.forget()
    devices.chosen()
    assert len(checks) == 2


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("value", ["", "-1"])
def test_a_card_that_a_variable_hides_is_not_asked(
    unchecked: Bench, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(signs.HIDING_VARIABLE, value)
    monkeypatch.setattr(unchecked, "start", None)
    found = unchecked.devices.chosen()
    assert found.name == "cpu" and f"CUDA_VISIBLE_DEVICES is {value!r}" in found.reason


def test_the_variable_alone_is_no_reason_to_say_anything(
    unchecked: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many set it on a machine without a card, so that TensorFlow does not complain."""
    monkeypatch.setenv(signs.HIDING_VARIABLE, "-1")
    assert unchecked.devices.chosen() == Device("cpu")


@pytest.mark.usefixtures("driver")
def test_the_processor_that_is_asked_for_needs_no_check(unchecked: Bench) -> None:
    session = unchecked.start("remedies", steps=3, device="cpu")
    assert session.wait(30)
    assert session.environment["no_gpu"] is None and unchecked.devices._found is None


def test_nvidias_tool_names_who_holds_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "nvidia-smi"
    command.write_text("#!/bin/sh\necho '412, /usr/bin/python3'\necho '7, [Not Found]'\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    assert choice._holders() == ["python3 (process 412)", "[Not Found] (process 7)"]


@pytest.mark.parametrize("script", ["exit 9", "echo 'No running processes found'"])
def test_a_tool_that_tells_nothing_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    command = tmp_path / "nvidia-smi"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    assert choice._holders() == []
