import tensorflow as tf


def make_step():
    lengths = range(150, 8_000, 130)
    cell = tf.Variable(tf.random.stateless_normal([56, 56], [8, 2]) * 0.1)
    spectrogram = tf.random.stateless_normal([8_000, 56], [8, 3])

    @tf.function(input_signature=[tf.TensorSpec([None, 56], tf.float32)])
    def train(frames):
        with tf.GradientTape() as tape:
            hidden = frames
            for _ in range(3):
                hidden = tf.tanh(hidden @ cell)
            loss = tf.reduce_mean(hidden)
        cell.assign_sub(0.01 * tape.gradient(loss, cell))
        return loss

    utterance = 0

    def step():
        nonlocal utterance
        frames = spectrogram[: lengths[utterance % len(lengths)]]
        utterance += 1
        return train(frames)

    return step
