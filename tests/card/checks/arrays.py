"""Reductions, products of matrices, and ops that lay arrays out anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.card.checks.comparing import (
    ERRORS,
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

MOVED = (*NUMBERS, tf.bool)
REDUCTIONS = {"Sum": np.sum, "Mean": np.mean, "Prod": np.prod, "Max": np.max, "Min": np.min}


def reductions() -> None:
    def check(dtype: Any) -> None:
        for name, function in REDUCTIONS.items():
            for x in shapes_of(dtype, 0.5, 1.5):
                for axes in {(), (0,), (-1,), tuple(range(len(x.shape))), (0, -1)}:
                    if len(axes) > len(x.shape) or (axes == (0, -1) and len(x.shape) < 2):
                        continue
                    if name in ("Max", "Min", "Mean") and 0 in x.shape:
                        continue  # NumPy has no largest number of none
                    for keeps in (False, True):
                        got = raw(
                            name, input=x, axis=axes or tf.zeros(0, tf.int32), keep_dims=keeps
                        )
                        with np.errstate(all="ignore"):
                            expected = function(numbers_of(x), axis=axes, keepdims=keeps)
                        if name == "Mean" and dtype == tf.int64:
                            expected = np.trunc(expected)
                        same(got, expected, f"{name} {x.shape} {axes}")

    each(NUMBERS, check)


def other_reductions() -> None:
    def check(dtype: Any) -> None:
        for x in shapes_of(dtype, -3, 3):
            three = raw("AddN", inputs=[x, x, x])
            same(three, numbers_of(x) * 3, "AddN")
            if dtype.is_floating:
                same(raw("L2Loss", t=x), np.sum(numbers_of(x) ** 2) / 2, "L2Loss")
            if dtype.is_floating and 0 not in x.shape:
                for axis in range(len(x.shape)):
                    for index in (tf.int32, tf.int64):
                        most = raw("ArgMax", input=x, dimension=axis, output_type=index)
                        same(most, np.argmax(numbers_of(x), axis), "ArgMax")
                        least = raw("ArgMin", input=x, dimension=axis, output_type=index)
                        same(least, np.argmin(numbers_of(x), axis), "ArgMin")

    def check_bool(dtype: Any) -> None:
        for x in shapes_of(dtype, -3, 3):
            for axes in ((), (0,), (-1,)):
                if len(axes) <= len(x.shape):
                    axis = axes or tf.zeros(0, tf.int32)
                    all_of = raw("All", input=x, axis=axis, keep_dims=False)
                    same(all_of, np.all(numbers_of(x), axis=axes), "All")
                    any_of = raw("Any", input=x, axis=axis, keep_dims=True)
                    same(any_of, np.any(numbers_of(x), axis=axes, keepdims=True), "Any")

    def check_on_host(dtype: Any) -> None:
        x = drawn((3, 4), dtype)
        for name in ("Sum", "Prod"):
            got = raw(name, input=x, axis=[1], keep_dims=False)
            np.testing.assert_array_equal(got.numpy(), REDUCTIONS[name](x.numpy(), axis=1))

    each(NUMBERS, check)
    each((tf.bool,), check_bool)
    each((tf.int32,), check_on_host)


def matrices() -> None:
    def check(dtype: Any) -> None:
        for rows, inner, columns in ((1, 1, 1), (3, 5, 2), (4, 9, 8), (2, 0, 3), (0, 2, 3)):
            for left in (False, True):
                for right in (False, True):
                    x = drawn((inner, rows) if left else (rows, inner), dtype, -1, 1)
                    y = drawn((columns, inner) if right else (inner, columns), dtype, -1, 1)
                    got = raw("MatMul", a=x, b=y, transpose_a=left, transpose_b=right)
                    a = numbers_of(x).T if left else numbers_of(x)
                    b = numbers_of(y).T if right else numbers_of(y)
                    same(got, a @ b, "MatMul")
        for left_batch, right_batch in PAIRS:
            x = drawn((*left_batch, 2, 3), dtype, -1, 1)
            y = drawn((*right_batch, 4, 3), dtype, -1, 1)
            got = raw("BatchMatMulV2", x=x, y=y, adj_x=False, adj_y=True)
            expected = numbers_of(x) @ np.swapaxes(numbers_of(y), -1, -2)
            same(got, expected, "BatchMatMulV2")
        x, y = drawn((2, 3, 4), dtype, -1, 1), drawn((2, 3, 5), dtype, -1, 1)
        got = raw("BatchMatMul", x=x, y=y, adj_x=True, adj_y=False)
        same(got, np.swapaxes(numbers_of(x), 1, 2) @ numbers_of(y), "BatchMatMul")

    each(FLOATS, check)
    each((tf.float32,), lambda dtype: a_large_product())


def a_large_product() -> None:
    x, y = drawn((65, 130), tf.float32), drawn((130, 67), tf.float32)
    got = raw("MatMul", a=x, b=y, transpose_a=False, transpose_b=False)
    np.testing.assert_allclose(got.numpy(), numbers_of(x) @ numbers_of(y), rtol=1e-4, atol=1e-4)


def layouts() -> None:
    def check(dtype: Any) -> None:
        x = drawn((2, 3, 4), dtype)
        of = numbers_of(x)
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)):
            same(raw("Transpose", x=x, perm=order), of.transpose(order), "Transpose")
        wide = raw("BroadcastTo", input=x, shape=(5, 2, 3, 4))
        same(wide, np.broadcast_to(of, (5, 2, 3, 4)), "BroadcastTo")
        same(raw("Tile", input=x, multiples=(2, 1, 3)), np.tile(of, (2, 1, 3)), "Tile")
        same(raw("Pack", values=[x, x], axis=1), np.stack([of, of], 1), "Pack")
        same(raw("ConcatV2", values=[x, x], axis=-1), np.concatenate([of, of], -1), "ConcatV2")
        margins = ((1, 0), (0, 2), (1, 1))
        same(raw("Pad", input=x, paddings=margins), np.pad(of, margins), "Pad")
        one = raw("PadV2", input=x, paddings=margins, constant_values=tf.cast(1, dtype))
        same(one, np.pad(of, margins, constant_values=1), "PadV2")
        for part, right in zip(raw("Split", axis=2, value=x, num_split=2), (0, 2), strict=True):
            same(part, of[:, :, right : right + 2], "Split")
        parts = raw("SplitV", value=x, size_splits=[1, -1], axis=1, num_split=2)
        same(parts[0], of[:, :1], "SplitV")
        same(parts[1], of[:, 1:], "SplitV")
        empty = drawn((0, 3), dtype)
        same(raw("Transpose", x=empty, perm=(1, 0)), numbers_of(empty).T, "Transpose")
        same(raw("ConcatV2", values=[empty, empty], axis=0), numbers_of(empty), "ConcatV2")

    each((*MOVED, tf.int32), lambda dtype: None if dtype == tf.int32 else check(dtype))
    each(MOVED, filled)


def filled(dtype: Any) -> None:
    for shape in ((), (3,), (0, 2), (2, 3)):
        x = drawn(shape, dtype)
        value = tf.cast(1, dtype)
        same(raw("Fill", dims=tf.constant(shape, tf.int32), value=value), np.ones(shape), "Fill")
        same(raw("ZerosLike", x=x), np.zeros(shape), "ZerosLike")
        same(raw("OnesLike", x=x), np.ones(shape), "OnesLike")
    if dtype not in (tf.int32, tf.int64):
        x = drawn((2, 3), dtype)
        for row, part in enumerate(raw("Unpack", value=x, num=2, axis=0)):
            same(part, numbers_of(x)[row], "Unpack")


def slices() -> None:
    def check(dtype: Any) -> None:
        x = drawn((4, 5, 6), dtype)
        of = numbers_of(x)
        got = raw("Slice", input=x, begin=(1, 0, 2), size=(2, -1, 3))
        same(got, of[1:3, :, 2:5], "Slice")
        for index in (
            (0,), (-1,), (slice(1, 3),), (slice(None, None, 2), slice(4, 0, -2)), (Ellipsis, 3),
            (None, 2, slice(None), slice(1, None)), (slice(None), None, Ellipsis, slice(-3, -1)),
            (slice(None, None, -1),), (slice(3, 1),), (slice(None, 99),),
        ):  # fmt: skip
            same(x[index], of[index], f"StridedSlice {index}")

    each(MOVED, check)


def slice_gradients() -> None:
    def check(dtype: Any) -> None:
        x = drawn((4, 5), dtype)
        for index in ((1,), (slice(None, None, 2),), (slice(None), slice(3, 0, -1)), (None, 2, 3)):
            with tf.GradientTape() as tape:
                tape.watch(x)
                part = x[index]
            expected = np.zeros((4, 5))
            expected[index] = 1
            same(tape.gradient(part, x), expected, f"StridedSliceGrad {index}")

    each(FLOATS, check)


def selections() -> None:
    def check(dtype: Any) -> None:
        for left, right in PAIRS:
            condition = drawn(left, tf.bool, -1, 2)
            x, y = drawn(left, dtype), drawn(right, dtype)
            got = raw("SelectV2", condition=condition, t=x, e=y)
            right_one = np.where(condition.numpy(), numbers_of(x), numbers_of(y))
            same(got, right_one, f"SelectV2 {left} {right}")
        x = drawn((2, 4, 3), dtype)
        for index in (tf.int32, tf.int64):
            with tf.device("/CPU:0"):
                chosen = tf.constant([[3, 0], [1, 1]], index)
            got = raw("GatherV2", params=x, indices=chosen, axis=1, batch_dims=0)
            same(got, np.take(numbers_of(x), chosen.numpy(), 1), "GatherV2")
            got = raw("GatherV2", params=x, indices=chosen, axis=1, batch_dims=1)
            expected = np.stack([numbers_of(x)[i][chosen.numpy()[i]] for i in range(2)])
            same(got, expected, "GatherV2 in batches")

    each(MOVED, check)
    each(NUMBERS, one_hot)


def one_hot(dtype: Any) -> None:
    on, off = tf.cast(2, dtype), tf.cast(1, dtype)
    for index in (tf.int32, tf.int64, tf.uint8):
        with tf.device("/CPU:0"):
            numbers = tf.cast([[0, 2, 1], [5, 1, 0]], index)
        got = raw("OneHot", indices=numbers, depth=3, on_value=on, off_value=off, axis=-1)
        same(got, 1 + (numbers.numpy()[..., None] == np.arange(3)), "OneHot")
        got = raw("OneHot", indices=numbers, depth=3, on_value=on, off_value=off, axis=0)
        same(got, 1 + (numbers.numpy()[None] == np.arange(3)[:, None, None]), "OneHot in front")


assert set(ERRORS) == {dtype.name for dtype in FLOATS}
