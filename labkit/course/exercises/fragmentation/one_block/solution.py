import os

import tensorflow as tf

os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # memory from a pool, as on a GPU
PLACES, LONGEST = 1_500, 16_384


def make_step():
    bank, used, turn = tf.Variable(tf.zeros([PLACES, LONGEST])), 0, 0

    def encode(value, length):
        x = tf.fill([length], value)
        for _ in range(8):
            x = tf.nn.relu(x)
        return x

    def step():
        nonlocal used, turn
        length = min(8_192 + 64 * turn, LONGEST)
        values = [1.0 + 0.1 * turn + 0.01 * n for n in range(12)]
        pairs = [(encode(v, length), encode(0.1 * v, length)) for v in values]
        for anchor, _ in pairs:
            row = tf.pad(anchor, [[0, LONGEST - length]])
            bank.scatter_update(tf.IndexedSlices(row, used % PLACES))
            used += 1
        turn += 1
        first = max(0, used - PLACES)
        old = bank.sparse_read((first + 5 * turn % min(used, PLACES)) % PLACES)
        return tf.reduce_sum(old) - tf.reduce_sum(pairs[-1][1])

    return step
