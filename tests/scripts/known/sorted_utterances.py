"""Train a recognizer of spoken commands on recordings of different lengths."""

import argparse
import itertools

import numpy as np
import tensorflow as tf

BANDS = 24
BLOCK = 16
COMMANDS = 12


def make_recordings(count, seed):
    """Return recordings as arrays of frames, and the command spoken in each."""
    random = np.random.default_rng(seed)
    voices = np.random.default_rng(0).normal(size=(COMMANDS, BANDS))
    lengths = random.gamma(4.0, 20.0, size=count).astype(int).clip(15, 200)
    commands = random.integers(0, COMMANDS, count)
    frames = [
        (voices[command] + random.normal(scale=2.0, size=(length, BANDS))).astype("float32")
        for command, length in zip(commands, lengths, strict=True)
    ]
    return frames, commands.astype("int32")


def pad(frames):
    """Return recordings as one array of whole blocks, filled up with silence."""
    blocks = -(-max(map(len, frames)) // BLOCK)
    padded = np.zeros((len(frames), blocks * BLOCK, BANDS), "float32")
    for row, recording in zip(padded, frames, strict=True):
        row[: len(recording)] = recording
    return padded


def batches(frames, commands, order, size):
    for start in range(0, len(order) - size + 1, size):
        rows = order[start : start + size]
        yield pad([frames[row] for row in rows]), commands[rows]


class Recognizer(tf.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.rate = rate
        sizes = [2 * BANDS, width, width, COMMANDS]
        self.weights = [
            tf.Variable(tf.random.stateless_normal([a, b], [a, b]) * (2.0 / a) ** 0.5)
            for a, b in itertools.pairwise(sizes)
        ]

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None, BANDS], tf.float32),
            tf.TensorSpec([None], tf.int32),
        ]
    )
    def train_step(self, frames, commands):
        with tf.GradientTape() as tape:
            x = tf.concat([frames, tf.roll(frames, 1, axis=1)], axis=2)
            for weight in self.weights[:-1]:
                x = tf.nn.relu(x @ weight)
            logits = tf.reduce_mean(x @ self.weights[-1], axis=1)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(commands, logits)
            loss = tf.reduce_mean(losses)
        for weight, gradient in zip(self.weights, tape.gradient(loss, self.weights), strict=True):
            weight.assign_sub(self.rate * gradient)
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=int, default=36_000)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--width", type=int, default=288)
    args = parser.parse_args()

    frames, commands = make_recordings(args.recordings, seed=1)
    order = np.array(sorted(range(len(frames)), key=lambda row: len(frames[row])))
    model = Recognizer(args.width, rate=0.02)
    print(f"training on {len(frames)} recordings")
    losses = [
        float(model.train_step(*batch)) for batch in batches(frames, commands, order, args.batch)
    ]
    tenth = len(losses) // 10
    for part in range(10):
        mean = np.mean(losses[part * tenth : (part + 1) * tenth])
        print(f"{10 * (part + 1)} % of the recordings heard: loss {mean:.3f}")


if __name__ == "__main__":
    main()
