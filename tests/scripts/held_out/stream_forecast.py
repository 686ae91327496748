"""Learns online to forecast a noisy signal with a small recurrent network, chunk by chunk."""

import argparse

import numpy as np
import tensorflow as tf


def stream(length, batch, features, seed):
    """One (now, next) pair of a few drifting sine waves after another."""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, size=(batch, features))
    speed = rng.uniform(0.05, 0.4, size=(batch, features))

    def sample(t):
        noise = 0.05 * rng.normal(size=(batch, features))
        return (np.sin(phase + speed * t) + noise).astype("float32")

    now = sample(0)
    for t in range(1, length + 1):
        after = sample(t)
        yield now, after
        now = after


class Forecaster(tf.Module):
    def __init__(self, features, units):
        super().__init__()
        init = tf.keras.initializers.GlorotUniform(seed=7)
        self.w_in = tf.Variable(init((features, units)), name="w_in")
        self.w_rec = tf.Variable(0.5 * init((units, units)), name="w_rec")
        self.bias = tf.Variable(tf.zeros(units), name="bias")
        self.w_out = tf.Variable(init((units, features)), name="w_out")

    def __call__(self, x, state):
        state = tf.tanh(x @ self.w_in + state @ self.w_rec + self.bias)
        return state @ self.w_out, state


class OnlineTrainer:
    def __init__(self, model, lr):
        self.model = model
        self.lr = lr
        self.tape = tf.GradientTape(persistent=True)
        self.state = None

    def reset(self, batch, units):
        self.state = tf.zeros((batch, units))

    def update(self, x, y):
        variables = self.model.trainable_variables
        with self.tape:
            prediction, self.state = self.model(x, self.state)
            loss = tf.reduce_mean(tf.square(prediction - y))
        grads = self.tape.gradient(loss, variables)
        for variable, grad in zip(variables, grads, strict=True):
            variable.assign_sub(self.lr * tf.clip_by_norm(grad, 1.0))
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--length", type=int, default=300)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--units", type=int, default=48)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    features = 8
    trainer = OnlineTrainer(Forecaster(features, args.units), args.lr)
    trainer.reset(args.batch, args.units)

    mean_loss = None
    for i, (x, y) in enumerate(stream(args.length, args.batch, features, args.seed)):
        loss = float(trainer.update(tf.constant(x), tf.constant(y)))
        mean_loss = loss if mean_loss is None else 0.95 * mean_loss + 0.05 * loss
        if i % 50 == 0:
            print(f"{i:5d}  loss {mean_loss:.4f}")
    print(f"final loss {mean_loss:.4f}")


if __name__ == "__main__":
    main()
