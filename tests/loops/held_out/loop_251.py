import tensorflow as tf


def make_step():
    kernel = tf.Variable(tf.random.stateless_normal([12, 12], [51, 1]) * 0.2)
    frame = tf.random.stateless_normal([4, 12], [51, 2])
    frames = []

    @tf.function
    def unroll(frames):
        state = tf.zeros([4, 12])
        for frame in frames:
            state = tf.tanh(frame + state @ kernel)
        return tf.reduce_mean(state)

    def step():
        frames.append(frame)
        return unroll(frames)

    return step
