"""A sentiment classifier on made-up reviews of many lengths, batched by length."""

import argparse
import gc
import random

import numpy as np
import tensorflow as tf

EDGES = [16, 24, 32, 40]


def make_reviews(n, vocabulary, rng):
    reviews, labels = [], []
    mood = rng.normal(size=vocabulary)
    for _ in range(n):
        words = rng.integers(1, vocabulary, size=rng.integers(6, 49))
        reviews.append(words.tolist())
        labels.append(float(mood[words].sum() > 0))
    return reviews, labels


def make_dataset(reviews, labels, batch_size, seed):
    def source():
        yield from zip(reviews, labels, strict=True)

    data = tf.data.Dataset.from_generator(
        source,
        output_signature=(tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.float32)),
    )
    data = data.cache().shuffle(len(reviews), seed=seed)
    data = data.bucket_by_sequence_length(
        lambda words, label: tf.shape(words)[0],
        bucket_boundaries=EDGES,
        bucket_batch_sizes=[batch_size] * (len(EDGES) + 1),
    )
    return data.prefetch(tf.data.AUTOTUNE)


def build_model(vocabulary):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(vocabulary, 32),
            tf.keras.layers.Conv1D(96, 3, padding="same", activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(1),
        ]
    )


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(3e-3)
        self.loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.accuracy = tf.keras.metrics.BinaryAccuracy(threshold=0.0)

    @tf.function(reduce_retracing=True)
    def train_step(self, words, labels):
        with tf.GradientTape() as tape:
            logits = self.model(words, training=True)[:, 0]
            loss = self.loss_fn(labels, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables, strict=True))
        self.accuracy.update_state(labels, logits)
        return loss

    def evaluate(self, data):
        hits = [
            np.mean((self.model(words).numpy()[:, 0] > 0) == (labels.numpy() > 0.5))
            for words, labels in data.take(8)
        ]
        return float(np.mean(hits))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=4800)
    parser.add_argument("--vocabulary", type=int, default=2000)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seed", type=int, default=9)
    args = parser.parse_args()

    random.seed(args.seed)
    tf.keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    reviews, labels = make_reviews(args.reviews, args.vocabulary, rng)
    cut = args.reviews * 7 // 8
    train = make_dataset(reviews[:cut], labels[:cut], args.batch_size, args.seed)
    test = make_dataset(reviews[cut:], labels[cut:], args.batch_size, args.seed)
    trainer = Trainer(build_model(args.vocabulary))
    curve = []
    for epoch in range(args.epochs):
        trainer.accuracy.reset_state()
        losses = [trainer.train_step(words, labels).numpy() for words, labels in train]
        curve += losses
        score = trainer.evaluate(test)
        seen = float(trainer.accuracy.result())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f} train {seen:.3f} test {score:.3f}")
        gc.collect()
    print(f"{len(curve)} batches")


if __name__ == "__main__":
    main()
