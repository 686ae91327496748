"""Waiting for a device: only where there is one, and in graph mode not at all. Tier: make test."""

from __future__ import annotations

import pytest
import tensorflow as tf

from labkit.bench.worker.device import device_wait, gpu_name


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
