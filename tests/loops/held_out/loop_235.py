import tensorflow as tf


def make_step():
    table = tf.random.stateless_normal([200, 48], [35, 1])
    query = tf.random.stateless_normal([48, 48], [35, 2]) * 0.1
    tokens = tf.constant([[1]] * 32)

    @tf.function(input_signature=[tf.TensorSpec([32, None], tf.int32)])
    def following(tokens):
        words = tf.gather(table, tokens)
        scores = tf.matmul(words @ query, words, transpose_b=True)
        mixed = tf.nn.softmax(scores) @ words
        logits = tf.matmul(mixed[:, -1], table, transpose_b=True)
        return tf.argmax(logits, axis=1, output_type=tf.int32)

    def step():
        nonlocal tokens
        tokens = tf.concat([tokens, following(tokens)[:, None]], axis=1)
        return tokens[:, -1]

    return step
