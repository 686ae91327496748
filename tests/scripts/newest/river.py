"""Follow the discharge of a river from hour to hour, learning online from rain and temperature."""

import argparse

import numpy as np
import tensorflow as tf

CELLS = 24


def weather(hours, rng):
    """Rain (mm) and temperature (deg C) at each hour, and the discharge that follows from them."""
    t = np.arange(hours)
    rain = rng.gamma(0.25, 2.5, hours) * (rng.random(hours) < 0.3)
    temp = 8 + 7 * np.sin(2 * np.pi * t / 24) + rng.normal(0, 1, hours)
    soil, snow, flow = 0.0, 4.0, np.zeros(hours)
    for i in range(hours):
        melt = min(snow, max(0.0, 0.02 * (temp[i] - 4)))
        snow += 0.3 * rain[i] * (temp[i] < 3) - melt
        soil = 0.93 * soil + rain[i] + melt
        flow[i] = 0.2 * soil + 0.5
    inputs = np.stack([rain / 5.0, temp / 10.0], axis=1).astype(np.float32)
    return inputs, flow.astype(np.float32)


class Basin(tf.Module):
    """A small gated reservoir: what is stored, what runs off."""

    def __init__(self, cells=CELLS, seed=1):
        super().__init__()
        rng = tf.random.Generator.from_seed(seed)
        self.gate = tf.Variable(0.2 * rng.normal([cells + 2, cells]), name="gate")
        self.fill = tf.Variable(0.2 * rng.normal([cells + 2, cells]), name="fill")
        self.read = tf.Variable(0.2 * rng.normal([cells, 1]), name="read")
        self.bias = tf.Variable([0.5], name="bias")

    def initial(self):
        return tf.zeros([1, self.gate.shape[1]])

    def advance(self, state, inputs):
        both = tf.concat([state, inputs[None]], axis=1)
        keep = tf.sigmoid(both @ self.gate + 1.0)
        state = keep * state + (1.0 - keep) * tf.tanh(both @ self.fill)
        return state, tf.squeeze(state @ self.read) + self.bias[0]


class OnlineLearner:
    def __init__(self, model, rate):
        self.model = model
        self.rate = rate
        self.state = model.initial()

    def observe(self, tape, inputs, flow):
        self.state, guess = self.model.advance(self.state, inputs)
        loss = tf.square(guess - flow)
        with tape.stop_recording():
            self.correct(tape, loss)
            off = abs(float(guess) - float(flow))
        return off

    def correct(self, tape, loss):
        variables = self.model.trainable_variables
        grads = tape.gradient(loss, variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        for v, g in zip(variables, grads):
            v.assign_sub(self.rate * g)


def season(learner, inputs, flow, report_every):
    total, recent = 0.0, 0.0
    with tf.GradientTape(persistent=True) as tape:
        for hour, (now, target) in enumerate(zip(inputs, flow)):
            off = learner.observe(tape, tf.constant(now), tf.constant(target))
            total += off
            recent = 0.95 * recent + 0.05 * off
            if hour % report_every == 0:
                print(f"hour {hour:4d}  flow {target:6.2f}  off by about {recent:.3f}")
    return total / len(flow)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=170)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=31)
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    inputs, flow = weather(args.hours, rng)
    learner = OnlineLearner(Basin(seed=args.seed), args.rate)
    mean = season(learner, inputs, flow, report_every=25)
    print(f"mean absolute error over the season: {mean:.3f} m3/s")


if __name__ == "__main__":
    main()
