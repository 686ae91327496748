"""What is asked of tensors and of the runtime by private names, against what is public.

Tier: make test, in turn; under each supported TensorFlow in make test-full.
"""

from __future__ import annotations

import pytest
import tensorflow as tf

from labkit.measure.memory import tensors
from labkit.measure.memory.reach.object_sizes import UNDER_FUNCTION
from tests.measure.alone import said_alone

pytestmark = pytest.mark.in_turn


@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (4, 5, 6)])
@pytest.mark.parametrize("dtype", [tf.float32, tf.int8, tf.string, tf.bool])
def test_a_tensor_is_what_its_public_names_say(shape: tuple[int, ...], dtype: tf.DType) -> None:
    tensor = tf.zeros(shape, dtype)
    assert tensors.elements(tensor) == int(tf.size(tensor))
    assert tensors.sizes(tensor) == shape
    assert tensors.type_number(tensor) == dtype.as_datatype_enum


@pytest.mark.parametrize("name", tensors.NAMES)
def test_this_tensorflow_has_the_names(name: str) -> None:
    assert callable(getattr(tf.constant(1.0), name))


def test_this_tensorflow_keeps_the_function_under_a_tf_function() -> None:
    def plain() -> None: ...

    assert getattr(tf.function(plain), UNDER_FUNCTION) is plain


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_a_whole_number_is_read_and_nothing_else_is(dtype: tf.DType) -> None:
    assert tensors.whole_number(tf.constant(-41, dtype)) == -41
    others = (tf.constant([3], dtype), tf.constant(2.0), tf.constant("3"), tf.constant(True))
    assert [tensors.whole_number(each) for each in others] == [None] * 4


def test_what_is_no_tensor_has_no_answer() -> None:
    for ask in (tensors.elements, tensors.sizes, tensors.type_number, tensors.whole_number):
        assert ask(object()) is None


def test_asking_does_not_start_the_runtime() -> None:
    program = (
        "from tensorflow.python.eager import context\n"
        "from labkit.measure.memory.tensors import is_up\n"
        "own = context.context(); print(is_up(own), is_up(own), is_up(object()))\n"
        "import tensorflow as tf; tf.constant(1.0); print(is_up(own))"
    )
    assert said_alone(program) == ["False False False", "True"]
