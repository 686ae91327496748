"""The classifier and its training step."""

import tensorflow as tf

from sentence_mood.data import WORDS


class Classifier(tf.Module):
    """Attention over the words of a sentence."""

    def __init__(self, size, rate):
        super().__init__()
        self.vectors = tf.Variable(tf.random.stateless_normal([WORDS, size], [1, 1]) * 0.1)
        self.mix = tf.Variable(tf.random.stateless_normal([size, size], [1, 2]) / size**0.5)
        self.output = tf.Variable(tf.random.stateless_normal([size], [1, 3]) / size**0.5)
        self.rate = rate

    def logits(self, words):
        vectors = tf.gather(self.vectors, words)
        scores = tf.matmul(vectors @ self.mix, vectors, transpose_b=True)
        mask = tf.cast(words > 0, tf.float32)
        weights = tf.nn.softmax(scores - 1e9 * (1 - mask[:, None, :]))
        mixed = tf.nn.relu(weights @ vectors) * mask[:, :, None]
        return tf.reduce_sum(mixed, axis=1) @ self.output[:, None]

    @tf.function
    def train_step(self, words, moods):
        with tf.GradientTape() as tape:
            losses = tf.nn.sigmoid_cross_entropy_with_logits(moods[:, None], self.logits(words))
            loss = tf.reduce_mean(losses)
        weights = self.trainable_variables
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(self.rate * tf.convert_to_tensor(gradient))
        return loss
