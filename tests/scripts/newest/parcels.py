"""Recommend depots for parcels: sender and receiver districts as embeddings, compiled steps."""

import argparse
import shutil
import tempfile

import numpy as np
import tensorflow as tf

DISTRICTS = 30000
DEPOTS = 12


def make_parcels(n, rng):
    place = rng.normal(size=(DISTRICTS, 2))
    depot = rng.normal(size=(DEPOTS, 2))
    pairs = (rng.pareto(1.2, (n, 2)) * 60).astype(np.int32) % DISTRICTS
    middle = 0.7 * place[pairs[:, 0]] + 0.3 * place[pairs[:, 1]]
    far = ((middle[:, None] - depot[None]) ** 2).sum(-1) + rng.normal(0, 0.2, (n, DEPOTS))
    return pairs, far.argmin(1).astype(np.int32)


class Router(tf.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.sender = tf.Variable(tf.random.normal([DISTRICTS, dim], stddev=0.1, seed=1))
        self.receiver = tf.Variable(tf.random.normal([DISTRICTS, dim], stddev=0.1, seed=2))
        self.w = tf.Variable(tf.random.normal([2 * dim, DEPOTS], stddev=0.2, seed=3))
        self.b = tf.Variable(tf.zeros([DEPOTS]))

    def __call__(self, pairs):
        a = tf.gather(self.sender, pairs[:, 0])
        b = tf.gather(self.receiver, pairs[:, 1])
        return tf.concat([a, b], axis=1) @ self.w + self.b


class BestKeeper:
    """Follows the smoothed loss and writes the model down whenever it has got better."""

    def __init__(self, model, step, folder, decay=0.98):
        self.manager = tf.train.CheckpointManager(
            tf.train.Checkpoint(model=model, step=step), folder, max_to_keep=2
        )
        self.decay = decay
        self.smooth = None
        self.best = np.inf

    def see(self, loss):
        if self.smooth is None:
            self.smooth = loss
        self.smooth = self.decay * self.smooth + (1 - self.decay) * loss
        if self.smooth < self.best:
            self.best = self.smooth
            self.manager.save()
            return True
        return False


def make_step(model, counter, rate):
    @tf.function
    def step(pairs, depot):
        with tf.GradientTape() as tape:
            logits = model(pairs)
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(depot, logits)
            loss = tf.reduce_mean(each)
        grads = tape.gradient(loss, model.trainable_variables)
        for v, g in zip(model.trainable_variables, grads):
            if isinstance(g, tf.IndexedSlices):
                v.scatter_sub(tf.IndexedSlices(20.0 * rate * g.values, g.indices))
            else:
                v.assign_sub(rate * g)
        counter.assign_add(1)
        return loss

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=256)
    args = parser.parse_args()

    rng = np.random.default_rng(77)
    pairs, depot = make_parcels(40000, rng)
    ds = tf.data.Dataset.from_tensor_slices((pairs, depot))
    ds = ds.shuffle(8000, seed=1).repeat().batch(args.batch).take(args.steps).prefetch(2)

    model = Router()
    counter = tf.Variable(0, dtype=tf.int64)
    step = make_step(model, counter, rate=0.1)
    folder = tempfile.mkdtemp(prefix="parcels-")
    keeper = BestKeeper(model, counter, folder)
    try:
        for number, (p, d) in enumerate(ds):
            loss = float(step(p, d))
            keeper.see(loss)
            if number % 100 == 0:
                print(f"{number:5d}  loss {keeper.smooth:.4f}")
        keeper.manager.checkpoint.restore(keeper.manager.latest_checkpoint)
        right = tf.argmax(model(pairs), 1, output_type=tf.int32).numpy() == depot
        print(f"best loss {keeper.best:.4f}, parcels sent rightly {right.mean():.3f}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
