"""Layers and losses, variables, and a model that learns the same as on the processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.card.checks.comparing import FLOATS, NUMBERS, card, drawn, each, numbers_of, raw, same


def _log_softmax(x: Any) -> Any:
    return x - np.log(np.sum(np.exp(x), -1, keepdims=True))


def layers() -> None:
    def check(dtype: Any) -> None:
        for shape in ((3, 4), (2, 3, 4), (0, 4)):
            x, bias = drawn(shape, dtype), drawn((4,), dtype)
            same(raw("BiasAdd", value=x, bias=bias), numbers_of(x) + numbers_of(bias), "BiasAdd")
            back = raw("BiasAddGrad", out_backprop=x)
            sums = numbers_of(x).sum(tuple(range(len(shape) - 1)))
            same(back, sums, "BiasAddGrad")
            if 0 not in shape:
                log = _log_softmax(numbers_of(x))
                same(raw("Softmax", logits=x), np.exp(log), "Softmax")
                same(raw("LogSoftmax", logits=x), log, "LogSoftmax")
        first = drawn((2, 4, 3), dtype)
        with_bias = raw("BiasAdd", value=first, bias=drawn((4,), dtype), data_format="NCHW")
        same(with_bias, numbers_of(first) + numbers_of(drawn((4,), dtype))[:, None], "BiasAdd NCHW")

    each(FLOATS, check)


def losses() -> None:
    def check(dtype: Any) -> None:
        x = drawn((5, 3), dtype)
        log = _log_softmax(numbers_of(x))
        for index in (tf.int32, tf.int64):
            with tf.device("/CPU:0"):
                classes = tf.constant([0, 2, 1, 1, 0], index)
            right = np.eye(3)[classes.numpy()]
            loss, back = raw("SparseSoftmaxCrossEntropyWithLogits", features=x, labels=classes)
            same(loss, -np.sum(right * log, 1), "SparseSoftmaxCrossEntropyWithLogits")
            same(back, np.exp(log) - right, "its gradient")
        with tf.device("/CPU:0"):
            shares = tf.cast(right, dtype)
        loss, back = raw("SoftmaxCrossEntropyWithLogits", features=x, labels=shares)
        same(loss, -np.sum(right * log, 1), "SoftmaxCrossEntropyWithLogits")
        same(back, np.exp(log) - right, "its gradient")

    each(FLOATS, check)


def variables() -> None:
    def check(dtype: Any) -> None:
        one, two = tf.constant([1, 2, 3], dtype), tf.constant([2, 2, 2], dtype)
        variable = tf.Variable(one)
        assert variable.device.endswith("GPU:0"), variable.device
        before = variable.read_value()
        variable.assign_add(two)
        same(variable.read_value(), [3, 4, 5], "AssignAddVariableOp")
        variable.assign_sub(one)
        same(variable.read_value(), [2, 2, 2], "AssignSubVariableOp")
        same(before, [1, 2, 3], "what was read before")
        variable.assign(one)
        same(variable.read_value(), [1, 2, 3], "AssignVariableOp")
        same(one, [1, 2, 3], "what it was made of")
        empty = tf.Variable(tf.zeros([0], dtype))
        empty.assign_add(tf.zeros([0], dtype))
        same(empty.read_value(), np.zeros(0), "an empty variable")
        if dtype.is_floating:
            try:
                variable.assign_add(tf.constant([1], dtype))
            except (tf.errors.InvalidArgumentError, ValueError):
                pass
            else:
                raise AssertionError("a sum of two shapes")

    each(NUMBERS, check)
    each((tf.float32, tf.float64), optimizers)


def optimizers(dtype: Any) -> None:
    start, gradient = np.array([1.0, -2.0, 3.0]), np.array([0.5, 0.25, -1.0])
    variable, by = tf.Variable(tf.constant(start, dtype)), tf.constant(gradient, dtype)
    rate = tf.constant(0.1, dtype)
    raw("ResourceApplyGradientDescent", var=variable.handle, alpha=rate, delta=by)
    same(variable.read_value(), start - 0.1 * gradient, "ResourceApplyGradientDescent")
    for nesterov in (False, True):
        variable.assign(tf.constant(start, dtype))
        m, v = tf.Variable(tf.zeros(3, dtype)), tf.Variable(tf.zeros(3, dtype))
        b1, b2, epsilon = 0.9, 0.99, 1e-7
        raw(
            "ResourceApplyAdam", var=variable.handle, m=m.handle, v=v.handle,
            beta1_power=tf.constant(b1, dtype), beta2_power=tf.constant(b2, dtype), lr=rate,
            beta1=tf.constant(b1, dtype), beta2=tf.constant(b2, dtype),
            epsilon=tf.constant(epsilon, dtype), grad=by, use_nesterov=nesterov,
        )  # fmt: skip
        mean, square = gradient * (1 - b1), gradient**2 * (1 - b2)
        direction = gradient * (1 - b1) + b1 * mean if nesterov else mean
        step = 0.1 * np.sqrt(1 - b2) / (1 - b1)
        expected = start - step * direction / (np.sqrt(square) + epsilon)
        same(variable.read_value(), expected, f"ResourceApplyAdam {nesterov}")


def rows_of_variables() -> None:
    def check(dtype: Any) -> None:
        start = drawn((5, 3), dtype)
        for index in (tf.int32, tf.int64):
            with tf.device("/CPU:0"):
                rows = tf.constant([3, 0], index)
            by, chosen = drawn((2, 3), dtype), rows.numpy()
            for name, changed in (
                ("ResourceScatterUpdate", numbers_of(by)),
                ("ResourceScatterAdd", numbers_of(start)[chosen] + numbers_of(by)),
                ("ResourceScatterSub", numbers_of(start)[chosen] - numbers_of(by)),
            ):
                variable = tf.Variable(start)
                raw(name, resource=variable.handle, indices=rows, updates=by)
                expected = numbers_of(start).copy()
                expected[chosen] = changed
                same(variable.read_value(), expected, name)
                got = raw("ResourceGather", resource=variable.handle, indices=rows, dtype=dtype)
                same(got, expected[chosen], "ResourceGather")
            one = tf.cast(1, dtype)
            raw("ResourceScatterUpdate", resource=variable.handle, indices=rows, updates=one)
            same(variable.read_value()[3], np.ones(3), "ResourceScatterUpdate by one number")

    each((tf.float32, tf.float64), check)


def a_variable_in_a_queue() -> None:
    """A change waits for what was queued before it, and what was read before keeps its numbers."""
    with card():
        variable = tf.Variable(tf.ones([64, 64]))
        for step in range(30):
            product = tf.matmul(variable, variable)
            variable.assign_add(product * 0 + 1)
            read = variable.read_value()
            variable.assign_sub(tf.ones([64, 64]))
            assert np.all(product.numpy() == 64), step
            assert np.all(read.numpy() == 2), step
            assert np.all(variable.numpy() == 1), step


def loops() -> None:
    """Lists of tensors in a loop of a graph, which TensorFlow reads on the host."""

    @tf.function
    def squares(x: Any) -> Any:
        kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for step in tf.range(6):
            x = x * 1.5
            kept = kept.write(step, x)
        return tf.reduce_sum(tf.square(kept.stack()))

    tf.config.set_soft_device_placement(True)
    with tf.device("/GPU:0"):
        x = tf.constant(np.linspace(0, 1, 5, dtype=np.float32))
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = squares(x)
        gradient = tape.gradient(total, x)
    factor = sum(1.5 ** (2 * k) for k in range(1, 7))
    np.testing.assert_allclose(total.numpy(), factor * np.sum(x.numpy() ** 2), rtol=1e-5)
    np.testing.assert_allclose(gradient.numpy(), 2 * factor * x.numpy(), rtol=1e-5)


def training() -> None:
    """A compiled Keras model has the losses that it has on the processor."""
    import keras

    def losses_on(device: str) -> Any:
        with tf.device(device):
            keras.utils.set_random_seed(1)
            rows = np.random.default_rng(1).normal(size=(64, 8)).astype("float32")
            labels = (rows.sum(1) > 0).astype("int64")
            model = keras.Sequential(
                [keras.Input((8,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(2)]
            )
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
            model.compile(keras.optimizers.Adam(0.01), loss, jit_compile=False)
            history = model.fit(rows, labels, epochs=4, batch_size=16, shuffle=False, verbose=0)
        assert device[1:4] in model.trainable_variables[0].value.device
        return history.history["loss"]

    on_card = losses_on("/GPU:0")
    np.testing.assert_allclose(on_card, losses_on("/CPU:0"), rtol=1e-4)
    assert on_card[-1] < on_card[0]
