"""The device a loop computes on: its name, and how to wait for it."""

from __future__ import annotations

from collections.abc import Callable


def gpu_name() -> str | None:
    """Return the name of the first graphics card that TensorFlow sees, None where it sees none."""
    import tensorflow as tf

    cards = tf.config.list_physical_devices("GPU")
    if not cards:
        return None
    return str(tf.config.experimental.get_device_details(cards[0]).get("device_name", "GPU"))


def device_wait(uses_gpu: bool) -> Callable[[], object] | None:
    """Return what waits until a step's work is done; None where every step waits by itself.

    Args:
        uses_gpu: A graphics card works on by itself: a step would be timed at its launch.
    """
    if not uses_gpu:
        return None
    import tensorflow as tf

    def wait() -> None:
        # Refused in graph mode, where a session's run has waited already.
        if tf.executing_eagerly():
            tf.test.experimental.sync_devices()

    return wait
