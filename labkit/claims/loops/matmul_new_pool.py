"""A step that multiplies small matrices which lie side by side in a pool without a hole."""

import os

import tensorflow as tf

USED = 50


def make_step():
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # TensorFlow's own pool, as on a GPU
    matrices = [tf.fill([64, 64], 1.0) for _ in range(USED)]

    def step():
        for matrix in matrices:
            product = tf.matmul(matrix, matrix)
        return product

    return step
