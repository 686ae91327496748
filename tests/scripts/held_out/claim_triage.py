"""Sorts insurance claims into desks from their form fields, in the graph style of TensorFlow 1."""

import argparse

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()

DESKS = 12
FIELDS = 48


class Claims:
    """Made-up claims, given out in batches that are shuffled again at each pass."""

    def __init__(self, count, seed):
        self.rng = np.random.default_rng(seed)
        self.forms = self.rng.normal(size=(count, FIELDS)).astype("float32")
        habits = self.rng.normal(size=(FIELDS, DESKS))
        noise = self.rng.gumbel(scale=0.5, size=(count, DESKS))
        self.desks = np.argmax(self.forms @ habits + noise, axis=1)
        self.order = self.rng.permutation(count)
        self.place = 0

    def next_batch(self, size, sess):
        if self.place + size > len(self.order):
            self.rng.shuffle(self.order)
            self.place = 0
        rows = self.order[self.place : self.place + size]
        self.place += size
        labels = sess.run(tf.one_hot(self.desks[rows], DESKS))
        return self.forms[rows], labels


def dense(x, units, name, activation=None):
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[-1], units])
        b = tf1.get_variable("b", [units], initializer=tf1.zeros_initializer())
    y = tf.matmul(x, w) + b
    return activation(y) if activation else y


def build(width, rate):
    forms = tf1.placeholder(tf.float32, [None, FIELDS], name="forms")
    labels = tf1.placeholder(tf.float32, [None, DESKS], name="labels")
    hidden = dense(forms, width, "hidden1", tf.nn.relu)
    hidden = dense(hidden, width, "hidden2", tf.nn.relu)
    logits = dense(hidden, DESKS, "logits")
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses)
    right = tf.equal(tf.argmax(logits, 1), tf.argmax(labels, 1))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    train = tf1.train.AdamOptimizer(rate).minimize(loss)
    return forms, labels, loss, accuracy, train


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()

    tf1.set_random_seed(args.seed)
    claims = Claims(20_000, args.seed)
    forms, labels, loss, accuracy, train = build(args.width, args.rate)

    with tf1.Session() as sess:
        sess.run(tf1.global_variables_initializer())
        for step in range(args.steps):
            batch_forms, batch_labels = claims.next_batch(args.batch, sess)
            feed = {forms: batch_forms, labels: batch_labels}
            _, value = sess.run([train, loss], feed_dict=feed)
            if step % 100 == 0:
                score = sess.run(accuracy, feed_dict=feed)
                print(f"step {step:5d}  loss {value:.4f}  accuracy {score:.3f}")

        everything = {forms: claims.forms, labels: np.eye(DESKS, dtype="float32")[claims.desks]}
        print(f"accuracy over all claims {sess.run(accuracy, feed_dict=everything):.3f}")


if __name__ == "__main__":
    main()
