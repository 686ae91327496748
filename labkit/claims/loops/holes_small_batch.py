"""Every other result is kept, and sequences get longer: holes that nothing new fits into."""

import os

import tensorflow as tf


def make_step(numbers=4096):
    os.environ["TF_CPU_ALLOCATOR_USE_BFC"] = "1"  # TensorFlow's own pool, as on a GPU
    os.environ["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = "512"
    kept, epoch = [], []
    length, done = numbers, 0

    def step():
        nonlocal length, done
        for _ in range(4):
            result = tf.fill([length], 1.0)
            for _ in range(10):
                result = tf.nn.relu(result)
            epoch.append(result)
        done += 1
        if done % 25 == 0:
            kept.extend(epoch[::2])
            epoch.clear()  # the others leave a hole each
            length += numbers // 64
        return result

    return step
