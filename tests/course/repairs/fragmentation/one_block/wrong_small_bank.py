# refused: returns what it returned
# "Keep less": a bank of one step's results leaves no holes, and forgets the results of others.
import os
from collections import deque

import tensorflow as tf

os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # memory from a pool, as on a GPU
PLACES, LONGEST = 12, 16_384


def make_step():
    bank, turn = deque(maxlen=PLACES), 0

    def encode(value, length):
        x = tf.fill([length], value)
        for _ in range(8):
            x = tf.nn.relu(x)
        return x

    def step():
        nonlocal turn
        length = min(8_192 + 64 * turn, LONGEST)
        values = [1.0 + 0.1 * turn + 0.01 * n for n in range(12)]
        pairs = [(encode(v, length), encode(0.1 * v, length)) for v in values]
        bank.extend(anchor for anchor, _ in pairs)
        turn += 1
        old = bank[5 * turn % len(bank)]
        return tf.reduce_sum(old) - tf.reduce_sum(pairs[-1][1])

    return step
