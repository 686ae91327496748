"""Ops that make one number of one or two, and casts."""

from __future__ import annotations

from math import erf
from typing import Any

import numpy as np
import tensorflow as tf

from tests.card.checks.comparing import (
    FLOATS,
    NUMBERS,
    PAIRS,
    drawn,
    each,
    numbers_of,
    raw,
    same,
    shapes_of,
)

UNARY = {
    "Neg": np.negative, "Square": np.square, "Abs": np.abs, "Sign": np.sign,
}  # fmt: skip
UNARY_OF_FLOATS = {
    "Exp": np.exp, "Expm1": np.expm1, "Sin": np.sin, "Cos": np.cos, "Tanh": np.tanh,
    "Floor": np.floor, "Ceil": np.ceil, "Rint": np.rint, "Round": np.round,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Erf": np.vectorize(erf, otypes=[float]),
    "Relu": lambda x: np.maximum(x, 0), "Softplus": lambda x: np.log1p(np.exp(x)),
}  # fmt: skip
UNARY_OF_POSITIVE = {
    "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x), "Reciprocal": np.reciprocal,
    "Inv": np.reciprocal, "Log": np.log, "Log1p": np.log1p,
}  # fmt: skip
BINARY = {
    "Add": np.add, "AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply,
    "Maximum": np.maximum, "Minimum": np.minimum, "SquaredDifference": lambda x, y: (x - y) ** 2,
}  # fmt: skip
BINARY_OF_FLOATS = {
    "RealDiv": np.divide, "Div": np.divide, "FloorDiv": np.floor_divide, "FloorMod": np.mod,
    "DivNoNan": np.divide, "MulNoNan": np.multiply, "Pow": np.power,
}  # fmt: skip
COMPARISONS = {
    "Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less, "LessEqual": np.less_equal,
    "Greater": np.greater, "GreaterEqual": np.greater_equal,
}  # fmt: skip
# Of y, which the op gave, and the gradient so far.
GRADIENTS = {
    "TanhGrad": lambda y, dy: dy * (1 - y * y), "SigmoidGrad": lambda y, dy: dy * y * (1 - y),
    "SqrtGrad": lambda y, dy: dy * 0.5 / y, "RsqrtGrad": lambda y, dy: -0.5 * dy * y**3,
    "ReciprocalGrad": lambda y, dy: -dy * y * y, "InvGrad": lambda y, dy: -dy * y * y,
}  # fmt: skip


def unary() -> None:
    def of(table: dict[str, Any], low: float) -> Any:
        def check(dtype: Any) -> None:
            for name, function in table.items():
                for x in shapes_of(dtype, low, 3):
                    key = "features" if name in ("Relu", "Softplus") else "x"
                    same(raw(name, **{key: x}), function(numbers_of(x)), name)

        return check

    each(NUMBERS, of(UNARY, -3))
    each(FLOATS, of(UNARY_OF_FLOATS, -3))
    each(FLOATS, of(UNARY_OF_POSITIVE, 0.25))


def tests_of_numbers() -> None:
    def check(dtype: Any) -> None:
        with tf.device("/CPU:0"):
            x = tf.cast(tf.constant([1.5, np.nan, np.inf, -np.inf, 0]), dtype)
        same(raw("IsNan", x=x), np.isnan(numbers_of(x)), "IsNan")
        same(raw("IsInf", x=x), np.isinf(numbers_of(x)), "IsInf")
        same(raw("IsFinite", x=x), np.isfinite(numbers_of(x)), "IsFinite")
        same(raw("Relu", features=x), [1.5, np.nan, np.inf, 0, 0], "Relu")
        same(raw("Maximum", x=x, y=tf.ones_like(x)), [1.5, np.nan, np.inf, 1, 1], "Maximum")

    each(FLOATS, check)


def binary() -> None:
    def check(table: dict[str, Any], dtype: Any, low: float) -> None:
        for left, right in PAIRS:
            x, y = drawn(left, dtype, low), drawn(right, dtype, low)
            for name, function in table.items():
                expected = function(numbers_of(x), numbers_of(y))
                if name in ("FloorDiv", "FloorMod") and dtype in (tf.float16, tf.bfloat16):
                    continue  # a quotient that is rounded up to a whole number is one more
                same(raw(name, x=x, y=y), expected, f"{name} {left} {right}")

    each(NUMBERS, lambda dtype: check(BINARY | COMPARISONS, dtype, -3))
    each(FLOATS, lambda dtype: check(BINARY_OF_FLOATS, dtype, 0.5))
    each((tf.float32,), lambda dtype: division_by_zero())


def division_by_zero() -> None:
    x, zero = tf.constant([1.0, 2.0]), tf.constant([0.0, 2.0])
    same(raw("DivNoNan", x=x, y=zero), [0, 1], "DivNoNan")
    same(raw("MulNoNan", x=tf.constant([np.nan, 2.0]), y=zero), [0, 4], "MulNoNan")


def logical() -> None:
    def check(dtype: Any) -> None:
        for left, right in PAIRS:
            x, y = drawn(left, dtype), drawn(right, dtype, -2, 4)
            same(raw("LogicalAnd", x=x, y=y), numbers_of(x) & numbers_of(y), "LogicalAnd")
            same(raw("LogicalOr", x=x, y=y), numbers_of(x) | numbers_of(y), "LogicalOr")
            same(raw("Equal", x=x, y=y), numbers_of(x) == numbers_of(y), "Equal")
            same(raw("LogicalNot", x=x), ~numbers_of(x), "LogicalNot")

    each((tf.bool,), check)


def gradients() -> None:
    def check(dtype: Any) -> None:
        for y in shapes_of(dtype, 0.25, 0.9):
            dy = y * 2 + 1
            for name, function in GRADIENTS.items():
                same(raw(name, y=y, dy=dy), function(numbers_of(y), numbers_of(dy)), name)
        for x in shapes_of(dtype, -3, 3):
            back, of = numbers_of(x * x), numbers_of(x)
            relu = raw("ReluGrad", gradients=x * x, features=x)
            same(relu, np.where(of > 0, back, 0), "ReluGrad")
            softplus = raw("SoftplusGrad", gradients=x * x, features=x)
            same(softplus, back / (1 + np.exp(-of)), "SoftplusGrad")

    each(FLOATS, check)


def casts() -> None:
    types = (*FLOATS, tf.int32, tf.int64, tf.uint8, tf.bool)

    def check(dtype: Any) -> None:
        for shape in ((), (0,), (5,), (2, 3)):
            x = drawn(shape, dtype, 0, 9)
            for other in types:
                if other != dtype:
                    got = raw("Cast", x=x, DstT=other)
                    assert got.device.endswith("GPU:0"), got.device
                    with tf.device("/CPU:0"):
                        expected = tf.cast(x, other)
                    np.testing.assert_array_equal(got.numpy(), expected.numpy(), f"{dtype} {other}")

    each(types, check)


def halves() -> None:
    """Every half goes to float and back as itself, and floats are rounded as NumPy rounds them."""
    with tf.device("/CPU:0"):
        every = tf.bitcast(tf.constant(np.arange(65536, dtype=np.uint16)), tf.float16)
    floats = np.geomspace(1e-9, 1e5, 20001, dtype=np.float32)
    floats = np.concatenate([floats, -floats, [0.0, np.inf, np.nan, 65519.9, 65520]])
    floats = floats.astype(np.float32)

    def check(_: Any) -> None:
        wide = raw("Cast", x=every, DstT=tf.float32)
        np.testing.assert_array_equal(wide.numpy(), every.numpy().astype(np.float32))
        with np.errstate(over="ignore"):
            expected = floats.astype(np.float16)
        for other, right in (
            (tf.float16, expected),
            (tf.bfloat16, floats.astype(tf.bfloat16.as_numpy_dtype)),
        ):
            narrow = raw("Cast", x=tf.constant(floats), DstT=other)
            np.testing.assert_array_equal(*(x.astype(np.float32) for x in (narrow.numpy(), right)))

    each((tf.float32,), check)
