"""Sort recycled plastics from near-infrared spectra; rare plastics get heavier weights."""

import argparse

import numpy as np
import tensorflow as tf

PLASTICS = ["PET", "HDPE", "PVC", "LDPE", "PP", "PS"]
BANDS = 120


def make_spectra(n, rng):
    share = np.array([0.34, 0.25, 0.04, 0.2, 0.12, 0.05])
    kind = rng.choice(len(PLASTICS), size=n, p=share)
    wave = np.linspace(0, 1, BANDS)
    peaks = np.linspace(0.15, 0.85, len(PLASTICS))
    dips = np.exp(-(((wave[None] - peaks[kind][:, None]) / 0.08) ** 2))
    tilt = rng.normal(0, 0.4, (n, 1)) * wave
    x = 1.0 - 0.5 * dips + tilt + rng.normal(0, 0.25, (n, BANDS))
    return x.astype(np.float32), kind.astype(np.int32)


class Sorter(tf.Module):
    def __init__(self, width=128):
        super().__init__()
        init = tf.initializers.GlorotUniform(seed=4)
        self.w1 = tf.Variable(init([BANDS, width]))
        self.b1 = tf.Variable(tf.zeros([width]))
        self.w2 = tf.Variable(init([width, len(PLASTICS)]))
        self.b2 = tf.Variable(tf.zeros([len(PLASTICS)]))
        self.velocity = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.params()]

    def params(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, x):
        return tf.nn.relu(x @ self.w1 + self.b1) @ self.w2 + self.b2


class Trainer:
    def __init__(self, model, rate=0.05, momentum=0.9):
        self.model = model
        self.rate = rate
        self.momentum = momentum
        self.hits = np.ones(len(PLASTICS))
        self.seen = np.ones(len(PLASTICS)) * 2

    def weights(self):
        recall = self.hits / self.seen
        w = 1.0 / np.clip(recall, 0.2, 1.0)
        return (w / w.mean()).astype(np.float32)

    def compiled_for(self, class_weight):
        table = tf.constant(class_weight)
        model = self.model

        @tf.function
        def step(x, kind):
            with tf.GradientTape() as tape:
                logits = model(x)
                each = tf.nn.sparse_softmax_cross_entropy_with_logits(kind, logits)
                loss = tf.reduce_mean(each * tf.gather(table, kind))
            grads = tape.gradient(loss, model.params())
            for v, m, g in zip(model.params(), model.velocity, grads):
                m.assign(self.momentum * m + g)
                v.assign_sub(self.rate * m)
            return loss, tf.argmax(logits, axis=1, output_type=tf.int32)

        return step

    def update(self, x, kind):
        step = self.compiled_for(self.weights())
        loss, guess = step(tf.constant(x), tf.constant(kind))
        right = guess.numpy() == kind
        self.hits = 0.98 * self.hits + np.bincount(kind[right], minlength=len(PLASTICS))
        self.seen = 0.98 * self.seen + np.bincount(kind, minlength=len(PLASTICS))
        return float(loss)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=128)
    args = parser.parse_args()

    rng = np.random.default_rng(23)
    x, kind = make_spectra(6000, rng)
    trainer = Trainer(Sorter())
    step = 0
    while step < args.steps:
        rows = rng.integers(0, len(x), args.batch)
        loss = trainer.update(x[rows], kind[rows])
        step += 1
        if step % 40 == 0:
            recalls = zip(PLASTICS, trainer.hits / trainer.seen)
            recall = ", ".join(f"{name} {r:.2f}" for name, r in recalls)
            print(f"{step:4d}  loss {loss:.3f}  recall {recall}")
    guess = tf.argmax(trainer.model(x), axis=1).numpy()
    print("share sorted rightly:", np.mean(guess == kind))


if __name__ == "__main__":
    main()
