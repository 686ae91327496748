import tensorflow as tf


def make_step():
    kernel = tf.Variable(tf.random.stateless_normal([7, 3], [1, 1]))
    offset = tf.Variable(tf.zeros([3]))
    batch = tf.ones([10, 7])

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ kernel + offset - 1.0))
        gradients = tape.gradient(loss, [kernel, offset])
        for _ in range(10):
            clipped, norm = tf.clip_by_global_norm(gradients, 0.5)
            lowest = tf.minimum(norm, float("inf"))
            masked = tf.where(tf.math.is_finite(lowest), lowest, float("nan"))
        kernel.assign_sub(0.001 * clipped[0])
        offset.assign_sub(0.001 * clipped[1])
        return masked

    return step
