"""Matrix factorisation of made-up song ratings, in graph mode, with norms held under a bound."""

import argparse

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()


def make_ratings(users, songs, count, rng):
    """Triples of user, song and stars, from tastes that two hidden groups of songs explain."""
    taste = rng.normal(size=(users, 6))
    style = rng.normal(size=(songs, 6))
    user = rng.integers(0, users, size=count)
    song = np.minimum(rng.zipf(1.3, size=count) - 1, songs - 1)
    stars = 3 + 0.6 * (taste[user] * style[song]).sum(axis=1) + 0.3 * rng.normal(size=count)
    return user.astype("int32"), song.astype("int32"), np.clip(stars, 1, 5).astype("float32")


class Factors:
    def __init__(self, users, songs, rank, bound, learning_rate):
        self.bound = bound
        self.user_id = tf1.placeholder(tf.int32, [None], name="user")
        self.song_id = tf1.placeholder(tf.int32, [None], name="song")
        self.stars = tf1.placeholder(tf.float32, [None], name="stars")
        start = tf1.random_normal_initializer(stddev=0.1)
        with tf1.variable_scope("factors"):
            self.users = tf1.get_variable("users", [users, rank], initializer=start)
            self.songs = tf1.get_variable("songs", [songs, rank], initializer=start)
            self.bias = tf1.get_variable("bias", [songs], initializer=tf1.zeros_initializer())
        user = tf.nn.embedding_lookup(self.users, self.user_id)
        song = tf.nn.embedding_lookup(self.songs, self.song_id)
        bias = tf.nn.embedding_lookup(self.bias, self.song_id)
        self.rating = 3.0 + bias + tf.reduce_sum(user * song, axis=1)
        self.error = tf.reduce_mean(tf.square(self.stars - self.rating))
        penalty = 0.01 * tf.reduce_mean(tf.square(user) + tf.square(song))
        optimizer = tf1.train.AdagradOptimizer(learning_rate)
        self.train_op = optimizer.minimize(self.error + penalty)

    def feed(self, ratings, rows=slice(None)):
        names = (self.user_id, self.song_id, self.stars)
        return {name: part[rows] for name, part in zip(names, ratings, strict=True)}

    def project(self, sess):
        """Rows that went past the bound are brought back onto it."""
        for table in (self.users, self.songs):
            sess.run(table.assign(tf.clip_by_norm(table, self.bound, axes=[1])))

    def fit_batch(self, sess, ratings, rows):
        _, error = sess.run([self.train_op, self.error], self.feed(ratings, rows))
        self.project(sess)
        return error


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--bound", type=float, default=0.6)
    parser.add_argument("--patience", type=int, default=10)
    parser.add_argument("--seed", type=int, default=21)
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    tf1.set_random_seed(args.seed)
    users, songs = 1500, 800
    ratings = make_ratings(users, songs, 60_000, rng)
    train = [part[:54_000] for part in ratings]
    test = [part[54_000:] for part in ratings]
    model = Factors(users, songs, args.rank, args.bound, learning_rate=0.4)

    with tf1.Session() as sess:
        sess.run(tf1.global_variables_initializer())
        step, best, waited, recent = 0, np.inf, 0, 0.0
        while step < args.steps and waited < args.patience:
            rows = rng.integers(0, len(train[0]), size=args.batch_size)
            error = model.fit_batch(sess, train, rows)
            recent = error if step == 0 else 0.98 * recent + 0.02 * error
            step += 1
            if step % 50 == 0:
                held_out = sess.run(model.error, model.feed(test))
                waited = 0 if held_out < best else waited + 1
                best = min(best, held_out)
                print(f"step {step}: train {recent:.4f} test {held_out:.4f} (best {best:.4f})")
        norms = np.linalg.norm(sess.run(model.users), axis=1)
    print(f"{step} steps, longest row {norms.max():.3f}, mean {norms.mean():.3f}")


if __name__ == "__main__":
    main()
