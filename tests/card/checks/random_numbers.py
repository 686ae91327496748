"""Random numbers, which are the processor's for the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.card.checks.comparing import card


def of_a_seed() -> None:
    def drawn(device: str) -> list[Any]:
        with tf.device(device):
            return [
                function(shape, seed)
                for function in (tf.random.stateless_uniform, tf.random.stateless_normal)
                for shape in ((), (0,), (3,), (101, 7))
                for seed in ((1, 2), (-5, 1 << 40))
            ]

    # A seed becomes a key on the host, even for a card.
    for there, here in zip(drawn("/GPU:0"), drawn("/CPU:0"), strict=True):
        assert there.device.endswith("GPU:0"), there.device
        np.testing.assert_allclose(there.numpy(), here.numpy(), rtol=1e-5, atol=1e-6)


def of_a_state() -> None:
    def drawn(device: str, seed: int) -> list[Any]:
        with tf.device(device):
            normal, uniform = tf.raw_ops.RandomStandardNormal, tf.raw_ops.RandomUniform
            return [
                op(shape=[1001], dtype=tf.float32, seed=seed)
                for op in (normal, uniform)
                for _ in range(2)  # the second goes on where the first ended
            ]

    for there, here in zip(drawn("/GPU:0", 7), drawn("/CPU:0", 7), strict=True):
        assert there.device.endswith("GPU:0"), there.device
        np.testing.assert_allclose(there.numpy(), here.numpy(), rtol=1e-5, atol=1e-6)
    with card():
        x, y = (tf.raw_ops.RandomStandardNormal(shape=[10000], dtype=tf.float32) for _ in range(2))
    assert np.any(x.numpy() != y.numpy())
    assert abs(x.numpy().mean()) < 0.1 and abs(x.numpy().std() - 1) < 0.1
