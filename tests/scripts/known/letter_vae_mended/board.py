"""Curves for TensorBoard."""

import tensorflow.compat.v1 as tf


def scalars(**values):
    """Return a summary of named numbers."""
    return tf.Summary(
        value=[tf.Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
    )
