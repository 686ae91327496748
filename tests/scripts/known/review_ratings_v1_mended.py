"""Train a classifier of star ratings on bags of words, with a session and a feed_dict."""

import argparse

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

STARS = 5


def make_reviews(count, words, seed):
    """Return word counts and the stars that a hidden taste gives them."""
    random = np.random.default_rng(seed)
    counts = random.poisson(0.1, size=(count, words)).astype("float32")
    score = counts @ random.normal(size=words)
    stars = np.digitize(score, np.quantile(score, [0.2, 0.4, 0.6, 0.8]))
    return counts, stars.astype("int32")


def dense(inputs, width, name):
    with tf.variable_scope(name):
        size = int(inputs.shape[1])
        kernel = tf.get_variable(
            "kernel", [size, width], initializer=tf.glorot_uniform_initializer(seed=3)
        )
        bias = tf.get_variable("bias", [width], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, kernel) + bias


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--hidden", type=int, default=384)
    parser.add_argument("--rate", type=float, default=0.2)
    parser.add_argument("--decay", type=float, default=0.998)
    return parser.parse_args()


def main():
    args = parse_args()
    tf.set_random_seed(1)
    counts, stars = make_reviews(8000, args.words, seed=1)

    inputs = tf.placeholder(tf.float32, [None, args.words], name="counts")
    targets = tf.placeholder(tf.int32, [None], name="stars")
    learning_rate = tf.get_variable("learning_rate", initializer=args.rate, trainable=False)
    new_rate = tf.placeholder(tf.float32, [], name="new_rate")
    set_rate = tf.assign(learning_rate, new_rate)
    hidden = tf.nn.relu(dense(inputs, args.hidden, "hidden"))
    hidden = tf.nn.relu(dense(hidden, args.hidden, "hidden_again"))
    logits = dense(hidden, STARS, "stars")
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    )
    train = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss)

    random = np.random.default_rng(2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(args.steps):
            picked = random.integers(0, len(counts), args.batch)
            rate = args.rate * args.decay**step
            session.run(set_rate, feed_dict={new_rate: rate})
            feeds = {inputs: counts[picked], targets: stars[picked]}
            _, value = session.run([train, loss], feed_dict=feeds)
            if step % 100 == 0:
                print(f"step {step}: loss {value:.3f}, learning rate {rate:.4f}")
        print(f"done, loss {value:.3f}")


if __name__ == "__main__":
    main()
