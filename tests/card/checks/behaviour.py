"""Queues, memory, several cards, and what goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.card.checks.comparing import card

KERNELS = 10


def _seconds(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _started(x: Any) -> Any:
    for _ in range(KERNELS):
        x = tf.square(x)
    return x


def _waits(ends: Callable[[Any], Any]) -> None:
    with card():
        x = tf.ones([8])
        ends(_started(x))  # what is slow the first time is not part of it
        results: list[Any] = []
        queued = _seconds(lambda: results.append(_started(x)))
        waited = queued + _seconds(lambda: ends(results[0]))
        assert queued < waited / 4, f"queued in {queued} s, done after {waited} s"
        again = _seconds(lambda: ends(results[0]))
        assert again < waited / 4, f"nothing was left, and it took {again} s of {waited} s"


def synchronized() -> None:
    """To queue kernels takes no time, to wait for the device takes all of it."""
    _waits(lambda result: tf.test.experimental.sync_devices())


def copied() -> None:
    """To copy a result to the host takes all of it as well."""
    _waits(lambda result: result.numpy())


def in_a_function() -> None:
    """The same holds for a graph."""
    with card():
        function = tf.function(_started)
        x = tf.ones([8])
        function(x).numpy()
        results: list[Any] = []
        queued = _seconds(lambda: results.append(function(x)))
        waited = queued + _seconds(lambda: results[0].numpy())
        assert queued < waited / 4, f"queued in {queued} s, done after {waited} s"


def without_delay() -> None:
    """Copies in both directions keep their numbers, however quickly one follows the other."""
    with card():
        for step in range(50):
            array = np.full([1000], step, np.float32)
            doubled = tf.constant(array) * 2
            array[:] = -1
            assert np.all(doubled.numpy() == 2 * step), step


def details() -> None:
    devices = tf.config.list_physical_devices("GPU")
    assert len(devices) == 1
    assert tf.config.experimental.get_device_details(devices[0])["device_name"] == "STAND_IN_CARD"
    tf.config.experimental.set_memory_growth(devices[0], True)
    with card():
        assert tf.zeros([3]).device.endswith("GPU:0")


def memory() -> None:
    """What TensorFlow's allocator has given out rises and falls with the tensors."""

    def in_use() -> int:
        return int(tf.config.experimental.get_memory_info("GPU:0")["current"])

    with card():
        tf.test.experimental.sync_devices()
        before = in_use()
        held = tf.zeros([1 << 20])
        assert 4 << 20 <= in_use() - before < 5 << 20
        more = held + 1
        assert 8 << 20 <= in_use() - before < 9 << 20
        del held, more
        assert in_use() - before < 1 << 20
        assert tf.config.experimental.get_memory_info("GPU:0")["peak"] >= 8 << 20


def memory_runs_out() -> None:
    """As on a real card, and what is freed can be had again."""
    with card():
        held = []
        try:
            for _ in range(1000):
                held.append(tf.zeros([1 << 20]))
        except tf.errors.ResourceExhaustedError as error:
            assert "OOM" in str(error) or "failed to allocate" in str(error), error
        else:
            raise AssertionError("there was no end of it")
        assert 4 <= len(held) < 64, len(held)
        held.clear()
        assert tf.zeros([1 << 20]).numpy().sum() == 0


def two_cards() -> None:
    from tensorflow.python.eager import context

    # The cards were counted when TensorFlow was imported, before this process was forked.
    context.context().reinitialize_physical_devices()
    assert len(tf.config.list_physical_devices("GPU")) == 2
    tf.config.set_soft_device_placement(False)
    with tf.device("/GPU:1"):
        there = tf.square(tf.constant([3.0, 4.0]))
    assert there.device.endswith("GPU:1")
    with tf.device("/GPU:0"):
        here = tf.square(tf.identity(there))
    assert here.device.endswith("GPU:0")
    assert here.numpy().tolist() == [81, 256]


def _error_of(call: Callable[[], Any]) -> str:
    try:
        call()
    except (tf.errors.OpError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("nothing was wrong")


def lost() -> None:
    with card():
        x = tf.ones([4])
        for _ in range(100):
            try:
                x = tf.square(x)
            except tf.errors.InternalError as error:
                assert "the card is lost" in str(error), error
                break
        else:
            raise AssertionError("it was never lost")
        assert "the card is lost" in _error_of(lambda: tf.square(x))
        assert "the card is lost" in _error_of(tf.test.experimental.sync_devices)


def many_kernels() -> None:
    """Goes on and on, to be disturbed."""
    with card():
        x = tf.ones([4])
        for _ in range(200):
            x = tf.square(x)
        print("all queued", flush=True)
        x.numpy()


def unusable() -> None:
    print(_error_of(lambda: tf.zeros([3])))


def no_card_left_behind() -> None:
    """A card that is made in a fork is the fork's own."""
    with card():
        assert tf.reduce_sum(tf.ones([5]) * 2).numpy() == 10
