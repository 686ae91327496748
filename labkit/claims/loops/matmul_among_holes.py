"""A step that multiplies small matrices which lie scattered over a pool of 10,000 holes."""

import os

import tensorflow as tf

BLOCKS, USED = 10_000, 50


def make_step():
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # TensorFlow's own pool, as on a GPU
    blocks, apart = [], []
    for _ in range(BLOCKS):
        blocks.append(tf.fill([64, 64], 1.0))
        apart.append(tf.fill([64], 1.0))  # stays, so that two holes never become one
    matrices = blocks[:: BLOCKS // USED]
    blocks.clear()  # all other blocks are holes from now on

    def step():
        assert len(apart) == BLOCKS  # as long as the step can look, they stay
        for matrix in matrices:
            product = tf.matmul(matrix, matrix)
        return product

    return step
