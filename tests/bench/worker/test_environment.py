"""Waiting for a device, and the record of machine and versions of every run. Tier: make test."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tensorflow as tf

from labkit.bench.bench import Bench
from labkit.bench.worker import environment
from labkit.bench.worker.environment import device_wait, gpu_name
from tests.running import FAULTY, ended


def described(build: dict[str, Any], device: str, card: str | None) -> dict[str, Any]:
    sysconfig = SimpleNamespace(get_build_info=lambda: build)
    tensorflow: Any = SimpleNamespace(__version__="2.21.0", sysconfig=sysconfig)
    return environment.describe(tensorflow, device, card, [])


def test_a_cpu_run_names_the_build_and_no_card(bench: Bench) -> None:
    facts = ended(bench.start(FAULTY, steps=2)).environment
    assert facts["tensorflow_build"] and facts["cores"] and facts["processor"]
    assert facts["gpu"] is None and facts["driver"] is None


def test_a_gpu_run_names_card_driver_and_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = tmp_path / "version"
    driver.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15\nGCC version\n")
    monkeypatch.setattr(environment, "NVIDIA_DRIVER", driver)
    build = {"is_cuda_build": True, "cuda_version": "12.5.1", "cudnn_version": "9"}
    facts = described(build, "gpu", "Tesla T4")
    assert facts["gpu"] == "Tesla T4" and "550.54.15" in str(facts["driver"])
    assert facts["tensorflow_build"] == "CUDA 12.5.1, cuDNN 9"


def test_a_driver_that_cannot_be_read_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "NVIDIA_DRIVER", tmp_path / "none")
    monkeypatch.setattr(environment, "driver_version", lambda: None)
    facts = described({"is_cuda_build": True}, "gpu", "Tesla T4")
    assert facts["driver"] is None and facts["tensorflow_build"] == "CUDA ?, cuDNN ?"


def test_where_the_drivers_file_is_hidden_nvml_tells_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "driver_version", lambda: "550.54.15")
    monkeypatch.setattr(environment, "NVIDIA_DRIVER", tmp_path / "none")
    assert described({}, "gpu", "Tesla T4")["driver"] == "NVIDIA driver 550.54.15"
    assert described({}, "cpu", None)["driver"] is None, "nobody asks for it"


def test_without_a_card_nobody_waits() -> None:
    if gpu_name() is not None:
        pytest.skip("there is a graphics card")
    assert device_wait(False) is None


def test_a_loop_of_tensorflow_1_is_not_asked_to_wait_in_graph_mode() -> None:
    """Else `sync_devices() must only be called in Eager mode` was raised into every such step."""
    wait = device_wait(True)
    assert wait is not None
    wait()
    with tf.Graph().as_default():
        with pytest.raises(RuntimeError, match="Eager"):
            tf.test.experimental.sync_devices()
        wait()
